import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { systemClock } from '../../../../src/base/clock.ts';
import { blockedText } from '../../../../src/tools/command/sandbox/blocked.ts';
import { SandboxUnusable } from '../../../../src/tools/command/sandbox/launch.ts';
import { createSandbox } from '../../../../src/tools/command/sandbox/sandbox.ts';
import type { RunnerAnswer, RunnerInput, RunnerSetup } from './sandboxed.ts';

/** A process of its own, so that the same lines can be run by another user: a line of JSON in, a line of JSON out. */
const setup = JSON.parse(process.argv[2] ?? '') as RunnerSetup;
let roots: readonly string[] = [];
const sandbox = createSandbox({
  stateDir: setup.state,
  home: setup.home,
  editorData: setup.editorData,
  roots: () => roots,
  isProtected: (relative) => relative === 'mine.txt',
  readable: () => [],
  writable: () => [],
  environment: process.env,
  clock: systemClock,
  log: (line) => process.stderr.write(`${line}\n`),
});

async function run(input: RunnerInput): Promise<RunnerAnswer> {
  roots = input.roots;
  if (input.forgetAllBut !== undefined) {
    await sandbox.forget(async (name) => name === input.forgetAllBut);
    return { text: '', exitCode: 0, hasEnded: true, appeared: [] };
  }
  const unusable = await sandbox.unusable();
  if (unusable !== undefined) return { unusable };
  try {
    const launch = await sandbox.launch({
      file: '/bin/bash',
      args: ['-c', input.line],
      cwd: input.cwd,
      level: input.network ? 'network' : 'on',
      conversationId: input.conversationId ?? 'one',
      variables: {},
    });
    const child = spawn(launch.file, launch.args, launch.options);
    const attended = launch.attend(child);
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const appeared = await launch.release();
    const blocked = input.tellsBlocked ? { blocked: launch.blocked(text).map(blockedText) } : {};
    return { text, exitCode, hasEnded: attended.hasEnded(), appeared, ...blocked };
  } catch (error) {
    if (error instanceof SandboxUnusable) return { unusable: error.why };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line) as RunnerInput))}\n`);
}
