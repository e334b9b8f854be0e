import assert from 'node:assert/strict';
import { createSections, perSection } from '../../../../media/chat/transcript/sections.ts';
import type { ChatItem } from '../../../../src/shared/chat/chat-state.ts';

const message = (id: number): ChatItem => ({ kind: 'user', id: `m${id}`, at: 0, text: '', attachments: [] });
const messages = (count: number) => Array.from({ length: count }, (_, index) => message(index));

describe('sections of a conversation', () => {
  it('P7 hold every message from the first drawn one on, in order, with borders that do not move', () => {
    const items = messages(3 * perSection + 7);
    const divide = createSections();
    for (const from of [items.length - 20, perSection + 1, perSection, 3, 0]) {
      const sections = divide(items, from);
      assert.deepEqual(
        sections.flatMap((section) => section.items),
        items.slice(from),
      );
      for (const { start, items: held, after } of sections) {
        assert.equal(after, items[start + held.length]);
        assert.ok(start === from || start % perSection === 0);
        assert.ok(Math.floor(start / perSection) === Math.floor((start + held.length - 1) / perSection));
      }
    }
  });

  it('P7 stay the same objects but for the one that changed', () => {
    const items = messages(3 * perSection);
    const divide = createSections();
    const before = divide(items, 0);
    const grown = divide([...items, message(999)], 0);
    assert.deepEqual(
      grown.map((section, index) => section === before[index]),
      [true, true, false, false],
    );
    const changed = divide(items.with(perSection + 3, message(1000)), 0);
    assert.deepEqual(
      changed.map((section, index) => section === before[index]),
      [true, false, false],
    );
  });

  it('P7 change when only the message behind them does: an answer tells what can be done with its question', () => {
    const items = messages(2 * perSection);
    const divide = createSections();
    const before = divide(items, 0);
    const after = divide(items.with(perSection, message(1000)), 0);
    assert.notEqual(after[0], before[0]);
  });
});
