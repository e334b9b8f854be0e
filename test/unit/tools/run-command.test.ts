import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { after, before, describe, it } from 'mocha';
import type { ToolContext, ToolPlan } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { type CommandJournal, noJournal } from '../../../src/edits/apply/edit-ports.ts';
import type { Blocked, Grant } from '../../../src/sandbox/blocked.ts';
import { createCommandSnapshots } from '../../../src/tools/command/command-snapshots.ts';
import { createOutputs } from '../../../src/tools/command/outputs.ts';
import type { Processes } from '../../../src/tools/command/processes.ts';
import type { Shell } from '../../../src/tools/command/shell.ts';
import { readFile } from '../../../src/tools/read-file.ts';
import { runCommand, startFolder } from '../../../src/tools/run-command.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createFakeClock, settle } from '../service/fake-clock.ts';
import { openFolders, writeFiles } from './workspace.ts';

interface FakeShell extends Shell {
  runs: { commandLine: string; cwd: string }[];
}

/** Prints and ends as told; records what it was given. */
function fakeShell(
  run: (onOutput: (chunk: string) => void, signal: AbortSignal) => Promise<number | undefined>,
): FakeShell {
  const runs: FakeShell['runs'] = [];
  return {
    runs,
    name: () => 'bash',
    async run(command, listener, signal) {
      runs.push(command);
      listener.started();
      const exitCode = await run(listener.output, signal);
      return { ...(exitCode === undefined ? {} : { exitCode }), via: 'terminal' };
    },
  };
}

/** The folder is looked at on the real disk first. */
async function begun(shell: FakeShell): Promise<void> {
  while (shell.runs.length === 0) await settle();
}

const quiet = () => fakeShell(async () => 0);
const untilAborted = (signal: AbortSignal) =>
  new Promise<undefined>((resolve) => signal.addEventListener('abort', () => resolve(undefined)));

describe('run_command', () => {
  let temp: TempDir;
  let trusted = true;

  before(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, { 'ws/pkg/a.txt': 'a', 'ws/file.txt': 'a', 'outside/a.txt': 'a' });
    await symlink(path.join(temp.path, 'outside'), path.join(temp.path, 'ws/out'));
  });
  after(() => temp.remove());

  const plan = (
    shell: Shell,
    args: object,
    context: Partial<ToolContext> = {},
    clock = systemClock,
  ): Promise<ToolPlan> => {
    const { workspace, files } = openFolders({ ws: path.join(temp.path, 'ws') }, { trusted: () => trusted });
    return runCommand.create({ workspace, files, shell, clock }).plan(args, toolContext(context));
  };
  const answer = async (shell: Shell, args: object, context?: Partial<ToolContext>) =>
    (await (await plan(shell, args, context)).run()).forModel;

  it('F15 asks with the whole command line, the real folder and the shell, and runs exactly that', async () => {
    const shell = quiet();
    const planned = await plan(shell, { command: "grep -n 'a  b' .", cwd: 'pkg' });
    const folder = path.join(temp.path, 'ws/pkg');
    assert.deepEqual(planned.approval, {
      subject: { kind: 'command', command: "grep -n 'a  b' .", cwd: folder, shell: 'bash' },
      warnings: [],
      scopes: ['once', 'conversation', 'always'],
    });
    assert.deepEqual(shell.runs, []);
    assert.match((await planned.run()).forModel, /^Exit code 0 after [\d.]+ s in pkg\.\n\[no output\]$/);
    assert.deepEqual(shell.runs, [{ commandLine: "grep -n 'a  b' .", cwd: folder, run: 'turn/c1' }]);
  });

  it('F15 states exit code and output without what steers a terminal (X40)', async () => {
    const shell = fakeShell(async (print) => {
      print('\u001b[31mred\u001b');
      print('[0m\r\n\u001b]0;title\u0007 10%\r 50%\r100%\n');
      return 3;
    });
    assert.match(await answer(shell, { command: 'npm test' }), /^Exit code 3 after [\d.]+ s\.\nred\n100%$/);
  });

  it('F31 X12 what a command made that others obey is told to the model, and goes to the card by itself', async () => {
    const appeared = ['AGENTS.md', ...Array.from({ length: 12 }, (_, at) => `sub${at}/.git`)];
    const shell: Shell = {
      name: () => 'bash',
      run: async (_command, listener) => {
        listener.started();
        return { exitCode: 0, via: 'sandbox', appeared };
      },
    };
    const output = await (await plan(shell, { command: 'make' })).run();
    assert.deepEqual(output.appeared, appeared);
    assert.match(output.forModel, /\nThe user is told of what is new .*: AGENTS\.md, sub0\/\.git, .*, \+3$/);
    assert.doesNotMatch(output.forUser ?? '', /AGENTS/);
    assert.equal((await (await plan(quiet(), { command: 'make' })).run()).appeared, undefined);
  });

  it('F16 F31 ends with the files that it changed, for the model, whatever it printed', async () => {
    const root = path.join(temp.path, 'changed');
    await writeFiles(temp.path, { 'changed/a.txt': 'a', 'changed/sub/b.txt': 'b', 'changed/c.txt': 'c' });
    const { workspace, files } = openFolders({ ws: root });
    const reviewed: string[] = [];
    const watch: CommandJournal['watch'] =
      () =>
      async (changes, { callId }) => {
        assert.equal(callId, toolContext().callId);
        reviewed.push(
          changes
            .map(([{ path: relative }]) => relative)
            .sort()
            .join(' '),
        );
      };
    const journal: CommandJournal = { ...noJournal, watch };
    const snapshots = createCommandSnapshots({ workspace, files, dir: path.join(temp.path, 'copies') });
    const sandbox = { mode: () => 'on' as const, choose: async () => undefined, unusable: async () => undefined };
    let change = async () => {};
    const shell = fakeShell(async () => {
      await change();
      return 0;
    });
    const tool = runCommand.create({
      ...{ workspace, files, shell, clock: systemClock, sandbox },
      undo: { snapshots, journalOf: () => journal },
    });
    const told = async () => (await (await tool.plan({ command: 'make' }, toolContext())).run()).forModel;
    assert.match(await told(), /^Exit code 0 .*\n\[no output\]$/);
    change = async () => {
      await writeFiles(root, { 'a.txt': 'A', 'sub/n.txt': 'n' });
      await rm(path.join(root, 'sub/b.txt'));
    };
    assert.match(await told(), /\nFiles changed: a\.txt, sub\/b\.txt \(gone\), sub\/n\.txt \(new\)$/);
    change = () => writeFiles(root, Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`many/${at}`, ''])));
    assert.match(await told(), /\nFiles changed: many\/0 \(new\), .*, \+20$/);
    assert.deepEqual(reviewed.slice(0, 2), ['', 'a.txt sub/b.txt sub/n.txt']);
    const outside = { ...sandbox, mode: () => 'off' as const };
    change = () => writeFiles(root, { 'c.txt': 'C' });
    const unwalled = runCommand.create({
      ...{ workspace, files, shell, clock: systemClock, sandbox: outside },
      undo: { snapshots, journalOf: () => journal },
    });
    const output = await (await unwalled.plan({ command: 'make' }, toolContext())).run();
    assert.match(output.forModel, /\nFiles changed: c\.txt$/);
  });

  describe('F31 git’s data, when the sandbox kept it from a command', () => {
    const repository = '/ws/.git';
    const open = (answer: string | undefined) => {
      const answers = new Map<string, boolean>();
      const asked: { text: string; command?: string | undefined; options: readonly string[] }[] = [];
      let runs = 0;
      const shell: Shell = {
        name: () => 'bash',
        async run(_command, listener) {
          listener.started();
          runs++;
          return answers.get(repository)
            ? { exitCode: 0, via: 'sandbox' }
            : {
                ...{ exitCode: 128, via: 'sandbox' },
                blocked: [{ kind: 'write', path: '.git/index.lock', grant: { kind: 'git', place: repository } }],
              };
        },
      };
      const placeOf = (grant: Grant) => ('place' in grant ? grant.place : '');
      const grants = {
        granted: (_conversation: string, grant: Grant) => answers.get(placeOf(grant)),
        grant: (_conversation: string, grant: Grant, isAllowed: boolean) => void answers.set(placeOf(grant), isAllowed),
      };
      const sandbox = { mode: () => 'on' as const, choose: async () => undefined, unusable: async () => undefined };
      const { workspace, files } = openFolders({ ws: path.join(temp.path, 'ws') });
      const tool = runCommand.create({ workspace, files, shell, clock: systemClock, sandbox, grants });
      const context = toolContext({
        async ask(question) {
          asked.push(question);
          return answer;
        },
      });
      const run = async () => (await tool.plan({ command: 'git commit -m x' }, context)).run();
      return { run, asked, runs: () => runs };
    };

    it('exactly that is asked about, and the line runs again once it is allowed', async () => {
      const { run, asked, runs } = open('Allow and Run Again');
      const output = await run();
      assert.match(output.forModel, /^Exit code 0 /);
      assert.equal(output.state, undefined);
      const [question] = asked;
      assert.match(
        question?.text ?? '',
        /^Blocked: `write \.git\/index\.lock`\. Let commands of this conversation write /,
      );
      assert.deepEqual(question?.options, ['Allow and Run Again', "Don't Allow"]);
      assert.equal(question?.command, 'git commit -m x');
      assert.deepEqual(output.decided, [{ word: 'allowed', what: 'Git data' }]);
      await run();
      assert.deepEqual([asked.length, runs()], [1, 3]);
    });

    it('a refusal holds for the conversation, and nothing runs again', async () => {
      const { run, asked, runs } = open("Don't Allow");
      assert.match((await run()).forModel, /^Exit code 128 .*\nBlocked by the sandbox: write .*\nThe user refused/s);
      const denied = [{ word: 'denied', what: 'Git data' }];
      assert.deepEqual((await run()).decided, denied, 'a later command of the conversation is kept from it as well');
      assert.deepEqual([asked.length, runs()], [1, 2]);
    });

    it('a file that the user uncovers is for this one run, and what only looks around is no reason to ask', async () => {
      const grant: Grant = { kind: 'file', place: '/ws/.env.local' };
      const asked: string[] = [];
      const granted: Grant[] = [];
      const shell: Shell = {
        name: () => 'bash',
        async run({ sandbox: inside }, listener) {
          listener.started();
          if (inside?.uncovered?.includes(grant.place)) return { exitCode: 0, via: 'sandbox' };
          return { exitCode: 0, via: 'sandbox', blocked: [{ kind: 'read', path: '.env.local', grant }] };
        },
      };
      const grants = { granted: () => undefined, grant: (_: string, each: Grant) => void granted.push(each) };
      const sandbox = { mode: () => 'on' as const, choose: async () => undefined, unusable: async () => undefined };
      const { workspace, files } = openFolders({ ws: path.join(temp.path, 'ws') });
      const tool = runCommand.create({ workspace, files, shell, clock: systemClock, sandbox, grants });
      const context = toolContext({
        async ask({ text }) {
          asked.push(text);
          return 'Allow and Run Again';
        },
      });
      for (const line of ['node app.js 2>&1 | tail -1', 'node app.js', 'grep -r x .']) {
        await (await tool.plan({ command: line }, context)).run();
      }
      const text =
        'Blocked: `read .env.local`. Let this command read and change `.env.local`? What it reads may be sent to hosts that you allowed. The command is run again.';
      assert.deepEqual(asked, [text, text]);
      assert.deepEqual(granted, [grant, grant]);
    });

    it('without an answer nothing is kept of it', async () => {
      const { run, asked, runs } = open(undefined);
      await run();
      await run();
      assert.deepEqual([asked.length, runs()], [2, 2]);
    });
  });

  it('F31 the time limit stands still while the user is asked, for two minutes', async () => {
    const clock = createFakeClock();
    const answer = Promise.withResolvers<string | undefined>();
    let report: unknown;
    const shell: Shell = {
      name: () => 'bash',
      async run(_command, listener, signal) {
        listener.started();
        void listener.ask?.({ kind: 'hosts', hosts: ['a.org:443'] }, signal).then((said) => {
          report = said;
        });
        await untilAborted(signal);
        return { via: 'sandbox' };
      },
    };
    const planned = await plan(shell, { command: 'npm ci', timeoutSeconds: 10 }, { ask: () => answer.promise }, clock);
    const running = planned.run();
    while (clock.timers() < 1) await settle();
    await clock.advance(100_000);
    answer.resolve('Allow for This Conversation');
    await settle();
    assert.equal(report, 'allow');
    await clock.advance(9_000);
    assert.equal(await Promise.race([running.then(() => 'over'), settle().then(() => 'running')]), 'running');
    await clock.advance(1_000);
    assert.match((await running).forModel, /^Timed out after 10 s/);
  });

  it('F31 what the sandbox blocked is told after exit code 0 as well, and how to ask for it', async () => {
    const shell = (...blocked: Blocked[]): Shell => ({
      name: () => 'bash',
      run: async (_command, listener) => {
        listener.started();
        return { exitCode: 0, via: 'sandbox', blocked };
      },
    });
    const report = async (...blocked: Blocked[]) => (await plan(shell(...blocked), { command: 'make' })).run();
    const host: Blocked = { kind: 'network', host: 'registry.example.org', port: 443 };
    const { forModel, forUser } = await report(host);
    assert.match(forModel, /Blocked by the sandbox: registry\.example\.org:443\..* lift "network"/);
    assert.match(forUser ?? '', /Blocked: registry\.example\.org:443$/);
    const table: [Blocked, string][] = [
      [host, 'blocked registry.example.org'],
      [{ ...host, refused: true }, 'denied registry.example.org'],
      [{ kind: 'read', path: '.env' }, 'blocked .env'],
      [{ kind: 'port', port: 5432 }, 'blocked 127.0.0.1:5432'],
      [{ kind: 'registry' }, 'blocked package registry'],
    ];
    for (const [each, row] of table) {
      assert.deepEqual(
        (await report(each)).decided?.map(({ word, what }) => `${word} ${what}`),
        [row],
      );
    }
    assert.match((await report(host, { kind: 'write', path: '.git/index.lock' })).forModel, /lift "outside_sandbox"/);
  });

  it('F30 tells the user of the end in their language, and the model in English', async () => {
    l10n.config({
      contents: {
        'Exit code {0} after {1} s.': 'Ende mit {0} nach {1} s.',
        '[no output]': '[keine Ausgabe]',
      },
    });
    try {
      const { forModel, forUser } = await (await plan(quiet(), { command: 'true', cwd: 'pkg' })).run();
      assert.match(forModel, /^Exit code 0 after [\d.]+ s in pkg\.\n\[no output\]$/);
      assert.match(forUser ?? '', /^Ende mit 0 nach [\d.]+ s\.\n\[keine Ausgabe\]$/);
    } finally {
      l10n.config({ contents: {} });
    }
  });

  it('F15 stores one text where the user and the model read the same', async () => {
    const { forUser } = await (await plan(quiet(), { command: 'true' })).run();
    assert.equal(forUser, undefined);
  });

  it('ux 2.8 only a command that succeeded looks as if it had', async () => {
    const ended = async (exitCode: number | undefined) =>
      (
        await (
          await plan(
            fakeShell(async () => exitCode),
            { command: 'npm test' },
          )
        ).run()
      ).state;
    assert.equal(await ended(0), undefined);
    assert.equal(await ended(1), 'failed');
    assert.equal(await ended(undefined), undefined);
  });

  it('H15 keeps the beginning and the end of long output and says how much is missing', async () => {
    const shell = fakeShell(async (print) => {
      for (let line = 1; line <= 20_000; line++) print(`line ${line}\n`);
      return 1;
    });
    const text = await answer(shell, { command: 'npm test' });
    assert.match(text, /\nline 1\n/);
    assert.match(text, /\nline 20000$/);
    assert.match(text, /\n\[… lines \d+–\d+ left out \(\d+ characters\) …\]\nline \d+\n/);
    assert.ok(text.length < 13_000, `${text.length}`);
  });

  it('H15 the middle of long output is in a file that read_file reads, and its errors are counted', async () => {
    const outputs = createOutputs((turnId) => path.join(temp.path, 'outputs', turnId));
    const shell = fakeShell(async (print) => {
      for (let line = 1; line <= 3000; line++) print(line % 1000 === 500 ? `error in ${line}\n` : `line ${line}\n`);
      return 1;
    });
    const open = openFolders({ ws: path.join(temp.path, 'ws') });
    const run = runCommand.create({ ...open, shell, clock: systemClock, outputs });
    const context = toolContext({ turnId: 't1', callId: 'c7' });
    const { forModel } = await (await run.plan({ command: 'make' }, context)).run();
    const [, first, last] =
      /\[… lines (\d+)–(\d+) left out \(\d+ characters\); 2 of them with errors; read_file command-output\/c7\.txt has them …\]/.exec(
        forModel,
      ) ?? [];
    const read = readFile.create({ ...open, outputs } as never);
    const asked = { path: 'command-output/c7.txt', startLine: Number(first), endLine: Number(last) };
    const middle = await (await read.plan(asked, context)).run();
    assert.match(middle.forModel, new RegExp(`\\n${first}\\tline ${first}\\n`));
    assert.match(forModel, new RegExp(`\\n(?:line|error in) ${Number(last) + 1}\\n`));
    assert.match(forModel, new RegExp(`line ${Number(first) - 1}\\n\\[`));
    const other = toolContext({ turnId: 't2', callId: 'c7' });
    const elsewhere = await read.plan(asked, other);
    await assert.rejects(elsewhere.run(), /There is no file command-output\/c7\.txt/);
    await assert.rejects(read.plan({ path: 'command-output/../c7.txt' }, context).then((plan) => plan.run()));
  });

  it('H15 of a conversation the newest outputs are kept', async () => {
    const folder = path.join(temp.path, 'many');
    const outputs = createOutputs(() => folder);
    for (let call = 1; call <= 45; call++) await outputs.keep({ turnId: 't', callId: `c${call}` }, 'text');
    const kept = await readdir(folder);
    assert.equal(kept.length, 40);
    assert.ok(kept.includes('c45.txt') && kept.includes('c6.txt') && !kept.includes('c5.txt'));
  });

  it('P2 100 MB of output cost little', async function () {
    this.timeout(60_000);
    const chunk = `${'a line of a program that prints without end\n'.repeat(1500)}`;
    const shell = fakeShell(async (print) => {
      for (let bytes = 0; bytes < 100e6; bytes += chunk.length) print(chunk);
      return 0;
    });
    const planned = await plan(shell, { command: 'yes' });
    assert.ok((await cpuMs(() => planned.run())) < 3000);
  });

  for (const [result, line, report] of [
    [{ pipe: [1, 0] }, 'npm test | tail -5', ' Parts of the pipe: 1, 0.'],
    [{ pipe: [141, 0] }, 'yes | head -1', ''],
    [{}, 'npm test | tail -5', ' That is the last part of the pipe; the others are not known.'],
    [{}, "grep -E 'a|b' c || true", ''],
  ] as const) {
    it(`F15 of ${line} that ${JSON.stringify(result)} the first line says "${report}"`, async () => {
      const shell: Shell = {
        name: () => 'bash',
        async run(_command, listener) {
          listener.started();
          return { exitCode: 0, via: 'terminal', ...result };
        },
      };
      const [first = ''] = (await answer(shell, { command: line })).split('\n');
      assert.equal(first.replace(/^Exit code 0 after \S+ s\./, ''), report);
    });
  }

  for (const line of ['npm start &', 'nohup npm start > log 2>&1 & echo $!', 'server 2>&1 &\n']) {
    it(`F32 ${JSON.stringify(line)} is offered as a process in the background`, async () => {
      const { workspace, files } = openFolders({ ws: path.join(temp.path, 'ws') });
      const deps = { workspace, files, shell: quiet(), clock: systemClock, processes: {} as Processes };
      await assert.rejects(runCommand.create(deps).plan({ command: line }, toolContext({})), /background: true/);
    });
  }

  it('F15 a line that only looks so is run', async () => {
    const shell = quiet();
    for (const command of ['make 2>&1', 'a && b', 'echo "a &"', 'server & sleep 1; curl localhost']) {
      const { workspace, files } = openFolders({ ws: path.join(temp.path, 'ws') });
      const deps = { workspace, files, shell, clock: systemClock, processes: {} as Processes };
      await (await runCommand.create(deps).plan({ command }, toolContext({}))).run();
    }
    assert.equal(shell.runs.length, 4);
  });

  it('X27 the folder is inside the workspace, whatever the model and the links say', async () => {
    for (const cwd of ['..', '/', '/tmp', 'out', '~', '../outside', 'pkg/../../outside', '.git']) {
      await assert.rejects(plan(quiet(), { command: 'ls', cwd }), /outside the workspace|git's own data/, cwd);
    }
    await assert.rejects(plan(quiet(), { command: 'ls', cwd: 'file.txt' }), /no folder file\.txt/);
    await assert.rejects(plan(quiet(), { command: 'ls', cwd: 'nope' }), /no folder nope/);
  });

  it('X06 does not run when the folder became another one between asking and running', async () => {
    const shell = quiet();
    const target = path.join(temp.path, 'ws/swap');
    await mkdir(target);
    const planned = await plan(shell, { command: 'ls', cwd: 'swap' });
    await rename(target, `${target}-old`);
    await symlink(path.join(temp.path, 'ws/pkg'), target);
    await assert.rejects(planned.run(), /changed while the user was asked/);
    await rename(target, `${target}-link`);
    await symlink(path.join(temp.path, 'outside'), target);
    await assert.rejects(planned.run(), /outside the workspace/);
    assert.deepEqual(shell.runs, []);
  });

  it('X34 nothing is asked or run in Restricted Mode, also when trust went after asking', async () => {
    const shell = quiet();
    const planned = await plan(shell, { command: 'ls' });
    trusted = false;
    await assert.rejects(planned.run(), /Restricted Mode/);
    await assert.rejects(plan(shell, { command: 'ls' }), /Restricted Mode/);
    trusted = true;
    assert.deepEqual(shell.runs, []);
  });

  it('F15 a time limit ends the command and says so, with what it printed', async () => {
    const clock = createFakeClock();
    const shell = fakeShell(async (print, signal) => {
      print('listening\n');
      await untilAborted(signal);
      return undefined;
    });
    const running = (await plan(shell, { command: 'npm start', timeoutSeconds: 5 }, {}, clock)).run();
    await begun(shell);
    await clock.advance(5000);
    const { forModel, state } = await running;
    assert.match(forModel, /^Timed out after 5 s; .*\nlistening$/);
    assert.equal(state, 'failed');
    assert.equal(clock.timers(), 0);
  });

  for (const [given, seconds] of [
    [10 ** 9, 3600],
    [120_000, 120],
  ] as const)
    it(`F15 a time limit of ${given} is brought inside of what makes sense`, async () => {
      const clock = createFakeClock();
      const shell = fakeShell(async (_print, signal) => untilAborted(signal));
      const running = (await plan(shell, { command: 'npm start', timeoutSeconds: given }, {}, clock)).run();
      await begun(shell);
      await clock.advance(seconds * 1000);
      assert.match((await running).forModel, new RegExp(`^Timed out after ${seconds} s`));
    });

  it('F15 Stop is answered within a second even when the command does not want to end', async () => {
    const clock = createFakeClock();
    const stop = new AbortController();
    const shell = fakeShell(async (print) => {
      print('busy\n');
      return new Promise<number>(() => undefined);
    });
    const running = (await plan(shell, { command: 'npm start' }, { signal: stop.signal }, clock)).run();
    await begun(shell);
    stop.abort();
    await clock.advance(999);
    const { forModel, state } = await running;
    assert.match(forModel, /^Stopped by the user after .*\nbusy$/);
    assert.equal(state, 'cancelled');
  });

  it('F15 the live tail comes in few pieces, without control characters, and complete at the end', async () => {
    const clock = createFakeClock();
    const pieces: string[] = [];
    const shell = fakeShell(async (print) => {
      for (let line = 0; line < 500; line++) print(`\u001b[2K${line}\r\n`);
      return 0;
    });
    const planned = await plan(shell, { command: 'ls' }, { output: (text) => pieces.push(text) }, clock);
    await planned.run();
    assert.equal(pieces.length, 1);
    assert.equal(pieces.join(''), `${Array.from({ length: 500 }, (_, line) => `${line}\n`).join('')}`.slice(-4000));
  });

  it('F15 starts on a mapped drive as it was opened: cmd refuses the share that it leads to', () => {
    const [share, drive] = ['\\\\server\\share\\project', 'Z:\\project'];
    assert.equal(startFolder({ real: share, opened: drive }), drive);
    assert.equal(startFolder({ real: share, opened: share }), share);
    assert.equal(startFolder({ real: 'C:\\project', opened: 'C:\\link' }), 'C:\\project');
  });
});
