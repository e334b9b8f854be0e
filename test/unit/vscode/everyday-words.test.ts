import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const { contributes } = read('package.json');
const texts: Record<string, string> = read('package.nls.json');

/** What somebody types behind "svc" who has not read a page, and the command that they mean. */
const meant: Record<string, string> = {
  ...{ cost: 'showSpend', usage: 'showSpend', spend: 'showSpend', limit: 'showSpend', balance: 'openDashboard' },
  ...{ price: 'showNextRequest', tokens: 'showNextRequest', sent: 'showNextRequest', dashboard: 'openDashboard' },
  ...{ chat: 'newChat', history: 'openConversation', continue: 'openConversation', stop: 'stop' },
  ...{ rename: 'renameConversation', delete: 'deleteConversation', export: 'exportConversation' },
  ...{ import: 'importConversation', fork: 'forkConversation', compact: 'compactConversation' },
  ...{ model: 'selectModel', mode: 'selectMode', plan: 'selectMode', agent: 'selectMode', ask: 'selectMode' },
  ...{ compare: 'compareModels', 'side by side': 'compareModels', key: 'setApiKey', settings: 'openSettings' },
  ...{
    image: 'addContext',
    file: 'addContext',
    attach: 'addContext',
    context: 'addContext',
    terminal: 'explainTerminal',
  },
  ...{ checkpoint: 'restoreCheckpoint', undo: 'undoAllEdits', keep: 'keepAllEdits', diff: 'showEditDiff' },
  ...{ review: 'reviewChanges', commit: 'generateCommitMessage', 'pull request': 'writePullRequest' },
  ...{
    explain: 'explain',
    fix: 'fix',
    refactor: 'refactor',
    tests: 'addTests',
    documentation: 'addDocs',
    comment: 'addComment',
  },
  ...{ inline: 'inlineEdit', autocomplete: 'completeHere', worktree: 'newWorktreeTask' },
  ...{
    rules: 'showCustomizations',
    skills: 'showCustomizations',
    instructions: 'showCustomizations',
    mcp: 'pickTools',
  },
  ...{ tools: 'pickTools', help: 'help' },
};

describe('everyday words in the palette', () => {
  it('F30 U1 each finds its command: all that is typed begins words of the title, as the palette filters', () => {
    assert.ok(Object.keys(meant).length >= 40);
    const hidden = contributes.menus.commandPalette
      .filter(({ when }: { when: string }) => when === 'false')
      .map(({ command }: { command: string }) => command);
    const titles = new Map<string, string>();
    for (const { command, title } of contributes.commands) {
      if (!hidden.includes(command)) titles.set(command, texts[title.slice(1, -1)] ?? '');
    }
    const finds = (word: string, title: string) =>
      word.split(' ').every((part) => new RegExp(`(?<![\\p{L}\\p{N}])${part}`, 'iu').test(title));
    const lost = Object.entries(meant).filter(([word, id]) => !finds(word, titles.get(`svc.${id}`) ?? ''));
    assert.deepEqual(lost, []);
  });

  it('F30 U1 at rest, with a file of a Git repository, it offers at most 55: the rest waits for what it acts on', () => {
    const onlyAt = new Map<string, string>(
      contributes.menus.commandPalette.map(({ command, when }: { command: string; when: string }) => [command, when]),
    );
    /** What exists only while something goes on or waits for a decision. */
    const state = /^svc\.\w+$|^false$/;
    const offered = contributes.commands.filter(
      ({ command, enablement = '' }: { command: string; enablement?: string }) =>
        ![enablement, onlyAt.get(command) ?? ''].some((condition) => state.test(condition)),
    );
    assert.ok(offered.length <= 55, String(offered.length));
  });
});
