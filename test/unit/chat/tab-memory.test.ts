import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createTabMemory } from '../../../src/chat/tab-memory.ts';
import { createValues } from '../vscode/memento.ts';

const minute = 60_000;

describe('what chat tabs show, for the next window', () => {
  function start(values = createValues()) {
    let nowMs = 0;
    const memory = createTabMemory({ values, nowMs: () => nowMs });
    const wait = (ms: number) => {
      nowMs += ms;
    };
    return { values, memory, wait };
  }
  const keysOf = (lost: readonly { key: string }[]) => lost.map(({ key }) => key);

  it('F11 E21 knows by its key what a tab showed last, in a later window too', () => {
    const { values, memory } = start();
    memory.keep('k', { conversationId: 'a', title: 'New Chat' });
    memory.keep('k', { conversationId: 'b', title: 'Other', column: 2 });
    assert.deepEqual(start(values).memory.get('k'), { conversationId: 'b', title: 'Other', column: 2, atMs: 0 });
    assert.equal(start(values).memory.get('j'), undefined);
  });

  it('F11 a chat tab that is closed is forgotten for the next window', () => {
    const { memory, values } = start();
    memory.keep('k', { conversationId: 'a', title: 'One' });
    memory.forget('k');
    assert.equal(memory.get('k'), undefined);
    assert.deepEqual(memory.takeLost([]), []);
    assert.deepEqual(values.keys(), []);
  });

  it('E21 tells which tabs VS Code lost in a crash, from left to right', () => {
    const { memory, wait } = start();
    memory.keep('stored', { conversationId: 'a', title: 'Stored', column: 1 });
    wait(1000);
    memory.keep('right', { conversationId: 'b', title: 'GLM 5.3: Which way?', column: 2 });
    memory.keep('left', { conversationId: 'c', title: 'Kimi K3: Which way?', column: 1 });
    wait(20_000);
    assert.deepEqual(keysOf(memory.takeLost([{ title: 'Stored', column: 1 }])), ['left', 'right']);
  });

  it('F11 takes a tab with another title for one that was renamed since, the oldest first', () => {
    const { memory, wait } = start();
    memory.keep('first', { conversationId: 'a', title: 'Renamed', column: 1 });
    wait(1000);
    memory.keep('second', { conversationId: 'b', title: 'Younger', column: 1 });
    assert.deepEqual(keysOf(memory.takeLost([{ title: 'New Chat', column: 3 }])), ['second']);
    assert.deepEqual(memory.takeLost([{ title: 'a' }, { title: 'b' }, { title: 'c' }]), []);
  });

  it('F11 does not open a tab again that was closed while the extension was not running', () => {
    const { memory, wait } = start();
    memory.keep('old', { conversationId: 'a', title: 'Old', column: 1 });
    wait(11 * minute);
    memory.keep('young', { conversationId: 'b', title: 'Young', column: 1 });
    wait(minute);
    assert.deepEqual(keysOf(memory.takeLost([])), ['young']);
    assert.equal(memory.get('old'), undefined);
    assert.notEqual(memory.get('young'), undefined);
  });

  it('F11 of every tab it is known whether it is among those that are open, whatever else looks like it', () => {
    const look = fc.record({
      title: fc.constantFrom('New Chat', 'One', 'Two'),
      column: fc.integer({ min: 1, max: 2 }),
    });
    fc.assert(
      fc.property(
        fc.array(fc.record({ look, isOpen: fc.boolean() }), { maxLength: 8 }),
        fc.array(look, { maxLength: 3 }),
        (tabs, others) => {
          const { memory } = start();
          for (const [at, tab] of tabs.entries()) memory.keep(String(at), { conversationId: `c${at}`, ...tab.look });
          const open = tabs.filter(({ isOpen }) => isOpen).map((tab) => tab.look);
          const lost = memory.takeLost([...open, ...others].reverse());
          assert.equal(lost.length, Math.max(0, tabs.length - open.length - others.length));
          assert.equal(new Set(keysOf(lost)).size, lost.length);
          // Nothing open is opened a second time: there are never more lost ones of a look than closed ones.
          for (const { tab } of lost) {
            const same = (each: { title: string; column?: number }) =>
              each.title === tab.title && each.column === tab.column;
            const closed = tabs.filter((each) => !each.isOpen && same(each.look)).length;
            assert.ok(lost.filter((each) => same(each.tab)).length <= closed);
          }
        },
      ),
    );
  });

  it('E04 a tab that another version stored in another shape counts as none', () => {
    const values = createValues();
    void values.update('tab.a', { conversationId: 1 });
    void values.update('tab.b', 'x');
    const { memory } = start(values);
    assert.equal(memory.get('a'), undefined);
    assert.deepEqual(memory.takeLost([]), []);
  });
});
