import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { kinds } from '../../../src/customizations/kinds.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { writeFiles } from '../tools/workspace.ts';
import { runScript } from './run-script.ts';

/** Situations that users of other assistants reported, in the real loop with the real tools. */
describe('reports on commands, searches and reads', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
  });
  afterEach(() => temp.remove());

  /** Returns what the model is told of each call. */
  const told = async (calls: readonly [name: string, given: object][]) => {
    const script = calls.map(([name, given], at) => ({
      toolCalls: [{ id: `x${at}`, name, arguments: JSON.stringify(given) }],
    }));
    const { outcome, results, requests } = await runScript(temp.path, [...script, { text: 'Done.' }]);
    assert.equal(outcome, 'finished');
    assert.equal(requests.length, calls.length + 1);
    return results.map(({ forModel }) => forModel);
  };
  const run = async (command: string, given: object = {}) =>
    (await told([['run_command', { command, ...given }]]))[0] ?? assert.fail();

  const commands: [source: string, says: string, command: string, given: object, answer: RegExp][] = [
    [
      'laurigates/claude-plugins#2519',
      'that the exit code of a pipe is that of its last part',
      "sh -c 'echo 3 failing; exit 1' | tail -25",
      {},
      /^Exit code 0 .* That is the last part of the pipe; the others are not known\.\n3 failing$/,
    ],
    [
      'cooneycw/claude-power-pack#864',
      'which signal ended a command that ended itself',
      "pkill -f 'no-such-program-834'",
      {},
      /^Exit code 143 \(SIGTERM\) /,
    ],
    [
      'microsoft/vscode#321444',
      'what a prompt wrote, which gets the end of its input at once',
      'echo "$DEBIAN_FRONTEND"; printf "Continue [Y/n] "; read answer; echo "got=$answer"',
      {},
      /\nnoninteractive\nContinue \[Y\/n\] got=$/,
    ],
    [
      'zed-industries/zed#32157',
      'what a command without end wrote until its time was over',
      'echo started; sleep 1000',
      { timeoutSeconds: 1 },
      /^Timed out after .*\nstarted$/,
    ],
    [
      'anthropics/claude-code#13637',
      'the last state of a progress bar alone',
      String.raw`for i in 1 2 3; do printf 'Progress: %s0%%\r' $i; done; printf 'Progress: 100%%\ndone\n'`,
      {},
      /terminal\.\nProgress: 100%\ndone$/,
    ],
    [
      'vorn-run/vorn#470',
      'lines without the codes that hide the cursor, each whole where it ends in CRLF',
      String.raw`printf '\033[?25lWorking\r\033[KDone\033[?25h\r\nnext\r\n'`,
      {},
      /terminal\.\nDone\nnext$/,
    ],
    [
      'karimknaebel/turm#19',
      'a spinner that goes back by backspaces as it was at its end',
      String.raw`printf 'a |\b/\b-\bdone\n'`,
      {},
      /terminal\.\na done$/,
    ],
    [
      'LionSR/TeXRA#3174',
      'the end of a long output, where the error is',
      'for i in $(seq 1 30000); do echo "line $i of the output"; done; echo FINAL ERROR; exit 3',
      {},
      /^Exit code 3 [\s\S]*\nline 1 of the output\n[\s\S]*\nFINAL ERROR$/,
    ],
    [
      'continuedev/continue#6510',
      'that there was no output, and the turn goes on',
      'true',
      {},
      /^Exit code 0 .*\n\[no output\]$/,
    ],
  ];
  for (const [source, says, command, given, answer] of commands) {
    it(`F15 tells ${says} (${source})`, async function () {
      if (process.platform === 'win32') this.skip();
      assert.match(await run(command, given), answer);
    });
  }

  it('F15 names what a command left running (AutoForgeAI/autoforge#197)', async function () {
    if (process.platform === 'win32') this.skip();
    const answer = await run('sleep 300 >/dev/null 2>&1 & echo "pid $!"');
    const pid = Number(/pid (\d+)\n/.exec(answer)?.[1]);
    try {
      assert.ok(answer.endsWith(`\nStill running after it: pid ${pid}. Nothing here ends it but kill.`), answer);
    } finally {
      process.kill(pid);
    }
  });

  it('F13 looks into ignored files before it says that there is no match (anthropics/claude-code#84161)', async () => {
    await writeFiles(temp.path, {
      '.gitignore': 'scripts/*\n.env\n',
      'scripts/writer.py': 'example_writer = 1\n',
      '.env': 'example_secret=1',
    });
    const answers = await told([
      ['search_text', { query: 'example_writer', path: 'scripts' }],
      ['search_text', { query: 'example_writer' }],
      ['search_text', { query: 'example_secret' }],
    ]);
    const found = 'Only ignored files match, for example:\nscripts/writer.py\n1: example_writer = 1';
    assert.deepEqual(answers, [found, found, 'No match, nor in ignored files. Binary files are not searched.']);
  });

  it('F13 searches a folder that is ignored when it is named (NousResearch/hermes-agent#30517)', async () => {
    await writeFiles(temp.path, { 'venv/.gitignore': '*\n', 'venv/lib/site-packages/p.py': 'needle = 1\n' });
    const [answer] = await told([['search_text', { query: 'needle', path: 'venv/lib/site-packages' }]]);
    assert.equal(answer, 'venv/lib/site-packages/p.py\n1: needle = 1');
  });

  it('F13 names ignored files that match when no other does (zed-industries/zed#58713)', async () => {
    await writeFiles(temp.path, { '.gitignore': '.local/\n', '.local/memory.md': 'x', 'a.ts': 'x' });
    assert.deepEqual(
      await told([
        ['find_files', { pattern: '**/*.md' }],
        ['find_files', { pattern: '*.rs' }],
      ]),
      [
        'No file matches **/*.md. Ignored files that match, for example: .local/memory.md.',
        'No file matches *.rs. Nor does an ignored file.',
      ],
    );
  });

  it('F13 names folders that match when no file does (christophevg/yoker#61)', async () => {
    await writeFiles(temp.path, { '.gitignore': '.tox/\n', '.tox/py310/a.txt': 'x', 'src/b.ts': 'x' });
    assert.deepEqual(
      await told([
        ['find_files', { pattern: '.tox*' }],
        ['find_files', { pattern: 'src' }],
      ]),
      ['No file matches .tox*. Folders that match: .tox/.', 'No file matches src. Folders that match: src/.'],
    );
  });

  it('F13 reads text whose letters stand across any border of a look at its beginning (bojieli/ai-agent-book#108)', async () => {
    const files = [511, 512, 1023, 1024, 4095, 8191, 8192, 65_535].map((length) => `${length}.md`);
    await writeFiles(
      temp.path,
      Object.fromEntries(files.map((name) => [name, `${'a'.repeat(Number.parseInt(name, 10))}文字\n`])),
    );
    for (const answer of await told(files.map((path) => ['read_file', { path }]))) {
      assert.match(answer ?? '', /^\d+\.md: 1 line\n/);
    }
    const [found = ''] = await told([['search_text', { query: '文字' }]]);
    for (const name of files) assert.ok(found.includes(`${name}\n`), name);
  });

  it('F13 reads a part far into a long file, with its own numbers (Kilo-Org/kilocode#12756)', async () => {
    await writeFiles(temp.path, { 'a.txt': Array.from({ length: 12_000 }, (_, at) => `row ${at + 1}`).join('\n') });
    const [part, past] = await told([
      ['read_file', { path: 'a.txt', offset: 11_098, limit: 2 }],
      ['read_file', { path: 'a.txt', offset: 99_999, limit: 2 }],
    ]);
    assert.match(part ?? '', /\n11098\trow 11098\n11099\trow 11099$/);
    assert.equal(past, 'a.txt has only 12000 lines.');
  });

  const applied = (header: string) => {
    const [found] =
      kinds.instructionsFiles?.read({
        place: { root: { name: 'ws', uri: 'file:///ws' }, path: '.github/instructions/a.instructions.md' },
        path: '.github/instructions/a.instructions.md',
        text: `---\n${header}\n---\nText.`,
        isUsers: false,
      }) ?? [];
    return found?.entry;
  };
  for (const [source, header] of [
    ['microsoft/vscode#249256', 'applyTo: "**/*.ts, **/*.tsx"'],
    ['PIsberg/vibetags#696', 'applyTo: "**/*.{ts,tsx},docs/**"'],
    ['microsoft/vscode-copilot-release#9476', 'applyTo: “**/*.ts,**/*.tsx”'],
  ] as const) {
    it(`F34 instructions for several patterns are for all of them (${source})`, () => {
      const entry = applied(header);
      assert.ok(entry?.when === 'touched', entry?.when);
      assert.deepEqual(
        ['a.ts', 'src/b.tsx', 'c.css'].map((path) => entry.matches(path)),
        [true, true, false],
      );
    });
  }
});
