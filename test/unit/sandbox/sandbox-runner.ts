import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { systemClock } from '../../../src/base/clock.ts';
import { blockedText } from '../../../src/sandbox/blocked.ts';
import { SandboxUnusable } from '../../../src/sandbox/launch.ts';
import { createSandbox } from '../../../src/sandbox/sandbox.ts';
import type { RunnerAnswer, RunnerInput, RunnerSetup } from './sandboxed.ts';

/** A process of its own, so that the same lines can be run by another user: a line of JSON in, a line of JSON out. */
const setup = JSON.parse(process.argv[2] ?? '') as RunnerSetup;
const isMine = (relative: string) => relative === 'mine.txt';
let roots: readonly string[] = [];
let borrowed: readonly { source: string; target: string }[] = [];
let hosts: RunnerInput['hosts'] = {};
let reached: string[] = [];
const background: ChildProcess[] = [];
const sandbox = createSandbox({
  stateDir: setup.state,
  home: setup.home,
  editorData: setup.editorData,
  roots: () => roots,
  borrowed: async () => borrowed,
  protection: () => isMine,
  readable: () => setup.readable,
  writable: () => [],
  environment: process.env,
  network: {
    keeperFile: path.join(import.meta.dirname, '../../../src/sandbox/namespace-keeper.ts'),
    async reach(host, port) {
      const at = hosts?.[`${host}:${port}`];
      if (at === undefined) throw new Error(`Nobody stands for ${host}:${port}`);
      reached.push(`${host}:${port}`);
      const place = at === 'itself' ? { host, port } : { host: '127.0.0.1', port: at };
      const socket = connect({ ...place, allowHalfOpen: true });
      await once(socket, 'connect');
      return socket;
    },
  },
  clock: systemClock,
  log: (line) => process.stderr.write(`${line}\n`),
});

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number);
}

async function run(input: RunnerInput): Promise<RunnerAnswer> {
  roots = input.roots;
  borrowed = input.borrowed ?? [];
  hosts = input.hosts ?? {};
  const asked: string[] = [];
  reached = [];
  if (input.killsChildren) {
    const children = childrenOf(process.pid);
    // Kept open to the end of this process: the kernel gives the number of a network that is gone to the next one.
    for (const keeper of children.flatMap(childrenOf)) openSync(`/proc/${keeper}/ns/net`, 'r');
    for (const pid of children) process.kill(pid, 'SIGKILL');
    // Until it is known here.
    while (childrenOf(process.pid).length > 0) await nextTurn();
    await nextTurn();
  }
  const { answer } = input;
  if (input.forgetAllBut !== undefined) {
    await sandbox.forget(async (name) => name === input.forgetAllBut);
    return { text: '', exitCode: 0, hasEnded: true, appeared: [] };
  }
  if (input.git !== undefined) sandbox.grant(input.conversationId ?? 'one', { kind: 'git', place: input.git }, true);
  if (input.folder !== undefined)
    sandbox.grant(input.conversationId ?? 'one', { kind: 'folder', place: input.folder }, true);
  if (input.port !== undefined) sandbox.grant(input.conversationId ?? 'one', { kind: 'port', port: input.port }, true);
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
      uncovered: input.uncovered,
      ...(answer && {
        async ask(question) {
          asked.push(question.kind === 'hosts' ? question.hosts.join(' ') : JSON.stringify(question));
          return answer;
        },
      }),
    });
    const child = spawn(launch.file, launch.args, launch.options);
    const attended = launch.supervise(child);
    if (input.background) {
      background.push(child);
      child.once('close', () => void launch.release());
      await once(child.stdout as NodeJS.ReadableStream, 'data');
      return { text: '', exitCode: null, hasEnded: false, appeared: [] };
    }
    let text = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
    }
    const exitCode = await new Promise<number | null>((resolve) => child.once('close', resolve));
    const { appeared, loaded, lost = [] } = await launch.release();
    const blocked = input.tellsBlocked ? { blocked: launch.blocked(text).map(blockedText) } : {};
    for (const each of input.keeps ? [] : background.splice(0)) each.kill('SIGKILL');
    return {
      ...{ text, exitCode, hasEnded: attended.hasEnded(), appeared, ...blocked },
      ...(loaded.length > 0 && { loaded }),
      ...(lost.length > 0 && { lost }),
      ...(answer && { asked, reached, sent: Object.fromEntries(launch.sent()) }),
    };
  } catch (error) {
    if (error instanceof SandboxUnusable) return { unusable: error.why };
    throw error;
  }
}

for await (const line of createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(await run(JSON.parse(line) as RunnerInput))}\n`);
}
sandbox.close();
