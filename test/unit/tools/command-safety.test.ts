import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createConsent, rememberedAs } from '../../../src/agent/consent.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { judgeCommand, mayEndShell, needsPlainShell } from '../../../src/tools/command/command-safety.ts';
import type { Shell } from '../../../src/tools/command/shell.ts';
import { runCommand } from '../../../src/tools/run-command.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { allowed, bypasses } from './hostile-commands.ts';
import { openFolders } from './workspace.ts';

describe('command safety', () => {
  it('X27 none of the lines that get past allow-lists runs unasked or counts as one that was allowed', async () => {
    assert.ok(bypasses.length >= 40, `${bypasses.length}`);
    await withTempDir(async (folder) => {
      let runs = 0;
      const shell: Shell = {
        name: () => 'bash',
        run: async () => {
          runs++;
          return { exitCode: 0, via: 'process' };
        },
      };
      const tool = runCommand.create({ ...openFolders({ ws: folder }), shell, clock: systemClock });
      const remembered = new Set(allowed.map((line) => JSON.stringify([line, folder])));
      const consent = createConsent({
        always: { isAllowed: (text) => remembered.has(text), remember: () => undefined },
      });
      for (const command of allowed) {
        const { approval } = await tool.plan({ command }, toolContext());
        assert.ok(approval !== undefined && consent.covers(approval), command);
      }
      for (const command of bypasses) {
        const plan = await tool.plan({ command }, toolContext()).catch((error: unknown) => {
          assert.match(String(error), /cannot be seen/, command);
          return undefined;
        });
        if (plan === undefined) continue;
        assert.equal(plan.approval?.subject.kind, 'command', command);
        assert.ok(!consent.covers(plan.approval), command);
      }
      assert.equal(runs, 0);
    });
  });

  it('X27 the remembered text is the same only for the same line and the same folder, byte for byte', () => {
    const text = fc.string({ unit: 'binary', maxLength: 8 });
    const remembered = (command: string, cwd: string) => rememberedAs({ kind: 'command', command, cwd, shell: 'sh' });
    fc.assert(
      fc.property(text, text, text, text, (line, folder, otherLine, otherFolder) => {
        const same = line === otherLine && folder === otherFolder;
        assert.equal(remembered(line, folder) === remembered(otherLine, otherFolder), same);
      }),
    );
    assert.notEqual(remembered('a","b', 'c'), remembered('a', 'b","c'));
  });

  it('X27 deletions, other rights, publishing, several lines and lines with blanks to fill are asked about every time', () => {
    const dangerous = [
      'sudo ls',
      'cd x && sudo -n true',
      'rm x',
      'ls; rm -rf .',
      '/bin/rm x',
      "r''m x",
      'git push',
      'git -C x push --force',
      'git clean -fdx',
      'ls\nls',
      'echo $(date)',
      'echo `date`',
      'echo $HOME',
      'eval ls',
      '. ./x.sh',
      'cat x | sh',
      'cat x | python3 -',
      'curl example.org',
      'find . -delete',
    ];
    for (const line of dangerous) assert.equal(judgeCommand(line).mayBeRemembered, false, line);
    const plain = [
      'npm test',
      'docker run --rm image',
      'git status',
      'find . -name x',
      'npx tsc -p . --noEmit',
      'pytest -k "a or b"',
    ];
    for (const line of plain)
      assert.deepEqual(judgeCommand(line), { warnings: [], deletes: false, mayBeRemembered: true }, line);
  });

  it('X25 a line that cannot be shown as what it is is refused', () => {
    for (const line of [
      '',
      '  ',
      'ls\u0000',
      'ls\rrm x',
      'ls\u00a0x',
      'ls\u202e',
      'l\u{e0041}s',
      'ls\ud800',
      'x'.repeat(10_001),
    ]) {
      assert.ok(judgeCommand(line).refusal !== undefined, JSON.stringify(line));
    }
    for (const line of ['echo ä 日本 👩‍💻', 'a\tb', 'a\nb']) assert.equal(judgeCommand(line).refusal, undefined, line);
  });

  it('F15 what an interactive shell would read otherwise is given to a plain one', () => {
    for (const line of [
      'echo hi!',
      'echo !!',
      'a\nb',
      'a\tb',
      'echo \\',
      'echo "x',
      "it's",
      '(ls',
      'a # b',
      'if true; then {',
      'cat <<EOF',
      '^a^b',
      'ls &',
      'ls &&',
      'ls |',
      '&& ls',
      'ls > ',
      'if true',
      'fc',
      'echo a; history',
      '%1',
      'X=1 fg',
      'while true',
      '(cd a && ls)',
      'echo $(ls)',
      'echo "$x"',
      'diff <(ls) a',
      'echo {a,b}',
      "echo $'a'",
      'f() ls',
      '[[ a',
      'coproc ls',
      "2>&1 'b c'",
      '2>&1 fc a',
      '> a fc b',
      '',
    ]) {
      assert.ok(needsPlainShell(line), line);
    }
    for (const line of [
      'npm test',
      'grep -n "a b" src',
      "echo 'x' | wc -l",
      'cd a && make -j2',
      'ls > a.txt 2>&1',
      'X=1 npm test',
      'echo $HOME',
      'ls src/*.ts',
      'exit 3',
    ]) {
      assert.ok(!needsPlainShell(line), line);
    }
  });

  it('X44 a name that is quoted, or that only the shell makes, goes to a plain shell', () => {
    for (const line of ['$x history', '$x', '"history"', "'fc' -l", 'h?story', '*', 'x=1 $y', 'true; "fc"', '~/a']) {
      assert.ok(needsPlainShell(line), line);
    }
    for (const line of ['npm test', "./a.sh 'b' $x", 'x=1 make all', 'g++ -o a a.cc && ./a']) {
      assert.ok(!needsPlainShell(line), line);
    }
  });

  it('X43 X44 what takes the place of the shell, or changes its prompt, goes to a plain shell', () => {
    for (const line of [
      ...['exec ./a.sh', 'cd a && exec make', 'A=1 exec make', 'PROMPT_COMMAND=./a.sh', "PS1='$(./a.sh)'", 'A=1 B=2'],
      ...['true; PS0=x; true', 'export PROMPT_COMMAND=./a.sh', 'declare PS1=x', 'set -o vi', 'shopt -s autocd'],
      ...['printf -v PS1 x', 'TMOUT=1 || true', 'emulate sh', 'setopt promptsubst', 'unset PATH', 'let PS1=1'],
    ]) {
      assert.ok(needsPlainShell(line), line);
    }
    for (const line of [
      'A=1 make',
      'printf "%s" -v',
      'npm exec a',
      'echo export',
      'git config set a',
      'exit 3',
      'cd a; ls',
    ]) {
      assert.ok(!needsPlainShell(line), line);
    }
  });

  it('X44 a line for the terminal means in an interactive shell what it means as an argument', async function () {
    if (process.platform === 'win32') this.skip();
    const part = fc.constantFrom(
      ...[
        'echo',
        'a',
        "'b c'",
        '"d e"',
        '&&',
        '||',
        '|',
        ';',
        '!',
        '!!',
        '^a^b',
        '<<E',
        '#',
        '$(',
        ')',
        '(',
        '{',
        '}',
        'if',
        'true',
        'then',
        'fi',
        '\\',
        '"',
        "'",
        '`',
        '&',
        'x=1',
        '$x',
        'fc',
        'history',
        'time',
        '%1',
        'fg',
        'jobs',
        'for',
        'do',
        'done',
        '[[',
        ']]',
        'case',
        'esac',
        '>',
        '2>&1',
        '/dev/null',
        '<',
        '~',
        '*',
        '?',
        'while',
        'alias',
        '!a',
        '=a',
        'until',
        'function',
        '!$',
        '-n',
        'echo a',
        '"fc"',
        "'history'",
        'h?story',
        '$x$y',
      ],
    );
    const line = fc.array(part, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
    let compared = 0;
    await withTempDir(async (cwd) => {
      const run = (args: string[], input: string) =>
        spawnSync('bash', ['--norc', '--noprofile', ...args], {
          cwd,
          input,
          encoding: 'utf8',
          env: { PATH: process.env.PATH, HOME: cwd, HISTFILE: '' },
        }).stdout.replace(/^bash: line \d+: /gm, 'bash: ');
      fc.assert(
        fc.property(line, (command) => {
          fc.pre(!needsPlainShell(command));
          compared++;
          const expected = `${run(['-c', command], '')}end of test\n`;
          assert.equal(run(['-i'], `: before a\n${command}\necho end of test\n`), expected, command);
        }),
        { numRuns: 150, maxSkipsPerRun: 500 },
      );
    });
    assert.ok(compared >= 150);
  });

  it('F15 tells what may end the shell it is typed into', () => {
    for (const line of [
      'exit 5',
      'make; exit 1',
      'cd a && (exit 7)',
      'exec make',
      'set -e; make',
      'set -xe',
      'a|| exit',
    ]) {
      assert.ok(mayEndShell(line), line);
    }
    for (const line of ['ls', 'echo --exit', 'set -x', 'docker-exec a', 'node on-exit.js', 'exits']) {
      assert.ok(!mayEndShell(line), line);
    }
  });
});
