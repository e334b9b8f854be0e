import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'mocha';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type AskOptions, askService } from './ask-service.ts';

/** Everything of a turn but the editor: loop, tools, client, transport, and a service that answers as scripted. */
describe('agent/turn with the real client and the local service', () => {
  let temp: TempDir;
  let service: LocalService;

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, { 'src/a.ts': 'export const answer = 42;\n', 'emoji.txt': '😀'.repeat(20_000) });
    service = await startLocalService();
  });
  afterEach(() => service.reset());
  after(async () => {
    await service.close();
    await temp.remove();
  });

  const ask = (questions: readonly string[], onEvent?: AskOptions['onEvent'], fallback = false) =>
    askService({
      service,
      tools: createReadTools(openFolders({ ws: temp.path })),
      questions,
      fallback,
      ...(onEvent && { onEvent }),
    });
  const readCall = { name: 'read_file', arguments: { path: 'src/a.ts' } };
  /** What hosts of these models are known to refuse. */
  const strictChecks = ['H01', 'H02', 'H03', 'H04', 'H09', 'H10', 'H11', 'H14'] as const;

  it('F13 S2 the stand-in model reads a real file and answers from it', async () => {
    const { results, events } = await ask(['What does src/a.ts hold?']);
    assert.equal(results[0]?.outcome, 'finished');
    assert.match(results[0]?.text ?? '', /answer = 42/);
    assert.ok(events.some((event) => event.type === 'toolFinished' && event.state === 'done'));
    assert.equal(results[0]?.cost.totalTokens, service.totalTokens());
  });

  it('H01 H02 H03 H04 H09 H14 W70 a strict service takes the history of everything that can go wrong', async () => {
    service.script({
      rules: [{ effect: { checks: [...strictChecks] } }],
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: '{"path": "src/a.t' }] },
        {
          toolCalls: [{ name: 'functions.read_file:0', arguments: { path: '../../etc/passwd' }, id: 'functions.x:0' }],
        },
        { toolCalls: [{ name: 'no such tool', arguments: '' }, readCall] },
        { toolCalls: [{ name: 'read_file', arguments: { path: 'emoji.txt' } }] },
        { text: 'First.' },
        { toolCalls: [readCall, readCall] },
        { text: 'Third.' },
      ],
    });
    let turns = 0;
    const { results, events } = await ask(['one', 'two', 'three'], (event, stop) => {
      if (event.type === 'toolStarted' && event.turnId === 't1' && ++turns === 1) stop();
    });
    assert.deepEqual(
      results.map(({ outcome, text }) => [outcome, text]),
      [
        ['finished', 'First.'],
        ['stopped', ''],
        ['finished', 'Third.'],
      ],
    );
    const states = events.flatMap((event) => (event.type === 'toolFinished' ? [event.state] : []));
    assert.deepEqual(states, ['failed', 'cancelled', 'failed', 'done', 'done', 'cancelled', 'cancelled']);
  });

  it('W24b W24c rule 1 a call that is cut anywhere runs only when the reply was whole', async () => {
    const whole = { replies: [{ toolCalls: [readCall], times: 100 }] };
    service.script(whole);
    const counted = await ask(['one']);
    assert.equal(counted.results[0]?.outcome, 'limit');
    for (let bytes = 0; bytes < 1200; bytes += 40) {
      service.reset();
      service.script({ ...whole, rules: [{ effect: { endAfterBytes: bytes } }] });
      const { events } = await ask(['one']);
      const complete = events.some((event) => event.type === 'stepFinished' && event.complete);
      const ran = events.some((event) => event.type === 'toolStarted');
      assert.equal(ran, complete, `after ${bytes} bytes`);
    }
  });

  it('W33 H01 a reply that reached its length limit runs no call, whole or cut, and the model hears why', async () => {
    for (const call of [readCall, { name: 'read_file', arguments: '{"path": "src/a' }]) {
      service.reset();
      service.script({
        rules: [{ effect: { checks: [...strictChecks] } }],
        replies: [{ text: 'I look.', toolCalls: [call], finish: 'length' }, { text: 'Done.' }],
      });
      const { results, events } = await ask(['one']);
      assert.equal(results[0]?.outcome, 'finished');
      assert.equal(results[0]?.text, 'Done.');
      assert.ok(!events.some((event) => event.type === 'toolStarted'));
      const told = events.flatMap((event) => (event.type === 'toolFinished' ? [event.forModel] : []));
      assert.match(told.join(), /^Not run: your reply was cut by its length limit/);
    }
  });

  it('S23 a model that refuses tools answers without them, and that is said', async () => {
    service.script({ rules: [{ effect: { tools: 'refused' } }], replies: [{ text: 'From memory.', times: 9 }] });
    const { results, events } = await ask(['one', 'two']);
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ['finished', 'finished'],
    );
    const said = events.filter((event) => event.type === 'notice' && event.notice.kind === 'degraded');
    assert.equal(said.length, 1);
  });

  it('U7 a reply that is cut anywhere is gone on with: what was shown is kept, once, and only whole calls run', async () => {
    const first = 'It is in the file, I think. ';
    const ends = { continued: 0, gaveUp: 0 };
    for (let bytes = 0; bytes < 3200; bytes += 130) {
      service.reset();
      service.script({
        rules: [{ times: 1, effect: { cutAfterBytes: bytes } }, { effect: { checks: [...strictChecks] } }],
        replies: [
          { text: first, toolCalls: [readCall] },
          { text: 'The rest.', times: 9 },
        ],
      });
      const { results, events } = await ask(['one'], undefined, true);
      const steps = events.filter((event) => event.type === 'stepFinished');
      for (const { step, text, complete, toolCalls } of steps) {
        const shown = events.flatMap((event) =>
          event.type === 'textDelta' && event.step === step ? [event.text] : [],
        );
        assert.equal(shown.join(''), text, `after ${bytes} bytes`);
        assert.ok(complete || toolCalls.length === 0);
      }
      const [{ text = '' } = {}] = steps;
      const kept = text.replace(/The rest\.$/, '');
      assert.ok(first.startsWith(kept), `after ${bytes} bytes: ${text}`);
      const ran = events.some((event) => event.type === 'toolStarted');
      assert.equal(ran, steps[0]?.toolCalls.length === 1, `after ${bytes} bytes`);
      const gaveUp = results[0]?.outcome === 'failed';
      if (gaveUp) ends.gaveUp++;
      if (events.some((event) => event.type === 'notice' && event.notice.kind === 'fallback')) ends.continued++;
      // Only a call that was being written keeps a reply from being continued.
      if (gaveUp)
        assert.ok(
          events.some((event) => event.type === 'toolForming'),
          `after ${bytes} bytes`,
        );
      else assert.match(results[0]?.text ?? '', /The rest\.$/);
    }
    assert.ok(ends.continued > 1 && ends.gaveUp > 1, JSON.stringify(ends));
  });
});
