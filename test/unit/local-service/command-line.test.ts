import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, it } from 'mocha';
import { parseScript } from '../../service/script-schema.ts';
import { onlyPosix } from '../../support/posix.ts';
import { json, minimal, type WholeReply } from './harness.ts';

const main = join(import.meta.dirname, '../../service/main.ts');

describe('local service: command line', () => {
  let child: ChildProcess | undefined;
  afterEach(() => child?.kill());

  /** Starts the program and resolves its output once it contains `text` or it ended. */
  const run = (args: string[], text: string): Promise<string> =>
    new Promise((resolve) => {
      const started = spawn(process.execPath, [main, ...args]);
      child = started;
      let output = '';
      const take = (data: Buffer): void => {
        output += data.toString();
        if (output.includes(text)) resolve(output);
      };
      started.stdout.on('data', take);
      started.stderr.on('data', take);
      started.on('close', () => resolve(output));
    });

  it('prints its address and the dashboard, takes a key and a script file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'svc-'));
    const file = join(folder, 'script.json');
    await writeFile(file, JSON.stringify({ replies: [{ text: 'from the file' }] }));
    const output = await run(['--port', '0', '--key', 'sk-svc-cli', '--script', file], 'dashboard at');
    const address = output.match(/^svc local service listening at (http:\/\/127\.0\.0\.1:\d+\/v1)$/m)?.[1];
    assert.ok(address, output);
    assert.match(output, /^svc dashboard at http:\/\/127\.0\.0\.1:\d+\/dashboard$/m);
    const response = await fetch(`${address}/chat/completions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk-svc-cli' },
      body: JSON.stringify(minimal),
    });
    assert.equal((await json<WholeReply>(response)).choices[0]?.message.content, 'from the file');
    await rm(folder, { recursive: true });
  });

  it('ends cleanly on SIGTERM', async function () {
    onlyPosix.call(this);
    await run([], 'dashboard at');
    const code = new Promise((resolve) => child?.once('exit', resolve));
    child?.kill('SIGTERM');
    assert.equal(await code, 0);
  });

  it('the example of the README is a valid script', async () => {
    const readme = await readFile(join(main, '../README.md'), 'utf8');
    const examples = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map((match) => match[1] ?? '');
    assert.ok(examples.length > 0);
    for (const example of examples) assert.ok((parseScript(example).rules?.length ?? 0) > 0);
  });

  it('says where a script is wrong', () => {
    assert.throws(() => parseScript('{"rules":[{"effect":{"page522":"yes"}}]}'), /rules\[0\]\.effect\.page522/);
  });
});
