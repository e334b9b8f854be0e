import assert from 'node:assert/strict';
import { readFile, realpath } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ToolContext } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { ShellListener } from '../../../src/tools/command/shell.ts';
import { runCommand } from '../../../src/tools/run-command.ts';
import { createShell, type TerminalShell } from '../../../src/vscode/workspace/shell-adapter.ts';
import { createWorkspace } from '../../../src/vscode/workspace/workspace-adapter.ts';
import { toolContext } from '../../support/tool-context.ts';
import { waitFor } from '../../vscode/wait-for.ts';

/** The server of the older release comes without the native part that terminals need; there a child process has to do. */
const via = vscode.version.startsWith('1.106.') ? 'process' : 'terminal';

describe('commands in a real terminal', () => {
  let shell: TerminalShell;
  let cwd = '';
  const logged: string[] = [];

  before(async function () {
    this.timeout(120_000);
    shell = createShell({ clock: systemClock, log: (line) => logged.push(line) });
    cwd = await realpath(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? tmpdir());
    if (via === 'terminal') await firstTerminal();
  });
  after(() => shell.dispose());

  const run = async (
    commandLine: string,
    signal = new AbortController().signal,
    onChunk?: (output: string) => void,
  ) => {
    let output = '';
    const listener: ShellListener = {
      started: () => undefined,
      output(chunk) {
        output += chunk;
        onChunk?.(output);
      },
    };
    return { ...(await shell.run({ commandLine, cwd }, listener, signal)), output };
  };
  const answer = async (args: object, context: Partial<ToolContext> = {}) => {
    const { workspace, files } = createWorkspace();
    const tool = runCommand.create({ workspace, files, shell, clock: systemClock });
    return (await (await tool.plan(args, toolContext(context))).run()).forModel;
  };

  it('F15 run_command runs through shell integration with exit code, folder and clean text', async () => {
    const text = await answer({ command: "pwd && printf '\\033[31mred\\033[0m\\n' && sh -c 'exit 7'", cwd: 'src' });
    assert.match(
      text,
      via === 'terminal' ? /^Exit code 7 after [\d.]+ s in src\.\n/ : /^Exit code 7 after .*, without a terminal\.\n/,
    );
    assert.equal(text.split('\n').slice(1).join('\n'), `${cwd}/src\nred`);
    assert.equal(logged.length, via === 'terminal' ? 0 : 1);
  });

  it('F15 a fresh shell each time: nothing of an earlier command is left', async () => {
    await run('cd src && git() { echo taken over; } && export SVC_LEFT=1');
    const { output, ...result } = await run('pwd; type -t git; env | grep -c SVC_LEFT');
    assert.deepEqual(result, { exitCode: 1, via });
    assert.match(output, new RegExp(`${cwd}\\r?\\nfile\\r?\\n0`));
  });

  it('F15 a command that ends its shell ends the call, with its exit code', async () => {
    const { exitCode } = await run('exit 5');
    assert.equal(exitCode, 5);
  });

  it('F15 lines that a terminal would read otherwise run without one and are shown', async () => {
    const result = await run("printf 'a!!b\\n'\necho two");
    assert.deepEqual(result, { exitCode: 0, output: 'a!!b\ntwo\n', via: 'process' });
  });

  it('X43 a program that says its end and goes on is not believed', async function () {
    if (via !== 'terminal') this.skip();
    const command = `node -e 'process.stdout.write("\\u001b]633;D;0\\u0007"); setTimeout(() => process.exit(4), 3000)'`;
    const begun = performance.now();
    const result = await run(command);
    assert.ok(performance.now() - begun >= 2500);
    assert.deepEqual(result.exitCode, undefined);
  });

  it('F15 Stop ends the whole tree within seconds, also what ignores SIGTERM', async () => {
    const stop = new AbortController();
    const seen = Promise.withResolvers<number[]>();
    const script = `bash -c 'trap "" TERM; echo pid $$; while true; do sleep 1; done' & setsid sh -c 'echo pid $$; exec sleep 300' & sleep 300`;
    const running = run(script, stop.signal, (output) => {
      const pids = [...output.matchAll(/pid (\d+)/g)].map((match) => Number(match[1]));
      if (pids.length === 2) seen.resolve(pids);
    });
    const pids = await seen.promise;
    stop.abort();
    const { exitCode } = await running;
    assert.equal(exitCode, undefined);
    for (const pid of pids) assert.ok(!(await isRunning(pid)), `process ${pid} still runs`);
  });

  it('F15 ux 2.8 shows the terminal of a run, in which it can be answered', async () => {
    const stop = new AbortController();
    const begun = Promise.withResolvers<void>();
    const listener: ShellListener = {
      started: () => undefined,
      output: (chunk) => chunk.includes('begun') && begun.resolve(),
    };
    const running = shell.run({ commandLine: 'echo begun; sleep 300', cwd, run: 't1/c1' }, listener, stop.signal);
    await begun.promise;
    const inFront = () => vscode.window.activeTerminal?.name ?? '';
    const other = vscode.window.createTerminal('other');
    other.show();
    await waitFor('another terminal in front', () => inFront() === 'other', { timeoutMs: 60_000 });
    // A call of another conversation has the same id.
    shell.show('t2/c1');
    shell.show('t1/c1');
    await waitFor('the terminal in front', () => /echo begun/.test(inFront()), { timeoutMs: 60_000 });
    other.dispose();
    stop.abort();
    await running;
  });

  it('F15 a time limit ends the command and gives what it printed', async () => {
    const text = await answer({ command: 'echo started && sleep 60', timeoutSeconds: 2 });
    assert.match(text, /^Timed out after \d[\d.]* s; .*\nstarted\n?/);
  });

  it('F15 Stop during run_command is answered long before the command would end', async () => {
    const stop = new AbortController();
    const output = (text: string) => {
      if (text.includes('busy')) stop.abort();
    };
    const text = await answer({ command: 'echo busy && sleep 600' }, { signal: stop.signal, output });
    assert.match(text, /^Stopped by the user/);
  });
});

/** An orphan that ended can stay in the table until somebody looks; it no longer runs. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z');
}
/** A terminal of a window that has just opened may never say that it is ready; the product does without one then. */
async function firstTerminal(): Promise<void> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const terminal = vscode.window.createTerminal('first');
    const ready = Promise.withResolvers<boolean>();
    const timer = setTimeout(() => ready.resolve(false), 5000);
    const listening = vscode.window.onDidChangeTerminalShellIntegration((event) => {
      if (event.terminal === terminal) ready.resolve(true);
    });
    const isReady = await ready.promise;
    clearTimeout(timer);
    listening.dispose();
    terminal.dispose();
    if (isReady) return;
  }
}
