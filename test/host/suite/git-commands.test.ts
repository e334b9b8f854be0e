import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { systemClock } from '../../../src/base/clock.ts';
import {
  type GitHubExtension,
  registerGitHubView,
  type TitleAndDescriptionProvider,
} from '../../../src/features/git/vscode/github-view.ts';
import { createPullRequestProvider } from '../../../src/features/git/vscode/pull-request-provider.ts';
import { createSplitCommit } from '../../../src/features/git/vscode/split-commit.ts';
import { createWritePullRequest } from '../../../src/features/git/vscode/write-pull-request.ts';
import { createCommitCommands } from '../../../src/features/inline/vscode/commit-command.ts';
import type { ChatRequest, StreamResult } from '../../../src/service/contract.ts';
import { createGit, openGit } from '../../../src/vscode/workspace/git-adapter.ts';
import { type GitRepository, gitExtension, gitRepositories } from '../../../src/vscode/workspace/git-extension.ts';
import { gitIn } from '../../support/git-in.ts';
import { paidAttempt as attempt } from '../../support/paid-attempt.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { wholeReply } from '../../support/whole-reply.ts';
import { waitFor } from '../../vscode/wait-for.ts';

interface OpensRepository {
  openRepository(root: vscode.Uri): Promise<GitRepository | null>;
}

/** The stand-in for GitHub's extension. */
interface GitHub extends GitHubExtension {
  registered: ReadonlySet<{ title: string; provider: TitleAndDescriptionProvider }>;
}

const viewSetting = 'svc.pullRequests.gitHubView';

async function gitHub(): Promise<GitHub> {
  const extension = vscode.extensions.getExtension<GitHub>('GitHub.vscode-pull-request-github');
  return (await extension?.activate()) ?? assert.fail('no stand-in');
}

const setViewSetting = (value: boolean | undefined) =>
  vscode.workspace.getConfiguration().update(viewSetting, value, vscode.ConfigurationTarget.Global);

const opens = (api: object): api is OpensRepository => 'openRepository' in api;

/** A repository of the real Git extension, with a model that answers what the test says. */
describe('commands about the changes of a repository', () => {
  let dir: TempDir;
  let repository: GitRepository;
  let requests: ChatRequest[];
  let answer: string;
  /** What becomes of a request; undefined: the model answers. */
  let becomes: ((signal: AbortSignal) => StreamResult) | undefined;
  const out = async (...args: string[]) => (await gitIn(dir.path)(...args)).stdout.trim();
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(vscode.Uri.file(path.join(dir.path, name)), Buffer.from(text));

  const setOpening = (value: string | undefined) =>
    vscode.workspace
      .getConfiguration('git')
      .update('openRepositoryInParentFolders', value, vscode.ConfigurationTarget.Global);

  beforeEach(async () => {
    [requests, answer, becomes] = [[], '', undefined];
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
        const stream = async (request: ChatRequest, _on: unknown, signal: AbortSignal): Promise<StreamResult> => {
          requests.push(request);
          if (becomes !== undefined) return becomes(signal);
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

  it('F24 the template of Git is filled in where it stands (microsoft/vscode-copilot-release#514)', async () => {
    await write('form.txt', '# What for?\nJIRA-000: \n\nWhy:\n');
    await out('config', 'commit.template', 'form.txt');
    await write('a.ts', 'ONE\ntwo\nthree\nfour\nfive\nsix\n');
    await repository.status();
    repository.inputBox.value = 'JIRA-000: \n\nWhy:';
    answer = 'JIRA-000: Shout one\n\nWhy: it was too quiet';
    const reading = { clock: systemClock, log: () => undefined, tools: () => [] };
    const commands = createCommitCommands({ ...deps(), git: createGit(), request: () => ({}), reading });
    await commands['svc.generateCommitMessage']({ rootUri: repository.rootUri });
    assert.equal(repository.inputBox.value, answer);
    const text = JSON.stringify(requests[0]?.messages);
    assert.match(text, /this form, filled in, with all of its lines:\\nJIRA-000: /);
    assert.doesNotMatch(text, /must begin with exactly/);
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

  /** What the messages say until `undo`; each is answered with the button that `press` names. */
  function catchMessages(press?: string): { told: string[]; offered: string[]; undo(): void } {
    const told: string[] = [];
    const offered: string[] = [];
    const { window } = vscode;
    const known = { ...window };
    const names = ['showInformationMessage', 'showWarningMessage', 'showErrorMessage'] as const;
    for (const name of names) {
      const value = async (text: string, ...buttons: string[]) => {
        told.push(text);
        offered.push(...buttons);
        return buttons.find((one) => one === press);
      };
      Reflect.set(window, name, value);
    }
    const undo = () => {
      for (const name of names) Reflect.set(window, name, known[name]);
    };
    return { told, offered, undo };
  }

  const given = (token = new vscode.CancellationTokenSource().token, more: object = {}) =>
    createPullRequestProvider({
      ...deps(),
      ...more,
      hides: () => async (name) => name === '.env',
    }).provideTitleAndDescription(
      {
        commitMessages: ['Add b'],
        patches: ['b.ts', '.env'].map((name) => ({
          patch: `@@ -0,0 +1 @@\n+text of ${name}\n`,
          fileUri: vscode.Uri.joinPath(repository.rootUri, name).toString(),
        })),
        template: '## Why',
        compareBranch: 'work',
      },
      token,
    );

  it("F42 GitHub's view gets title and description for one request, with no line of a file that is not shown", async () => {
    answer = 'Add b\n\nIt was missing.';
    const { told, undo } = catchMessages();
    try {
      assert.deepEqual(await given(), { title: 'Add b', description: 'It was missing.' });
    } finally {
      undo();
    }
    const sent = JSON.stringify(requests);
    assert.equal(requests.length, 1);
    assert.equal(requests[0]?.surface, 'git');
    assert.match(sent, /text of b\.ts/);
    assert.match(sent, /\.env · \+1 −0 · new · content not shown/);
    assert.match(sent, /The template:\\n## Why/);
    assert.doesNotMatch(sent, /text of \.env/);
    assert.equal(told.length, 1);
    assert.match(told[0] ?? '', /^Written from the 1 biggest of 2 changes · \$0\.\d{4}$/);
  });

  it("F42 GitHub's view gets nothing, and the user is told why, when there is no answer", async () => {
    const { told, offered, undo } = catchMessages();
    try {
      assert.equal(await given(undefined, { ensureReady: async () => false }), undefined);
      assert.deepEqual([requests.length, told], [0, []], 'the way to a key has its own words');
      const stopped = new vscode.CancellationTokenSource();
      stopped.cancel();
      assert.equal(await given(stopped.token), undefined);
      assert.deepEqual([requests.length, told], [0, []], 'nothing is paid for a press that was taken back');
      const running = new vscode.CancellationTokenSource();
      becomes = (signal) => {
        running.cancel();
        assert.ok(signal.aborted);
        return { outcome: 'stopped', reply: wholeReply('m'), attempts: [] };
      };
      assert.equal(await given(running.token), undefined);
      assert.deepEqual([requests.length, told], [1, []]);
      const failure = { kind: 'unreachable', message: '', at: '' } as const;
      becomes = () => ({ outcome: 'failed', reply: wholeReply('m'), failure, attempts: [] });
      assert.equal(await given(), undefined);
      assert.match(told.pop() ?? '', /^The service can't be reached/);
      assert.ok(!offered.includes('Retry'), 'the button of the view is pressed again');
      becomes = undefined;
      assert.equal(await given(), undefined);
      assert.match(told.pop() ?? '', /^The answer was cut off or held no pull request text/);
      const broken = () => {
        throw new Error('no estimate');
      };
      assert.equal(await given(undefined, { estimator: { prompt: broken } }), undefined);
      assert.equal(told.at(-1), "The pull request text couldn't be written: no estimate");
    } finally {
      undo();
    }
  });

  it("F42 svc stands behind the button of GitHub's view only while the user's setting says so", async () => {
    const { registered } = await gitHub();
    await vscode.extensions.getExtension('svc.svc-assistant')?.activate();
    const titles = () => [...registered].map(({ title }) => title);
    assert.deepEqual(titles(), []);
    try {
      await setViewSetting(true);
      await waitFor('the provider', () => titles().length === 1);
      assert.deepEqual(titles(), ['svc']);
      // As at the next start, with a provider that is called only for a press.
      const next = registerGitHubView(() => assert.fail('loaded without a press'));
      await waitFor('the provider of a start', () => titles().length === 2);
      next.dispose();
      await waitFor('its end', () => titles().length === 1);
      await setViewSetting(false);
      await waitFor('no provider', () => titles().length === 0);
    } finally {
      await setViewSetting(undefined);
    }
  });

  it("F42 asks once whether GitHub's view may ask svc too, after a text was written, with its price", async () => {
    const { registered } = await gitHub();
    await out('checkout', '-q', '-b', 'work');
    await out('commit', '--allow-empty', '-m', 'Nothing');
    await write('b.ts', 'b\n');
    await out('add', '-A');
    await out('commit', '-m', 'Add b');
    answer = 'Add b\n\nIt was missing.';
    const writePullRequest = createWritePullRequest(deps());
    const use = async (press: string, count: number) => {
      const { told, undo } = catchMessages(press);
      try {
        const done = writePullRequest({ rootUri: repository.rootUri });
        await enterUntil('the request', () => requests.length === count);
        await done;
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
        return told.filter((text) => text.startsWith('The sparkle button'));
      } finally {
        undo();
      }
    };
    const value = () => vscode.workspace.getConfiguration().inspect(viewSetting)?.globalValue;
    try {
      const [asked, ...more] = await use('Later', 1);
      assert.match(asked ?? '', /Each press is a request like this one \(\$0\.\d{4}\)\.$/);
      assert.deepEqual(more, []);
      await waitFor('the answer to be kept', () => value() === false);
      assert.deepEqual(await use('Use svc There', 2), []);
      await setViewSetting(undefined);
      assert.equal((await use('Use svc There', 3)).length, 1);
      await waitFor('the provider', () => registered.size === 1);
      assert.equal(value(), true);
    } finally {
      await setViewSetting(undefined);
    }
  });
});
