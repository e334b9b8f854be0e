import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { person, reset, Uri } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { openWorkspaceFile } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/open-from-chat.ts')
>(new URL('../../../../src/vscode/chat-panel/open-from-chat.ts', import.meta.url));

describe('what a link opens', () => {
  beforeEach(reset);

  it('F1 is a file of the workspace, with what VS Code opens it with (omnigent-ai/omnigent#4644)', async () => {
    const folders = [{ uri: Uri.file('/ws'), name: 'ws' }];
    for (const path of ['/ws/img/a.png', '/etc/passwd']) person.written.set(path, 'a');
    for (const path of ['img/a.png', '/ws/img/a.png', '/etc/passwd', '/ws/../etc/passwd'])
      await openWorkspaceFile(folders, path, undefined);
    assert.deepEqual(
      person.ran.map(([command, uri]) => [command, String(uri)]),
      [
        ['vscode.open', 'file:///ws/img/a.png'],
        ['vscode.open', 'file:///ws/img/a.png'],
      ],
    );
  });
});
