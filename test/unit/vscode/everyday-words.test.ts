import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const { contributes } = read('package.json');
const texts: Record<string, string> = read('package.nls.json');

/** What somebody types behind "svc" who has not read a page, or knows the titles of other assistants, by the command that they mean. */
const meant: Record<string, string> = {
  showSpend: 'cost, usage, spend, limit, token usage, bill, budget, spending cap, how much',
  openDashboard: 'balance, dashboard, account, top up, credits',
  showNextRequest: 'price, tokens, sent, system prompt, context window',
  openChat: 'open, ask, focus input',
  newChat: 'chat, new task, new session, clear, reset',
  stop: 'stop, cancel, abort',
  openConversation: 'history, continue, chat history, old chats, task history, resume',
  renameConversation: 'rename, rename chat',
  deleteConversation: 'delete, delete chat',
  deleteAllConversations: 'clear chat history',
  exportConversation: 'export, share, export chat',
  importConversation: 'import',
  forkConversation: 'fork, duplicate',
  compactConversation: 'compact, summarize',
  selectModel: 'model, switch model, fast model',
  selectMode: 'mode, plan, agent',
  compareModels: 'compare, side by side',
  setApiKey: 'key, api key, login, log in, sign in',
  removeApiKey: 'logout, sign out, switch account',
  openSettings: 'settings, preferences, toggle auto-approve',
  addContext: 'image, file, attach, context, attach file, screenshot',
  addToChat: 'add to context',
  explainTerminal: 'terminal, terminal command, fix this command',
  restoreCheckpoint: 'checkpoint, rollback',
  undoAllEdits: 'undo, revert, reject all, discard',
  keepAllEdits: 'keep, accept all, apply',
  undoEdit: 'reject',
  showEditDiff: 'diff',
  reviewChanges: 'review, code review',
  reviewByHunk: 'hunk, branch',
  generateCommitMessage: 'commit, commit message',
  writePullRequest: 'pull request, merge request',
  explain: 'explain, explain code',
  fix: 'fix, fix bug, fix code, debug',
  refactor: 'refactor, improve code',
  addTests: 'tests, unit test, generate unit tests',
  addDocs: 'documentation, docstring, document code',
  review: 'find code smells',
  addComment: 'comment',
  inlineEdit: 'inline, edit code',
  completeHere: 'autocomplete, ghost text, tab completion, trigger autocomplete',
  nextPlaces: 'next edit',
  newWorktreeTask: 'worktree, background agent, parallel',
  showCustomizations: 'rules, skills, instructions, memory, show memory',
  pickTools: 'mcp, tools, mcp servers',
  guardCredits: 'copilot, language models',
  help: 'help, documentation, getting started, shortcut, logs, report bug, proxy, offline, rate limit',
};

describe('everyday words in the palette', () => {
  it('F30 U1 each finds its command: all that is typed begins words of the title or of its other words, in this order, as the palette filters', () => {
    assert.ok(Object.values(meant).join(', ').split(', ').length >= 120);
    const hidden = contributes.menus.commandPalette
      .filter(({ when }: { when: string }) => when === 'false')
      .map(({ command }: { command: string }) => command);
    const found = new Map<string, string[]>();
    for (const { command, title } of contributes.commands) {
      const keys: string[] = typeof title === 'string' ? [title] : [title.value, title.original];
      if (!hidden.includes(command)) {
        found.set(
          command,
          keys.map((key) => texts[key.slice(1, -1)] ?? ''),
        );
      }
    }
    const finds = (typed: string, text: string) =>
      new RegExp(typed.replaceAll(/\S+/g, '(?<![\\p{L}\\p{N}])$&').replaceAll(' ', '.*'), 'iu').test(text);
    const lost = Object.entries(meant).flatMap(([id, words]) =>
      words.split(', ').filter((word) => !found.get(`svc.${id}`)?.some((text) => finds(word, text))),
    );
    assert.deepEqual(lost, []);
  });

  it('F30 ux 1.10 the German words begin with the English title, under which the help has it', () => {
    const german: Record<string, string> = read('package.nls.de.json');
    const named = Object.keys(german).filter((key) => key.endsWith('.words'));
    const titleOf = (key: string) => texts[key.replace(/\.words$/, '')]?.replace(/…$/, '');
    assert.ok(named.length > 50);
    assert.deepEqual(
      named.filter((key) => !german[key]?.startsWith(`${titleOf(key)}, `)),
      [],
    );
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
