import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { drawnLines, markOfLine } from './editor-colors.ts';
import { askFor, edit } from './scripted-calls.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

/** A file in each, by the language of its name: a line that UTF-8 would not read, and another that is edited. */
const encoded = {
  'cyrillic.txt': { encoding: 'windows1251', bytes: Buffer.from([0xcf, 0xf0, 0xe8, 0x0a]), line: 'edit me' },
  'kana.bat': { encoding: 'shiftjis', bytes: Buffer.from([0x83, 0x5c, 0x83, 0x5c, 0x0a]), line: 'edit me' },
  'german.ini': { encoding: 'iso88591', bytes: Buffer.from([0x47, 0x72, 0xfc, 0xdf, 0x65, 0x0a]), line: 'edit me' },
  'chinese.sql': {
    encoding: 'gb18030',
    bytes: Buffer.from([0x81, 0x30, 0x84, 0x36, 0xd6, 0xd0, 0x0a]),
    line: 'edit me',
  },
  'marked.css': { encoding: 'utf16le', bytes: Buffer.from('\ufeffä\n', 'utf16le'), line: 'edit me' },
};
const bytesOf = ({ bytes, line, encoding }: (typeof encoded)[keyof typeof encoded]) =>
  Buffer.concat([bytes, Buffer.from(`${line}\n`, encoding === 'utf16le' ? 'utf16le' : 'latin1'), bytes]);

/** By the class that the window has then. */
const looks = {
  'vs-dark': 'Default Dark Modern',
  vs: 'Default Light Modern',
  'hc-black': 'Default High Contrast',
  'hc-light': 'Default High Contrast Light',
};

/** As programs write one; VS Code would give it another layout and order. */
const notebook = JSON.stringify({
  nbformat: 4,
  nbformat_minor: 4,
  metadata: { language_info: { name: 'python' } },
  cells: ['rate = 1\nprint(rate)', 'total = 2'].map((source) => ({
    cell_type: 'code',
    source: source.split(/(?<=\n)/),
    metadata: {},
    outputs: [],
    execution_count: null,
  })),
});

const numbered = (count: number) => `${Array.from({ length: count }, (_, at) => `line ${at + 1}`).join('\n')}\n`;

describe('the review of edits', () => {
  const session = useSession({
    viewport: { width: 1400, height: 900 },
    settings: {
      'files.autoSave': 'off',
      'svc.edits.mode': 'apply',
      'editor.occurrencesHighlight': 'off',
      '[plaintext]': { 'files.encoding': 'windows1251' },
      '[bat]': { 'files.encoding': 'shiftjis' },
      '[ini]': { 'files.encoding': 'iso88591' },
      '[sql]': { 'files.encoding': 'gb18030' },
    },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFile(path.join(folder, 'book.ipynb'), notebook);
      for (const name of ['colours.txt', 'looks.txt', 'shared.txt', 'many.txt', 'moved.txt']) {
        await writeFile(path.join(folder, name), numbered(30));
      }
      for (const [name, file] of Object.entries(encoded)) await writeFile(path.join(folder, name), bytesOf(file));
    },
  });
  const chat = useChat(session);
  const onDisk = (file: string) => readFile(path.join(session().folder, file), 'utf8');
  const marks = async () =>
    (await drawnLines(session().window.page)).flatMap(({ text, mark }) => (mark ? [`${mark}: ${text}`] : []));
  const marksAre = (expected: readonly string[]) => {
    let found: readonly string[] = [];
    return waitFor(
      'the colours to lie on the changed lines',
      async () => {
        found = await marks();
        return JSON.stringify(found) === JSON.stringify(expected);
      },
      { timeoutMs: 20_000 },
    ).catch((error: unknown) => {
      assert.deepEqual(found, expected, String(error));
    });
  };
  const changes = () => chat().frame.getByRole('region', { name: 'Changes' });

  it('F14 colours lie on inserted, changed and removed lines, and move with what is typed', async function () {
    this.timeout(180_000);
    const { window } = session();
    await window.openFile('colours.txt');
    await askFor(session(), chat(), [
      [
        edit('colours.txt', 'line 3\nline 4\nline 5', 'THREE\nthree and a half\nFOUR\nFIVE\nfive and more'),
        edit('colours.txt', 'line 20\nline 21\n', ''),
      ],
      [edit('colours.txt', 'line 12', 'line 12\nnew a\nnew b')],
    ]);
    const added = ['THREE', 'three and a half', 'FOUR', 'FIVE', 'five and more', 'new a', 'new b'];
    const expected = [...added.map((line) => `added: ${line}`), 'removed above: line 22'];
    await marksAre(expected);
    await window.screenshot('review-colours');

    const editor = window.page.locator('.editor-group-container.active .monaco-editor');
    const lineOf = (text: string) => editor.locator('.view-line').filter({ hasText: text });
    await lineOf('line 2').first().click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type('\nmine, directly above');
    await lineOf('line 19').click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type(' and mine');
    await marksAre(expected);

    const removed = window.page.locator('.monaco-hover:visible').filter({ hasText: 'Before:' });
    // The lenses follow what is typed a moment later.
    await waitFor('the lines that were removed', async () => {
      if ((await removed.count()) === 0)
        await editor.locator('.codelens-decoration').getByText('3 lines removed').click();
      return (await removed.getByText('line 4').count()) > 0;
    });
    await window.screenshot('review-removed-lines');
    assert.equal(await window.page.locator('.peekview-widget').count(), 0);
    await window.page.keyboard.press('Escape');
    await removed.waitFor({ state: 'hidden' });
    await editor.locator('.codelens-decoration').getByText('1 of 3').click();
    await window.page.locator('.statusbar').getByText('Ln 16,').waitFor();

    await changes().getByRole('button', { name: 'Undo All' }).click();
    await changes().waitFor({ state: 'hidden' });
    await marksAre([]);
    await editor.click();
    await window.page.keyboard.press('Control+S');
    const typed = numbered(30)
      .replace('line 2\n', 'line 2\nmine, directly above\n')
      .replace('line 19', 'line 19 and mine');
    await waitFor('what the user typed alone on the disk', async () => (await onDisk('colours.txt')) === typed);
    const answer = await chat().finishedAnswer();
    assert.equal(await answer.getByText('Undone', { exact: true }).count(), 3);
  });

  it('F14 changed and removed lines have a mark in every look', async function () {
    this.timeout(180_000);
    const { window, folder } = session();
    await window.openFile('looks.txt');
    await askFor(session(), chat(), [
      [edit('looks.txt', 'line 3\nline 4', 'THREE\nline 4'), edit('looks.txt', 'line 9\n', '')],
    ]);
    await marksAre(['added: THREE', 'removed above: line 10']);
    await mkdir(path.join(folder, '.vscode'), { recursive: true });
    for (const [look, theme] of Object.entries(looks)) {
      const settings = path.join(folder, '.vscode/settings.json');
      await writeFile(settings, JSON.stringify({ 'workbench.colorTheme': theme }));
      await window.page.locator(`.monaco-workbench.${look}`).waitFor();
      const found = async () => [await markOfLine(window.page, 'THREE'), await markOfLine(window.page, 'line 10')];
      const expected = [
        { borders: ['left'], isInMargin: true },
        { borders: ['top'], isInMargin: true },
      ];
      await waitFor(
        `the marks in ${theme}`,
        async () => JSON.stringify(await found()) === JSON.stringify(expected),
      ).catch(async () => assert.deepEqual(await found(), expected, theme));
      await window.screenshot(`review-${look}`);
    }
    await writeFile(path.join(folder, '.vscode/settings.json'), '{}');
    await changes().getByRole('button', { name: 'Keep All' }).click();
    await changes().waitFor({ state: 'hidden' });
  });

  it('F14 F17 many files stand in one diff, with Keep and Undo there; the transcript says what became of each', async function () {
    this.timeout(180_000);
    const { window } = session();
    await askFor(session(), chat(), [
      [edit('many.txt', 'line 2\nline 3', 'TWO\nline 3'), edit('many.txt', 'line 9\n', '')],
      [edit('src/discounts.ts', '  STAFF: 25,', '  STAFF: 30,\n  GUEST: 5,')],
    ]);
    await changes().getByRole('button', { name: 'Review' }).click();
    const entries = window.page.locator('.multiDiffEntry');
    const inEntry = (text: string) =>
      entries.locator('.modified-in-monaco-diff-editor .view-line').filter({ hasText: text }).first();
    await inEntry('GUEST: 5').waitFor();
    assert.deepEqual(await marks(), [], 'the diff has colours of its own');
    await window.screenshot('review-many-files');
    await inEntry('GUEST: 5').click();
    await window.runCommand('svc.keepFileEdits');
    await changes().getByText('1 file').waitFor();
    await inEntry('TWO').click();
    await window.runCommand('svc.undoEdit');
    await waitFor('the first hunk to be undone', async () => (await onDisk('many.txt')).startsWith('line 1\nline 2\n'));
    await inEntry('line 10').click();
    await window.runCommand('svc.keepEdit');
    await changes().waitFor({ state: 'hidden' });
    assert.equal(await onDisk('many.txt'), numbered(30).replace('line 9\n', ''));
    assert.match(await onDisk('src/discounts.ts'), /GUEST: 5/);
    const answer = await chat().finishedAnswer();
    const states = answer.locator('.tool-state');
    await waitFor('what became of the edits', async () => {
      const texts = await states.allInnerTexts();
      return JSON.stringify(texts.map((text) => text.trim())) === JSON.stringify(['Undone', 'Kept', 'Kept']);
    });
  });

  it('U19 two chats edit one file, and each takes back its own', async function () {
    this.timeout(180_000);
    const { window } = session();
    const firstEdits = [edit('shared.txt', 'line 3\nline 4', 'first 3\nline 4'), edit('shared.txt', 'line 10\n', '')];
    await askFor(session(), chat(), [firstEdits], 'Edit first.');
    const first = changes().getByText('1 file');
    await first.waitFor();
    await window.runCommand('svc.newChat');
    await changes().waitFor({ state: 'hidden' });
    await askFor(session(), chat(), [
      [
        edit('shared.txt', 'line 20', 'second 20\nsecond more'),
        edit('shared.txt', 'line 4\nline 5', 'second 4\nline 5'),
      ],
    ]);
    await changes().getByText('1 file').waitFor();
    await changes()
      .getByRole('button', { name: /1 file/ })
      .click();
    await changes().getByText('Shared', { exact: true }).waitFor();
    await changes().locator('[title*="Also edited in: Edit first."]').waitFor();
    const both = await onDisk('shared.txt');
    assert.match(both, /first 3\nsecond 4\n/);
    await window.openFile('shared.txt');
    await window.page.locator('.editor-group-container.active .view-line').filter({ hasText: 'line 30' }).click();
    await window.page.keyboard.press('End');
    await window.page.keyboard.type(', mine');
    await window.page.keyboard.press('Control+S');
    await changes().getByRole('button', { name: 'Undo All' }).click();
    const mine = (text: string) => text.replace('line 30', 'line 30, mine');
    const firstOnly = mine(numbered(30).replace('line 3\n', 'first 3\n').replace('line 10\n', ''));
    await waitFor('the second chat’s edits alone to be gone', async () => (await onDisk('shared.txt')) === firstOnly);
    await changes().waitFor({ state: 'hidden' });

    await window.runCommand('svc.openConversation');
    await window.quickPick('Edit first.');
    await changes().getByText('1 file').waitFor();
    await changes().getByRole('button', { name: 'Undo All' }).click();
    await waitFor('the first chat’s edits to be gone', async () => (await onDisk('shared.txt')) === mine(numbered(30)));
  });

  it('U19 lines that are moved by keys keep their colours, and Undo All takes them back', async function () {
    this.timeout(180_000);
    const { window } = session();
    await window.openFile('moved.txt');
    await askFor(session(), chat(), [[edit('moved.txt', 'line 4\nline 5', 'FOUR\nFIVE')]]);
    await marksAre(['added: FOUR', 'added: FIVE']);
    const editor = window.page.locator('.editor-group-container.active .monaco-editor');
    const lineOf = (text: string) => editor.locator('.view-line').filter({ hasText: text }).first();
    await lineOf('FIVE').click();
    await window.page.keyboard.press('Alt+ArrowDown');
    await marksAre(['added: FOUR', 'added: FIVE']);
    await lineOf('line 3').click();
    await window.page.keyboard.press('Alt+ArrowDown');
    await marksAre(['added: FOUR', 'added: FIVE']);
    await window.screenshot('review-moved');
    await changes().getByRole('button', { name: 'Undo All' }).click();
    await changes().waitFor({ state: 'hidden' });
    await marksAre([]);
    const left = (await drawnLines(window.page)).map(({ text }) => text);
    assert.ok(!left.some((text) => /FOUR|FIVE/.test(text)), left.join());
    for (const line of [3, 4, 5, 6]) assert.ok(left.includes(`line ${line}`), left.join());
    await window.page.keyboard.press('Control+S');
  });

  it('F26 an edit of a notebook that is open counts by cell and is taken back byte for byte', async function () {
    this.timeout(180_000);
    const { window } = session();
    await window.openFile('book.ipynb');
    const cell = window.page.locator('.notebookOverlay .cell-editor-container').first();
    const says = (text: string) => cell.locator('.view-line').filter({ hasText: text }).first().waitFor();
    await says('rate = 1');
    await askFor(session(), chat(), [[edit('book.ipynb', '"rate = 1\\n"', '"rate = 3\\n"')]]);
    await says('rate = 3');
    await changes().getByText('+1').first().waitFor();
    await changes().getByText('−1').first().waitFor();
    await window.screenshot('review-notebook');
    await changes().getByRole('button', { name: 'Undo All' }).click();
    await changes().waitFor({ state: 'hidden' });
    await says('rate = 1');
    assert.equal(await onDisk('book.ipynb'), notebook);
  });

  it('F37 E12 files in five encodings are edited and taken back byte for byte', async function () {
    this.timeout(180_000);
    const names = Object.keys(encoded);
    const raw = (name: string) => readFile(path.join(session().folder, name));
    const results = await askFor(
      session(),
      chat(),
      [names.map((name) => edit(name, 'edit me', 'edited\ntwice'))],
      'Edit them all.',
    );
    assert.equal(results.filter((result) => /^Edited /.test(result)).length, names.length, results.join('\n'));
    for (const [name, file] of Object.entries(encoded)) {
      assert.deepEqual(await raw(name), bytesOf({ ...file, line: 'edited\ntwice' }), name);
    }
    await changes().getByText('5 files').waitFor();
    await changes().getByRole('button', { name: 'Undo All' }).click();
    await changes().waitFor({ state: 'hidden' });
    for (const [name, file] of Object.entries(encoded)) {
      await waitFor(`${name} as it was`, async () => (await raw(name)).equals(bytesOf(file)));
    }
  });
});
