import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { makeRepository, type Repository } from '../support/make-repository.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { type Chat, openChat } from './chat.ts';
import { askFor, call, edit } from './scripted-calls.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const files = 20_500;
const longLine = `var table="${'ab'.repeat(2_500_000)}";var pelicanFlag=1;\n`;

describe('a repository of more than 20,000 files', () => {
  let repository: Repository | undefined;
  let chat: Chat;
  const session = useSession({
    fillWorkspace: async (folder) => {
      repository = await makeRepository({ folder, files, seed: 7 });
      await writeFiles(folder, {
        'assets/table.js': longLine,
        'tools/latin1-code.py': Buffer.from('# Grüße\nname = "Jürgen"\n', 'latin1'),
      });
    },
  });
  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  it('is searched, and the answer quotes the one file that holds the fact', async () => {
    await chat.ask('What is courierCutoffSeconds?');
    const fact = `courierCutoffSeconds = ${repository?.fact.answer};`;
    await chat.frame.getByRole('article').filter({ hasText: fact }).last().waitFor({ timeout: 180_000 });
    await chat.finishedAnswer();
    await session().window.screenshot('large-repository');
  }).timeout(240_000);

  it('F13 H15 files in odd encodings and with a line of 5 MB are read, found and changed as what they are', async () => {
    const odd = repository?.odd;
    assert.ok(odd !== undefined);
    await session().window.runCommand('svc.newChat');
    await chat.frame.getByText('What are you working on?').waitFor({ timeout: 180_000 });
    const bytes = (file: string) => readFile(path.join(session().folder, file));
    const results = await askFor(session(), chat, [
      [
        call('read_file', { path: odd.utf16 }),
        call('read_file', { path: odd.latin1 }),
        call('read_file', { path: odd.bom }),
        call('read_file', { path: odd.binary }),
        call('read_file', { path: odd.unicodeName }),
        call('read_file', { path: 'assets/table.js' }),
        call('search_text', { query: 'pelicanFlag' }),
        call('search_text', { query: 'Größe' }),
        call('find_files', { pattern: '**/*bersicht*' }),
        call('read_file', { path: odd.crlf }),
        call('read_file', { path: 'tools/latin1-code.py' }),
      ],
      [edit(odd.utf16, 'Total;42', 'Total;43'), edit(odd.bom, "'first'", "'second'")],
      [edit(odd.crlf, "target = 'windows'", "target = 'linux'"), edit('assets/table.js', 'pelicanFlag=1', 'x=2')],
      [edit('tools/latin1-code.py', 'name = "J', 'surname = "J')],
    ]);
    const [utf16, latin1, bom, binary, named, long, foundLong, foundUtf16, listed] = results;
    const [editedUtf16, editedBom, editedCrlf, editedLong, editedLatin1] = results.slice(11);
    assert.match(utf16 ?? '', /Total;42[\s\S]*Größe;7/);
    assert.match(latin1 ?? '', /meldung\.ende=Auf Wiedersehen/);
    assert.match(bom ?? '', /mark = 'first'/);
    assert.match(binary ?? '', /PNG/);
    assert.match(named ?? '', /概要/);
    assert.ok(
      (long ?? '').length < 40_000 && /more characters in this line/.test(long ?? ''),
      (long ?? '').slice(-300),
    );
    assert.match(foundLong ?? '', /assets\/table\.js\n1: …/);
    assert.ok((foundLong ?? '').length < 1000);
    assert.ok((foundUtf16 ?? '').includes(odd.utf16), foundUtf16);
    assert.ok((listed ?? '').includes(odd.unicodeName), listed);
    assert.match(editedUtf16 ?? '', /^Edited/);
    assert.deepEqual(await bytes(odd.utf16), Buffer.from('\ufeffTotal;43\r\nGröße;7\r\n', 'utf16le'));
    assert.match(editedBom ?? '', /^Edited/);
    assert.equal((await bytes(odd.bom)).toString('utf8'), "\ufeffexport const mark = 'second';\n");
    assert.match(editedCrlf ?? '', /^Edited/);
    assert.equal(
      (await bytes(odd.crlf)).toString('utf8'),
      "export const target = 'linux';\r\nexport const shell = 'cmd.exe';\r\n",
    );
    assert.match(editedLong ?? '', /^Edited/);
    assert.equal((await bytes('assets/table.js')).toString(), longLine.replace('pelicanFlag=1', 'x=2'));
    assert.match(editedLatin1 ?? '', /not valid UTF-8, so an edit would damage it/);
    assert.equal((await bytes('tools/latin1-code.py')).toString('latin1'), '# Grüße\nname = "Jürgen"\n');
    await session().window.screenshot('odd-files');
  }).timeout(240_000);
});
