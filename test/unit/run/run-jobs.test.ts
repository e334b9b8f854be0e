import assert from 'node:assert/strict';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createPool, type FileJob, type TaskJob } from '../../run/pool.ts';
import { createReport, type Report } from '../../run/report.ts';
import { runJobs } from '../../run/run-jobs.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';

describe('the runner of all tests', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** A test file of this text, with mocha's own `it`. */
  async function fileOf(text: string, name = 'it.test.ts'): Promise<FileJob> {
    await writeFiles(temp.path, { [name]: text });
    return { part: 'made up', file: path.join(temp.path, name), timeoutMs: 60_000 };
  }

  async function run(jobs: readonly (FileJob | TaskJob)[], strict = false) {
    const printed: string[] = [];
    const print = (text: string) => void printed.push(text);
    const code = await runJobs(jobs, { lanes: 2, strict, mayBeEmpty: false, print });
    return { code, text: printed.join('\n'), last: printed.at(-1)?.split('\n').at(-1) };
  }

  it('counts what passed, failed and was skipped in all files, and names each failure with its file', async () => {
    const { code, text, last } = await run([
      await fileOf("it('one', () => {}); it.skip('two'); it('three', () => { throw new Error('no, three'); });"),
      await fileOf("describe('four', () => it('five', () => {}));", 'other.test.ts'),
    ]);
    assert.equal(code, 1);
    assert.equal(last, '2 passed, 1 failed, 1 skipped');
    assert.match(text, /== 1 failed\n {2}✗ made up: \S+it\.test\.ts: three\n {6}Error: no, three/);
  });

  it('leaves out what another day runs, with the hooks that nothing else needs, and says how much that was', async () => {
    const text = `
      describe('long', () => {
        before(() => { throw new Error('for nobody'); });
        it('one', () => {});
        it('two', () => {});
      });
      it('three', () => {});`;
    const { text: printed, last } = await run([
      { ...(await fileOf(text)), leaveOut: ['long one', 'long two', 'four'] },
    ]);
    assert.equal(last, '1 passed, 0 failed, 0 skipped');
    assert.match(printed, /, 2 long tests left out\n/);
  });

  it('runs all of the tables in a file that is to run whole, and today’s part in the next', async () => {
    const text = (name: string) => `it('day ' + process.env.SVC_TEST_SEED, () => { throw new Error('${name}'); });`;
    const { SVC_TEST_SEED } = process.env;
    process.env.SVC_TEST_SEED = '7';
    try {
      const { text: printed } = await run([
        { ...(await fileOf(text('a'))), whole: true },
        await fileOf(text('b'), 'other.test.ts'),
      ]);
      assert.match(printed, /day undefined\n {4}Error: a/);
      assert.match(printed, /day 7\n {4}Error: b/);
    } finally {
      if (SVC_TEST_SEED === undefined) delete process.env.SVC_TEST_SEED;
      else process.env.SVC_TEST_SEED = SVC_TEST_SEED;
    }
  });

  it('fails the test in which a promise is refused that nobody hears', async () => {
    const { code, text } = await run([
      await fileOf(
        "it('one', async () => { Promise.reject(new Error('unheard')); await new Promise(() => {}); }); it('two', () => {});",
      ),
    ]);
    assert.equal(code, 1);
    assert.match(text, /== 1 failed\n {2}✗ made up: \S+it\.test\.ts: one\n {6}Error: unheard/);
  });

  it('says at the end which program installs what was skipped for it, and how many tests that were', async () => {
    const text = `
      describe('needing', () => {
        before(function () {
          this.test.parent.needs = 'apt-get install it';
          this.skip();
        });
        it('one', () => {});
        it('two', () => {});
      });
      it.skip('for another reason');
      it('needs nothing', () => {});`;
    const { text: printed, last } = await run([await fileOf(text)]);
    assert.match(printed, /== 2 skipped for a program that is missing here: apt-get install it/);
    assert.equal(last, '1 passed, 0 failed, 3 skipped');
  });

  it('names the running test, and not the hook before it', async () => {
    const text = "beforeEach('prepare', () => {}); it('hangs', () => process.exit(3));";
    const { text: printed } = await run([await fileOf(text)]);
    assert.match(printed, /made up: \S+it\.test\.ts: hangs/);
  });

  it('keeps what was counted when a process dies, and names the test it died in', async () => {
    const { text, last } = await run([
      await fileOf("it('one', () => {}); it('dies', () => process.exit(3)); it('never', () => {});"),
      await fileOf("it('two', () => {});", 'other.test.ts'),
    ]);
    assert.equal(last, '2 passed, 1 failed, 0 skipped');
    assert.match(text, /it\.test\.ts: dies\n {6}the process ended with code 3/);
  });

  it('takes a file that does not load, and a part without a test, for a failure', async () => {
    const broken = await run([await fileOf("import './not-there.ts';")]);
    assert.deepEqual([broken.code, broken.last], [1, '0 passed, 1 failed, 0 skipped']);
    const empty = await run([await fileOf('', 'empty.test.ts')]);
    assert.deepEqual([empty.code, empty.last], [1, '0 passed, 1 failed, 0 skipped']);
    assert.match(empty.text, /ran no test/);
  });

  it('ends a test whose loop never turns, by name, and goes on with the next file', async () => {
    const lines: string[] = [];
    const report = createReport({ print: (text) => void lines.push(text), strict: false });
    let hangs = false;
    const listening: Report = {
      ...report,
      tell(part, file, event, log) {
        if (event.type === 'start' && event.title === 'hangs') hangs = true;
        if (event.type === 'start' && event.title === 'after') hangs = false;
        report.tell(part, file, event, log);
      },
      fault(failure) {
        hangs = false;
        report.fault(failure);
      },
    };
    const pool = createPool({ lanes: 1, report: listening, quietMs: () => (hangs ? 1000 : Number.POSITIVE_INFINITY) });
    await pool.run([
      await fileOf("it('before', () => {}); it('hangs', () => { for (;;); });"),
      await fileOf("it('after', () => {});", 'other.test.ts'),
    ]);
    assert.deepEqual(report.counts(), { passed: 2, failed: 1, skipped: 0 });
    assert.deepEqual(
      report.failures('made up').map(({ title, error }) => [title, error]),
      [['hangs', 'no sign of life for 1 s: ended']],
    );
  });

  it('reports a test that passes when it is run again as flaky, which only the whole run takes for a failure', async () => {
    const flaky = (name: string) =>
      `import { existsSync, writeFileSync } from 'node:fs';
       const was = ${JSON.stringify(temp.path)} + '/${name}';
       it('flaky', () => { if (!existsSync(was)) { writeFileSync(was, ''); throw new Error('the first time'); } });`;
    const usual = await run([await fileOf(flaky('a'))]);
    assert.deepEqual([usual.code, usual.last], [0, '1 passed, 0 failed, 0 skipped']);
    assert.match(usual.text, /== 1 flaky[\s\S]*it\.test\.ts: flaky\n[\s\S]*, 1 flaky\n/);
    const whole = await run([await fileOf(flaky('b'), 'b.test.ts')], true);
    assert.deepEqual([whole.code, whole.last], [1, '0 passed, 1 failed, 0 skipped']);
    assert.match(whole.text, /flaky \(passed when run again; here that is a failure\)/);
  });

  it('takes work that rejects for a failed test', async () => {
    const task: TaskJob = { part: 'made up', file: 'task', run: () => Promise.reject(new Error('no browser')) };
    const { last, text } = await run([task, await fileOf("it('one', () => {});")]);
    assert.equal(last, '1 passed, 1 failed, 0 skipped');
    assert.match(text, /made up: task: \(start\)\n {6}no browser/);
  });
});
