import assert from 'node:assert/strict';
import fc from 'fast-check';
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
    post: (message) => void (message.type === 'draftChanged' && posts.push([message.text, message.conversationId])),
    save: () => void saves++,
    conversationId: () => 'c',
    after: clock.after,
    now: clock.now,
  });
  type Snapshot = Parameters<typeof draft.arrive>[0];
  const arrive = (
    text: string,
    { in: id = 'c', from = 'c', ...more }: Partial<Snapshot> & { in?: string; from?: string } = {},
  ) => draft.arrive({ state: { ...emptyChat, conversationId: id }, draft: text, ...more } as Snapshot, from);
  return { draft, clock, posts, arrive, saves: () => saves };
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
    draft.add('first');
    draft.add('second');
    assert.equal(draft.text.value, 'first\n\nsecond');
    draft.remove('first');
    assert.equal(draft.text.value, 'first\n\nsecond');
    assert.equal(draft.take(), 'first\n\nsecond');
    assert.deepEqual([draft.text.value, posts.at(-1)], ['', ['', 'c']]);
    draft.set('  sent ');
    draft.remove('sent');
    assert.equal(draft.text.value, '');
  });

  it('F5 a page that begins shows what was typed, with what the host was told since', () => {
    const shown = (draft: string, postedDraft: string, host: string) => {
      const page = open({ draft, postedDraft });
      page.arrive(host);
      return page.draft.text.value;
    };
    assert.equal(shown('typed more', 'typed', 'typed'), 'typed more');
    assert.equal(shown('typed', 'typed', 'other'), 'other');
    assert.equal(shown('typed', 'ty', 'typed and added'), 'typed and added');
    assert.equal(shown('typed more', 'ty', 'typed'), 'typed more');
    assert.equal(shown('mine', 'mi', 'theirs'), 'theirs\n\nmine');
  });

  it('F5 nothing that comes later replaces what is typed, unless the host added to it', () => {
    const { draft, clock, posts, arrive } = open();
    arrive('');
    draft.set('typed');
    arrive('old');
    assert.equal(draft.text.value, 'typed');
    clock.pass(300);
    assert.deepEqual(posts, [['typed', 'c']]);
    arrive('typed\n\nadded', { draftReplaced: true });
    assert.equal(draft.text.value, 'typed\n\nadded');
  });

  it('F5 another conversation brings its own, and what is left behind is told for the one it was typed in', () => {
    const { draft, posts, arrive } = open();
    arrive('');
    draft.set('half a thought');
    arrive('its own', { in: 'd', from: 'c' });
    assert.deepEqual([draft.text.value, posts], ['its own', [['half a thought', 'c']]]);
    draft.set('comes along');
    arrive('its own', { in: 'new', from: 'd', draftFrom: 'd' });
    assert.equal(draft.text.value, 'comes along');
  });

  it('F5 E21 shows no word twice and none that was sent, whichever of its states VS Code kept for a page that dies', () => {
    const steps = fc.array(fc.constantFrom('type', 'send', 'wait', 'keep', 'die'), { maxLength: 40 });
    fc.assert(
      fc.property(steps, (life) => {
        const pages = livePages();
        const sent = new Set<string>();
        let word = 0;
        for (const step of life) {
          const { draft } = pages.page();
          if (step === 'type') draft.set(`${draft.text.value} w${++word}`.trim());
          if (step === 'send') for (const one of wordsOf(draft.take())) sent.add(one);
          if (step === 'wait') pages.clock.pass(300);
          if (step === 'keep') pages.keep();
          if (step === 'die') pages.die();
          const words = wordsOf(pages.page().draft.text.value);
          assert.equal(new Set(words).size, words.length, words.join(' '));
          for (const one of words) assert.ok(!sent.has(one), `${one} was sent`);
          for (const one of wordsOf(pages.host.draft)) assert.ok(words.includes(one), `${one} is lost`);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');

/** A host that hears everything, and one page after the other, each with what VS Code last kept for one of them. */
function livePages() {
  const host: { draft: string; emptiedAtMs?: number } = { draft: '' };
  const clock = createManualClock();
  let begun = 0;
  let kept: Parameters<typeof typedText>[0] = {};
  const begin = () => {
    const own = ++begun;
    const typed = typedText(kept);
    const draft = createDraft({
      typed,
      post(message) {
        if (message.type !== 'draftChanged') return;
        host.draft = message.text;
        host.emptiedAtMs = message.emptiedAtMs ?? host.emptiedAtMs;
      },
      save: () => undefined,
      conversationId: () => 'c',
      after: (ms, run) => clock.after(ms, () => own === begun && run()),
      now: clock.now,
    });
    draft.arrive({ state: { ...emptyChat, conversationId: 'c' }, ...host } as Parameters<typeof draft.arrive>[0], 'c');
    return { draft, typed };
  };
  let page = begin();
  return {
    host,
    clock,
    page: () => page,
    keep() {
      const { text, posted, atMs } = page.typed;
      kept = { draft: text.value, postedDraft: posted, draftAtMs: atMs };
    },
    die() {
      page = begin();
    },
  };
}
