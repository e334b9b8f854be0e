import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { materialOf, type ProvidedPullRequest } from '../../../../src/features/git/core/provided-pull-request.ts';
import { pullRequestAsk, titleAndDescription } from '../../../../src/features/git/core/pull-request.ts';

const root = 'file:///r/';
const files = {
  pathOf: (uri: string) => (uri.startsWith(root) ? uri.slice(root.length) : undefined),
  hides: async (path: string) => path === '.env',
};

async function sentText(given: Partial<ProvidedPullRequest>): Promise<string> {
  const material = await materialOf({ commitMessages: [], patches: [], ...given }, files);
  const [, user] = pullRequestAsk(material).messages;
  return user !== undefined && 'text' in user ? user.text : '';
}

const head = (name: string) => `diff --git a/${name} b/${name}\nindex 1..2 100644\n--- a/${name}\n+++ b/${name}\n`;
const hunk = '@@ -1 +1 @@\n-old\n+new\n';

describe('a pull request that another extension tells of', () => {
  it('F42 is asked about with its commits, issues, files, changes, template and branch', async () => {
    const text = await sentText({
      commitMessages: ['Fix it\n\nCloses #7', ' '],
      patches: [{ patch: `${head('src/ä.ts')}${hunk}`, fileUri: `${root}src/ä.ts` }],
      issues: [{ reference: '#7', content: 'It is broken\nBadly.' }],
      template: '## Why',
      compareBranch: 'work',
    });
    assert.equal(
      text,
      [
        'The branch work is to go into another branch.\n',
        'Commits:\n- Fix it\n  \n  Closes #7\n',
        'Issues that they name:\n- #7: It is broken\n  Badly.\n',
        'Files:\nsrc/ä.ts · +1 −1\n',
        'The changes:\nsrc/ä.ts\n@@ -1 +1 @@\n-old\n+new\n',
        'The template:\n## Why',
      ].join('\n'),
    );
  });

  it('F42 may come with patches that are hunks alone, as GitHub serves them, or no text at all', async () => {
    const patches = [
      { patch: '@@ -0,0 +1,1 @@\n+fresh', fileUri: `${root}new.ts` },
      { patch: '@@ -1,1 +0,0 @@\n-gone', fileUri: `${root}old.ts` },
      { patch: '@@ -1 +1 @@\n-x\n+y', fileUri: `${root}b.ts`, previousFileUri: `${root}a.ts` },
      { patch: '', fileUri: `${root}picture.png` },
    ];
    const text = await sentText({ patches });
    assert.match(
      text,
      /Files:\nnew\.ts · \+1 −0 · new\nold\.ts · \+0 −1 · deleted\na\.ts → b\.ts · \+1 −1\npicture\.png\n/,
    );
    assert.match(text, /^\+fresh$/m);
    assert.match(text, /^The work is to go into another branch\.$/m);
  });

  it('F42 sends no line of a secret, of a file outside, or of one that is not named, whichever form the patch has', async () => {
    const secret = '@@ -1 +1 @@\n-KEY=1\n+KEY=hunter2\n';
    const patches = [
      { patch: secret, fileUri: `${root}.env` },
      { patch: secret, fileUri: `${root}shown.txt`, previousFileUri: `${root}.env` },
      { patch: secret, fileUri: 'file:///elsewhere/x' },
      `${head('.env')}${secret}`,
      secret,
      '+++ b/a.ts\nKEY=hunter2',
      `@@ -1 +1,2 @@\n-a\n+++ b/a.ts\n+KEY=hunter2\n`,
      `diff --git "a/\\303\\244" "b/\\303\\244"\n--- "a/\\303\\244"\n+++ "b/\\303\\244"\n${secret}`,
    ];
    for (const patch of patches) {
      const text = await sentText({ patches: [patch] as ProvidedPullRequest['patches'] });
      assert.doesNotMatch(text, /hunter2/, JSON.stringify(patch));
    }
    const named = await sentText({ patches: [`${head('a.ts')}${hunk}`] });
    assert.match(named, /^a\.ts · \+1 −1$/m);
    assert.match(named, /^\+new$/m);
  });

  it('F42 takes the title off the text', () => {
    assert.deepEqual(titleAndDescription('Title\n\nOne.\n\nTwo.\n'), { title: 'Title', description: 'One.\n\nTwo.' });
    assert.deepEqual(titleAndDescription('Title'), { title: 'Title', description: '' });
  });
});
