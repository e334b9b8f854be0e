import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createDraft, typedText } from '../../../../media/chat/composer/draft.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import { maxTextLength } from '../../../../src/shared/messages.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

/** A page with the text that an earlier one stored, and what the host had heard of it. */
function open(stored: Parameters<typeof typedText>[0] = {}) {
  const clock = createManualClock();
  const posts: unknown[] = [];
  let saves = 0;
  const typed = typedText(stored);
  const draft = createDraft({
    typed,
    post: (message) =>
      void (message.type === 'draftChanged' && posts.push([message.draft.text, message.draft.conversationId])),
    save: () => void saves++,
    conversationId: () => 'c',
    after: clock.after,
    now: clock.now,
  });
  type Snapshot = Parameters<typeof draft.merge>[0];
  const merge = (
    text: string,
    { in: id = 'c', from = 'c', ...more }: Partial<Snapshot> & { in?: string; from?: string } = {},
  ) => draft.merge({ state: { ...emptyChat, conversationId: id }, draft: text, ...more } as Snapshot, from);
  return { draft, typed, clock, posts, merge, saves: () => saves };
}

describe('the draft of the page', () => {
  it('F5 is told to the host once for what is typed in a third of a second, and at once when it is asked for', () => {
    const { draft, clock, posts, saves } = open();
    draft.set('a');
    clock.pass(200);
    draft.set('ab');
    assert.deepEqual([posts, saves()], [[], 2]);
    clock.pass(100);
    assert.deepEqual(posts.splice(0), [['ab', 'c']]);
    draft.set('abc');
    draft.report();
    draft.report();
    clock.pass(1000);
    assert.deepEqual(posts, [['abc', 'c']]);
  });

  it('stays with the page while it is too long to be sent', () => {
    const { draft, posts } = open();
    draft.set('x'.repeat(maxTextLength + 1));
    draft.report();
    assert.deepEqual(posts, []);
    draft.set('x'.repeat(maxTextLength));
    draft.report();
    assert.equal(posts.length, 1);
  });

  it('is taken whole, added to below, and emptied only when it is what was sent', () => {
    const { draft, posts } = open();
    draft.append('first');
    draft.append('second');
    assert.equal(draft.text.value, 'first\n\nsecond');
    draft.clear('first');
    assert.equal(draft.text.value, 'first\n\nsecond');
    const taken = draft.take('rest');
    assert.deepEqual(
      [taken.text, taken.rest.text, draft.text.value, posts.at(-1)],
      ['first\n\nsecond', 'rest', 'rest', ['first\n\nsecond', 'c']],
    );
    draft.set('  sent ');
    draft.clear('sent');
    assert.equal(draft.text.value, '');
  });

  it('F5 a page that begins shows what was typed, with what the host was told since', () => {
    const shown = (draft: string, postedDraft: string, host: string, heardAtMs = 6) => {
      const page = open({ draft, postedDraft, draftAtMs: 7 });
      page.merge(host, { draftTimes: { atMs: heardAtMs } });
      return page.draft.text.value;
    };
    assert.equal(shown('typed more', 'typed', 'typed'), 'typed more');
    assert.equal(shown('typed', 'typed', 'other', 7), 'other');
    assert.equal(shown('typed', 'typed', ''), 'typed', 'a host that died lost what was posted to it');
    assert.equal(shown('typed', 'ty', 'typed and added'), 'typed and added');
    assert.equal(shown('typed more', 'ty', 'typed'), 'typed more');
    assert.equal(shown('mine', 'mi', 'theirs'), 'theirs\n\nmine');
  });

  it('F5 E21 holds what was taken until the host has it, and gives it back to a page whose host never heard of it', () => {
    const { draft, typed } = open();
    draft.set('sent');
    const { atMs } = draft.take().rest;
    draft.set('next');
    const taken = [{ text: 'sent', atMs }];
    assert.deepEqual(typed.taken, taken);
    const next = open({ draft: 'next', draftAtMs: atMs + 1, taken });
    next.merge('', { draftTimes: { atMs: atMs - 1 } });
    assert.deepEqual([next.draft.text.value, next.typed.taken], ['sent\n\nnext', []]);
    const heard = open({ draft: 'next', draftAtMs: atMs + 1, taken });
    heard.merge('', { draftTimes: { atMs } });
    assert.equal(heard.draft.text.value, 'next');
    draft.heard(atMs);
    assert.deepEqual(typed.taken, []);
  });

  it('F5 nothing that comes later replaces what is typed, unless the host added to it', () => {
    const { draft, clock, posts, merge } = open();
    merge('');
    draft.set('typed');
    merge('old');
    assert.equal(draft.text.value, 'typed');
    clock.pass(300);
    assert.deepEqual(posts, [['typed', 'c']]);
    merge('typed\n\nadded', { draftReplaced: true });
    assert.equal(draft.text.value, 'typed\n\nadded');
  });

  it('F5 another conversation brings its own, and what is left behind is told for the one it was typed in', () => {
    const { draft, posts, merge } = open();
    merge('');
    draft.set('half a thought');
    merge('its own', { in: 'd', from: 'c' });
    assert.deepEqual([draft.text.value, posts], ['its own', [['half a thought', 'c']]]);
    draft.set('comes along');
    merge('its own', { in: 'new', from: 'd', draftFrom: 'd' });
    assert.equal(draft.text.value, 'comes along');
  });
});
