import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { cleanPullRequest, pullRequestAsk } from '../../../../src/features/git/core/pull-request.ts';
import {
  createPullRequestRepository,
  type PullRequestRepository,
} from '../../../../src/features/git/core/pull-request-repository.ts';
import { openGitProgram } from '../../../../src/tools/git/git-program.ts';
import { gitIn, gitPath } from '../../../support/git-in.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { writeFiles } from '../../tools/workspace.ts';

type Use = (world: {
  out(...args: string[]): Promise<string>;
  write(files: Record<string, string>): Promise<void>;
  repository: PullRequestRepository;
  open(): Promise<PullRequestRepository>;
}) => Promise<void>;

/** On `work`, which left `main` at its one commit. */
function onBranch(use: Use): () => Promise<void> {
  return () =>
    withTempDir(async (folder) => {
      const git = gitIn(folder);
      const out = async (...args: string[]) => (await git(...args)).stdout.trim();
      await git('init');
      await writeFiles(folder, { 'a.ts': 'a\n', '.env': 'KEY=1\n' });
      await git('add', '-A');
      await git('commit', '-m', 'First');
      await git('checkout', '-q', '-b', 'work');
      const open = async () =>
        createPullRequestRepository(await openGitProgram(gitPath, folder, new AbortController().signal));
      await use({ out, write: (files) => writeFiles(folder, files), repository: await open(), open });
    });
}

const isSecret = async (name: string) => name === '.env';

async function sentText(repository: PullRequestRepository): Promise<string> {
  const [, user] = pullRequestAsk(await repository.material('main', isSecret)).messages;
  return user !== undefined && 'text' in user ? user.text : '';
}

describe('the text of a pull request', () => {
  before(function () {
    if (gitPath === undefined) this.skip();
  });

  it(
    'F42 is asked for with commits, files, changes and the form since the work left its base, and with nothing of a secret',
    onBranch(async ({ out, write, repository }) => {
      await write({ 'a.ts': 'changed\n', '.env': 'KEY=hunter2\n', '.github/PULL_REQUEST_TEMPLATE.md': '## Why\n' });
      await out('add', '-A');
      await out('commit', '-m', 'Change a\n\nBecause of b.');
      await out('checkout', '-q', 'main');
      await write({ 'main.ts': 'main only\n' });
      await out('add', '-A');
      await out('commit', '-m', 'On main');
      await out('checkout', '-q', 'work');
      await write({ 'a.ts': 'not committed\n' });
      const text = await sentText(repository);
      assert.match(text, /^The branch work is to go into main\.$/m);
      assert.match(text, /^- Change a\n {2}\n {2}Because of b\.$/m);
      assert.match(text, /^a\.ts · \+1 −1$/m);
      assert.match(text, /^\.env · \+1 −1 · content not shown$/m);
      assert.match(text, /^\+changed$/m);
      assert.match(text, /The template:\n## Why/);
      assert.doesNotMatch(text, /hunter2|main only|On main|not committed/);
    }),
  );

  it(
    'F42 of very many files the list and the biggest changes are sent, and it is said what is not',
    onBranch(async ({ out, write, repository }) => {
      const files = Array.from({ length: 254 }, (_, at) => [
        `f/${at}.ts`,
        `${`line of ${at}\n`.repeat((at % 50) + 1)}`,
      ]);
      await write(Object.fromEntries(files));
      await out('add', '-A');
      await out('commit', '-m', 'Many');
      const ask = pullRequestAsk(await repository.material('main', isSecret));
      assert.equal(ask.allHunks, 254);
      assert.ok(ask.sentHunks > 5 && ask.sentHunks < 100, String(ask.sentHunks));
      const text = await sentText(repository);
      assert.ok(text.length < 20_000, String(text.length));
      assert.match(text, /\[134 more files\]/);
      assert.match(text, new RegExp(`\\[${254 - ask.sentHunks} more places are not shown\\]`));
      assert.match(text, /line of 49\n/, 'one of the biggest');
      assert.doesNotMatch(text, /\+line of 50\n/, 'one of the smallest');
    }),
  );

  it(
    'F42 offers the default of the remote alone, else main and master, and never the branch that is checked out',
    onBranch(async ({ out, repository }) => {
      await out('branch', 'master');
      assert.deepEqual(await repository.branches(), { likely: ['main', 'master'], all: ['main', 'master'] });
      await out('update-ref', 'refs/remotes/origin/trunk', 'main');
      await out('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/trunk');
      const { likely, all } = await repository.branches();
      assert.deepEqual(likely, ['origin/trunk']);
      assert.deepEqual(all, ['main', 'master', 'origin/trunk']);
      assert.equal((await repository.material('origin/trunk', isSecret)).commitCount, 0);
    }),
  );

  it(
    'F42 in a fork the base is what the branch follows, else the closest default of any remote (github/app#2615)',
    onBranch(async ({ out, open }) => {
      await out('update-ref', 'refs/remotes/origin/main', 'main');
      await out('commit', '--allow-empty', '-m', 'Theirs');
      await out('update-ref', 'refs/remotes/upstream/main', 'HEAD');
      await out('commit', '--allow-empty', '-m', 'Mine');
      assert.deepEqual((await (await open()).branches()).likely, ['upstream/main']);
      await out('config', 'remote.origin.fetch', '+refs/heads/*:refs/remotes/origin/*');
      for (const [name, value] of [
        ['remote', 'origin'],
        ['merge', 'refs/heads/main'],
      ] as const) {
        await out('config', `branch.work.${name}`, value);
      }
      assert.deepEqual((await (await open()).branches()).likely, ['origin/main']);
      await out('update-ref', 'refs/remotes/origin/work', 'HEAD');
      await out('config', 'branch.work.merge', 'refs/heads/work');
      assert.deepEqual((await (await open()).branches()).likely, ['upstream/main'], 'its own copy is no base');
    }),
  );

  it(
    'F42 a base without a commit in common, and a name that is an option, are told',
    onBranch(async ({ out, repository }) => {
      await out('checkout', '-q', '--orphan', 'apart');
      await out('commit', '-m', 'Apart');
      for (const base of ['main', '--all', 'nowhere']) {
        await assert.rejects(repository.material(base, isSecret), {
          name: 'ToolError',
          message: /no commit in common/,
        });
      }
    }),
  );

  it(
    'F42 of several forms the one in .github counts, and of a folder of forms the first only where there is no other',
    onBranch(async ({ out, write, repository }) => {
      const commit = async () => {
        await out('add', '-A');
        await out('commit', '-m', 'Form');
        return (await repository.material('main', isSecret)).template;
      };
      assert.equal((await repository.material('main', isSecret)).template, '');
      await write({ '.github/PULL_REQUEST_TEMPLATE/fix.md': 'of a folder' });
      assert.equal(await commit(), 'of a folder');
      await write({ 'docs/pull_request_template.md': 'docs' });
      assert.equal(await commit(), 'docs');
      await write({ 'PULL_REQUEST_TEMPLATE.md': 'root' });
      assert.equal(await commit(), 'root');
      await write({ '.github/pull_request_template.md': 'github' });
      assert.equal(await commit(), 'github');
    }),
  );

  const answers: Record<string, [string, string]> = {
    'as told': ['Title\n\nBody.', 'Title\n\nBody.\n'],
    'with a mark': ['# Title\nBody.', 'Title\n\nBody.\n'],
    'in bold': ['**Title**\n\nBody.', 'Title\n\nBody.\n'],
    named: ['Title: Fix it\n\nBody.', 'Fix it\n\nBody.\n'],
    'in a block': ['```markdown\nTitle\n\n```js\nx\n```\n```', 'Title\n\n```js\nx\n```\n'],
    'as a title alone': ['Title', 'Title'],
    'as nothing': ['  \n', ''],
  };
  for (const [how, [answer, wanted]] of Object.entries(answers)) {
    it(`F42 answered ${how} has its title first`, () => assert.equal(cleanPullRequest(answer), wanted));
  }

  it('F42 shows what nobody would see', () =>
    assert.doesNotMatch(cleanPullRequest('Ti\u200btle\n\nBo\u202edy'), /[\u200b\u202e]/));
});
