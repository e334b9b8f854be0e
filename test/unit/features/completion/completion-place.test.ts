import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { TextDocument } from 'vscode';
import { createDocument, person, reset, Uri, workspace } from '../../../support/fake-vscode.ts';
import { makeTempDir, type TempDir } from '../../../support/temp-dir.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { openFolders, writeFiles } from '../../tools/workspace.ts';

const { createMayRead } = await importWithVscodeStub<
  typeof import('../../../../src/features/completion/vscode/completion-place.ts')
>(new URL('../../../../src/features/completion/vscode/completion-place.ts', import.meta.url));

describe('whether a completion may send a file', () => {
  let temp: TempDir;
  let mayRead: (name: string) => Promise<boolean>;

  beforeEach(async () => {
    reset();
    temp = await makeTempDir();
    const root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/.gitignore': 'build/\n*.log\n',
      'ws/src/a.ts': 'a\n',
      'ws/build/out.js': 'b\n',
      'ws/src/run.log': 'c\n',
      'ws/generated/x.ts': 'd\n',
      'ws/.env': 'TOKEN=1\n',
      'ws/keys/id_rsa': 'e\n',
      'ws/.git/config': 'f\n',
      'outside/notes.ts': 'g\n',
      'outside/.env': 'h\n',
    });
    await symlink(path.join(root, '.env'), path.join(root, 'src/settings.ts'));
    await symlink(path.join(temp.path, 'outside/notes.ts'), path.join(root, 'src/notes.ts'));
    workspace.workspaceFolders = [{ uri: Uri.file(root), name: 'ws' }];
    const check = createMayRead(openFolders({ ws: root }, { excludes: ['generated'] }));
    mayRead = (name) => check(createDocument(path.join(temp.path, name), 'x') as unknown as TextDocument);
  });
  afterEach(() => temp.remove());

  const said = () => person.messages.map(({ text }) => text);

  it('F40 a file of the workspace, and one that is not saved yet, without a question', async () => {
    assert.equal(await mayRead('ws/src/a.ts'), true);
    assert.equal(await mayRead('ws/src/new.ts'), true);
    assert.deepEqual(said(), []);
  });

  const secret = /might contain secrets, so nothing of it was sent/;
  const ignored = /Nothing of this file was sent: the project's ignore files exclude it/;
  const refused: Readonly<Record<string, RegExp>> = {
    'ws/.env': secret,
    'ws/keys/id_rsa': secret,
    'ws/.git/config': secret,
    // A harmless name that leads to one.
    'ws/src/settings.ts': secret,
    'outside/.env': secret,
    'ws/build/out.js': ignored,
    'ws/src/run.log': ignored,
    // By a setting of the editor.
    'ws/generated/x.ts': ignored,
    // The link leads out of the workspace.
    'ws/src/notes.ts': /./,
  };
  for (const [name, why] of Object.entries(refused)) {
    it(`F40 X05 never ${name}, whatever the user answers, and it is said once`, async () => {
      person.answer = ({ buttons }) => buttons[0];
      assert.equal(await mayRead(name), false);
      assert.equal(said().length, 1);
      assert.match(said()[0] ?? '', why);
      assert.deepEqual(person.messages[0]?.buttons, []);
    });
  }

  it('F40 X05 one outside the workspace only when the user says so, who is then not asked again', async () => {
    assert.equal(await mayRead('outside/notes.ts'), false);
    person.answer = () => 'Attach';
    assert.equal(await mayRead('outside/notes.ts'), true);
    assert.equal(await mayRead('outside/notes.ts'), true);
    assert.equal(said().length, 2);
    assert.match(said()[0] ?? '', /is not in this workspace/);
  });
});
