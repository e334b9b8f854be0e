import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ChatRequest, StreamResult } from '../../../src/service/contract.ts';
import { createSplitCommit } from '../../../src/vscode/git/split-commit.ts';
import { createWritePullRequest } from '../../../src/vscode/git/write-pull-request.ts';
import { openGit } from '../../../src/vscode/workspace/git-adapter.ts';
import { type GitRepository, gitExtension, gitRepositories } from '../../../src/vscode/workspace/git-extension.ts';
import { gitIn } from '../../support/git-in.ts';
import { paidAttempt as attempt } from '../../support/paid-attempt.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';

interface OpensRepository {
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

const opens = (api: object): api is OpensRepository => 'openRepository' in api;

/** A repository of the real Git extension, with a model that answers what the test says. */
describe('commands about the changes of a repository', () => {
  let dir: TempDir;
  let repository: GitRepository;
  let requests: ChatRequest[];
  let answer: string;
  const out = async (...args: string[]) => (await gitIn(dir.path)(...args)).stdout.trim();
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.file(path.join(dir.path, name)), Buffer.from(text));

  const setOpening = (value: string | undefined) =>
    vscode.workspace
      .getConfiguration('git')
      .update('openRepositoryInParentFolders', value, vscode.ConfigurationTarget.Global);

  beforeEach(async () => {
    [requests, answer] = [[], ''];
    dir = await makeTempDir();
    await out('init');
    await write('a.ts', 'one\ntwo\nthree\nfour\nfive\nsix\n');
    await out('add', '-A');
    await out('commit', '-m', 'First');
    await gitRepositories();
    const api = gitExtension()?.exports.getAPI(1) ?? assert.fail('no Git extension');
    assert.ok(opens(api));
    // Else a repository that no folder of the workspace holds is only offered.
    await setOpening('always');
    repository = (await api.openRepository(vscode.Uri.file(dir.path))) ?? assert.fail('not opened');
  });
  afterEach(async () => {
    repository.inputBox.value = '';
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
    await vscode.commands.executeCommand('git.close', repository);
    await setOpening(undefined);
    await dir.remove();
  });

  const deps = () => {
    const state = new Map<string, unknown>();
    return {
      metered: () => {
        const unused = () => assert.fail('only streams');
        const stream = async (request: ChatRequest): Promise<StreamResult> => {
          requests.push(request);
          return { outcome: 'done', reply: { ...wholeReply('m'), text: answer }, attempts: [attempt] };
        };
        return { stream, complete: unused, listModels: unused, checkKey: unused };
      },
      estimator: { prompt: () => ({ tokens: 900, error: 0 }) },
      settings: { request: () => ({}) },
      model: () => 'm',
      nameOf: (model: string) => model,
      ensureReady: async () => true,
      openGit,
      hides: () => async () => false,
      pages: { showPatch: async () => undefined },
      state: {
        get: (key: string) => state.get(key),
        update: async (key: string, value: unknown) => void state.set(key, value),
      },
    };
  };
  /** Until it has led where it should: a pick that has yet to open takes no key. */
  const enterUntil = (what: string, isThere: () => boolean | Promise<boolean>) =>
    waitFor(what, async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return isThere();
    });

  it('F42 a split is paid once, stages a group with its message, and commits nothing', async () => {
    const changed = 'ONE\ntwo\nthree\nfour\nfive\nSIX\n';
    await write('a.ts', changed);
    answer = '[{"message":"Shout one","hunks":[1]},{"message":"Shout six","hunks":[2]}]';
    const split = createSplitCommit(deps());
    const done = split({ rootUri: repository.rootUri });
    await enterUntil('the request', () => requests.length === 1);
    await enterUntil('the staged group', async () => (await out('diff', '--cached')) !== '');
    await done;
    assert.equal(repository.inputBox.value, 'Shout one');
    assert.deepEqual((await out('diff', '--cached')).match(/^[+-]\w+/gm), ['-one', '+ONE']);
    assert.equal(await out('rev-list', '--count', 'HEAD'), '1');
    assert.equal(await readFile(path.join(dir.path, 'a.ts'), 'utf8'), changed);
    await out('commit', '-m', 'Shout one');
    const next = split({ rootUri: repository.rootUri });
    await enterUntil('the next group', async () => /SIX/.test(await out('diff', '--cached')));
    await next;
    assert.equal(repository.inputBox.value, 'Shout six');
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.surface, 'git');
  });

  it('F42 nothing to split asks for nothing', async () => {
    await createSplitCommit(deps())({ rootUri: repository.rootUri });
    assert.equal(requests.length, 0);
  });

  it('F42 the text of a pull request is an untitled document', async () => {
    await out('checkout', '-q', '-b', 'work');
    await write('b.ts', 'b\n');
    await out('add', '-A');
    await out('commit', '-m', 'Add b');
    answer = 'Add b\n\nIt was missing.';
    const done = createWritePullRequest(deps())({ rootUri: repository.rootUri });
    await enterUntil('the request', () => requests.length === 1);
    await done;
    const document = vscode.window.activeTextEditor?.document;
    assert.deepEqual(
      [document?.isUntitled, document?.languageId, document?.getText().replaceAll('\r\n', '\n')],
      [true, 'markdown', 'Add b\n\nIt was missing.\n'],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
