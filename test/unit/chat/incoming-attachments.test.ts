import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { type AttachmentRead, createIncomingAttachments } from '../../../src/chat/incoming-attachments.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A composer whose files are read when the test says so. */
function open() {
  const clock = createManualClock();
  let attached: Attachment[] = [];
  let conversation = 'c';
  let ids = 0;
  const sent: { text: string; with: string[] }[] = [];
  const drafts: string[] = [];
  const notes: string[] = [];
  const reads = new Map<string, PromiseWithResolvers<Awaited<AttachmentRead>>>();
  const incoming = createIncomingAttachments({
    viewModel: {
      conversation: () => ({ id: conversation }),
      draft: {
        attachments: () => attached,
        attach: (attachment) => {
          attached = [...attached, attachment];
        },
        hold: () => () => undefined,
        append: (text, to) => void drafts.push(`${text} in ${to}`),
      },
    },
    newId: () => `id ${ids++}`,
    after: clock.after,
    reasonOf: (error, label) => `${label}: ${(error as Error).message}`,
    note: (text) => void notes.push(text),
    refused: (failed) => void notes.push(`not sent: ${failed.map(({ label }) => label)}`),
  });
  const choose = (label: string, optional = false) => {
    const read = Promise.withResolvers<Awaited<AttachmentRead>>();
    reads.set(label, read);
    void incoming.add({ id: label, label, kind: 'file', optional }, () => read.promise);
  };
  const end = {
    read: (label: string) => reads.get(label)?.resolve({ id: 'other', label, text: label }),
    fail: (label: string) => reads.get(label)?.reject(new Error('gone')),
    refuse: (label: string) => reads.get(label)?.resolve(undefined),
  };
  const send = (text: string) =>
    incoming.whenHere(text, async () => {
      // A message takes everything that is attached, as the seat does.
      sent.push({ text, with: attached.map(({ id }) => id) });
      attached = [];
    });
  const chips = () => incoming.chips().map(({ label, failed }) => failed ?? label);
  const go = (to: string) => {
    conversation = to;
  };
  return { incoming, choose, ...end, send, sent, drafts, notes, chips, clock, go, attached: () => attached };
}

describe('what is on its way into a message', () => {
  it('F7 U1 goes with the message that was sent after it and with no other, in any order of reading, failing, refusing and removing', async () => {
    const step = fc.constantFrom('choose', 'choose', 'send', 'read', 'read', 'read', 'fail', 'refuse', 'remove');
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(step, fc.nat(20)), { minLength: 2, maxLength: 25 }), async (steps) => {
        const one = open();
        let chosen: string[] = [];
        let count = 0;
        const underway = new Set<string>();
        const outcome = new Map<string, string>();
        const messages: { text: string; with: string[]; seen: string[] }[] = [];
        for (const [what, nth] of steps) {
          const label = [...underway][nth % Math.max(1, underway.size)];
          if (what === 'choose') {
            const name = `file ${count++}`;
            one.choose(name);
            underway.add(name);
            chosen.push(name);
          } else if (what === 'send') {
            const text = `text ${messages.length}`;
            const failed = [...outcome].flatMap(([name, how]) => (how === 'fail' ? [name] : []));
            messages.push({ text, with: chosen, seen: [...underway, ...failed] });
            chosen = [];
            void one.send(text);
          } else if (label !== undefined) {
            underway.delete(label);
            outcome.set(label, what);
            if (what === 'remove') assert.equal(one.incoming.remove(label), true);
            else one[what](label);
          }
          await turn();
        }
        for (const label of underway) one.read(label);
        await turn();
        const blocked = (label: string) => ['fail', 'refuse'].includes(outcome.get(label) ?? '');
        // What was read for a message that did not go stays attached, and so does the note on what failed.
        let left: string[] = [];
        for (const { text, with: names, seen } of messages) {
          const good = names.filter((name) => (outcome.get(name) ?? 'read') === 'read');
          const actual = one.sent.find((message) => message.text === text);
          const drafted = one.drafts.includes(`${text} in c`);
          assert.equal(actual === undefined, drafted, `${text} is sent or in the draft`);
          assert.equal(drafted, seen.some(blocked), `${text} with ${names}`);
          left = [...left, ...good];
          if (!actual) continue;
          assert.deepEqual(actual.with, left, text);
          left = [];
        }
        const loose = chosen.filter((name) => (outcome.get(name) ?? 'read') === 'read');
        assert.deepEqual(
          one.attached().map(({ id }) => id),
          [...left, ...loose],
        );
      }),
      { numRuns: 300 },
    );
  });

  it('F7 is seen at once, in the order in which it was chosen, and a file that cannot be read says so until it is removed', async () => {
    const one = open();
    one.choose('a');
    one.choose('b');
    one.choose('c');
    assert.deepEqual(one.chips(), ['a', 'b', 'c']);
    one.read('c');
    one.fail('b');
    await turn();
    assert.deepEqual(one.chips(), ['a', 'b: gone', 'c']);
    one.read('a');
    await turn();
    assert.deepEqual(one.chips(), ['b: gone']);
    assert.deepEqual(
      one.attached().map(({ id }) => id),
      ['a', 'c'],
    );
    await one.send('Why?');
    assert.deepEqual([one.sent, one.drafts, one.notes], [[], ['Why? in c'], ['not sent: b']]);
    one.incoming.remove('b');
    await one.send('Why?');
    assert.deepEqual(one.sent, [{ text: 'Why?', with: ['a', 'c'] }]);
  });

  it('F7 U1 a message that waits is told after a moment, and taken back whole; what it waited for stays', async () => {
    const one = open();
    one.choose('a');
    void one.send('Why?');
    await turn();
    assert.deepEqual(one.incoming.waiting(), []);
    one.clock.pass(150);
    const [message] = one.incoming.waiting();
    assert.equal(message?.text, 'Why?');
    one.incoming.takeBack(message.id);
    await turn();
    assert.deepEqual([one.drafts, one.incoming.waiting(), one.chips()], [['Why? in c'], [], ['a']]);
    one.read('a');
    await turn();
    await one.send('Why now?');
    assert.deepEqual(one.sent, [{ text: 'Why now?', with: ['a'] }]);
  });

  it('F7 a message is not sent into another conversation that was opened meanwhile, nor without the image that it was', async () => {
    const one = open();
    one.choose('a');
    const sent = one.send('Why?');
    one.go('elsewhere');
    one.read('a');
    await sent;
    assert.deepEqual([one.sent, one.drafts], [[], ['Why? in c']]);
    const other = open();
    other.choose('image');
    const empty = other.send('');
    other.incoming.remove('image');
    await empty;
    assert.deepEqual([other.sent, other.drafts], [[], []]);
  });

  it('F7 what came along by itself and cannot be read is told and holds no message up', async () => {
    const one = open();
    one.choose('selection', true);
    const sent = one.send('Why?');
    one.fail('selection');
    await sent;
    assert.deepEqual([one.sent, one.notes, one.chips()], [[{ text: 'Why?', with: [] }], ['selection: gone'], []]);
  });
});
