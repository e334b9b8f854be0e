import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ShownList, showSections } from '../../../src/conversation/composing/context-sections.ts';
import type { CompletionItem } from '../../../src/shared/panel/panel-info.ts';

const row = (label: string): CompletionItem => ({
  id: label,
  icon: 'text',
  label,
  action: { type: 'attach', pick: { kind: 'terminal' } },
});
const reason = (label: string): CompletionItem => ({ id: label, icon: 'codebase', label });

describe('the sections of the list of context', () => {
  const brief = (lists: ShownList[]) =>
    lists.map(({ items, done, settled }) => [items.map(({ label }) => label).join(' '), settled, done]);

  it('F7 says when the first row stays the first, whatever is still looked for', async () => {
    const [files, chats] = [Promise.withResolvers<CompletionItem[]>(), Promise.withResolvers<CompletionItem[]>()];
    const lists: ShownList[] = [];
    const shown = showSections({ files: [row('old')] }, { files: files.promise, chats: chats.promise }, (list) =>
      lists.push(list),
    );
    chats.resolve([row('chat')]);
    await chats.promise;
    files.resolve([row('new')]);
    await shown;
    assert.deepEqual(brief(lists), [
      ['old', false, false],
      ['old chat', false, false],
      ['new chat', true, false],
      ['new chat', true, true],
    ]);
  });

  it('F7 waits for no section that comes below what is found; a row that only gives a reason is none', async () => {
    const lists: ShownList[] = [];
    const show = (list: ShownList) => void lists.push(list);
    await showSections({ kinds: [row('terminal')] }, { symbols: Promise.resolve([]) }, show);
    assert.deepEqual(brief(lists.splice(0)).at(0), ['terminal', true, false]);
    await showSections({ kinds: [reason('codebase')] }, { symbols: Promise.resolve([row('symbol')]) }, show);
    assert.deepEqual(brief(lists), [
      ['codebase', false, false],
      ['symbol codebase', true, false],
      ['symbol codebase', true, true],
    ]);
  });

  it('F7 shows what the other sources found when one fails, then throws', async () => {
    const lists: ShownList[] = [];
    const shown = showSections(
      {},
      { symbols: Promise.reject(new Error('no provider')), chats: Promise.resolve([row('chat')]) },
      (list) => lists.push(list),
    );
    await assert.rejects(shown, /no provider/);
    assert.deepEqual(brief(lists).at(-1), ['chat', true, true]);
  });
});
