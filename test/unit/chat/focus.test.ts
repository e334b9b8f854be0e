import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createFocus } from '../../../src/chat/focus.ts';

describe('F11 the view that commands act on', () => {
  const twoViews = () => {
    let nowMs = 0;
    const focus = createFocus<string>(() => nowMs);
    const [sideBar, tab] = ['side bar', 'tab'];
    focus.add(sideBar);
    focus.add(tab);
    const wait = (ms: number) => {
      nowMs += ms;
    };
    return { focus, sideBar, tab, wait, active: focus.active };
  };
  const inside = { chat: true, input: true, used: true };
  const unused = { ...inside, used: false };
  const outside = { chat: false, input: false, used: false };

  it('is the one that had the focus last, while a palette has it', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(sideBar, inside);
    focus.changed(tab, inside);
    focus.changed(sideBar, outside);
    focus.changed(tab, outside);
    assert.equal(active(), 'tab');
  });

  it('is the one that has the focus, when what another one had for a moment is told late', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(sideBar, inside);
    focus.changed(tab, inside);
    focus.changed(tab, outside);
    assert.equal(active(), 'side bar');
    focus.changed(sideBar, outside);
    assert.equal(active(), 'side bar');
  });

  it('is still the side bar when the palette gives the focus to a tab before its command comes', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(tab, inside);
    focus.changed(tab, outside);
    focus.changed(sideBar, inside);
    focus.changed(sideBar, outside);
    focus.changed(tab, unused);
    assert.equal(active(), 'side bar');
    focus.changed(tab, inside);
    assert.equal(active(), 'tab');
  });

  it('is a tab that was only brought to the front when a palette takes the focus from it', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(sideBar, inside);
    focus.changed(sideBar, outside);
    focus.changed(tab, unused);
    focus.changed(tab, outside);
    assert.equal(active(), 'tab');
  });

  it('is what was shown on purpose, whatever loses the focus to it later', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(tab, unused);
    focus.activate(sideBar);
    focus.changed(tab, outside);
    assert.equal(active(), 'side bar');
  });

  it('is not a tab that goes out of sight after another view got the focus from it', () => {
    const { focus, sideBar, tab, active } = twoViews();
    focus.changed(sideBar, inside);
    focus.changed(tab, unused);
    focus.changed(tab, outside);
    focus.changed(sideBar, outside);
    focus.changed(tab, outside);
    assert.equal(active(), 'side bar');
  });

  it('is not a tab that the palette gave the focus to, when the box of its command takes it', () => {
    for (const isEarly of [true, false]) {
      const { focus, sideBar, tab, wait, active } = twoViews();
      wait(60_000);
      focus.changed(sideBar, inside);
      focus.changed(sideBar, outside);
      if (isEarly) focus.changed(tab, unused);
      focus.commandBegins();
      wait(300);
      if (!isEarly) focus.changed(tab, unused);
      focus.changed(tab, outside);
      assert.equal(active(), 'side bar');
      wait(2000);
      focus.changed(tab, unused);
      focus.changed(tab, outside);
      assert.equal(active(), 'tab');
    }
  });

  it('tells whether one of them has it, and whether that is in its text box', () => {
    const { focus, sideBar, tab } = twoViews();
    const told: boolean[][] = [];
    focus.onDidChange((inChat, inInput) => told.push([inChat, inInput]));
    focus.changed(sideBar, inside);
    focus.changed(tab, { ...inside, input: false });
    focus.changed(sideBar, outside);
    focus.remove(tab);
    assert.deepEqual(told, [
      [true, true],
      [true, true],
      [true, false],
      [false, false],
    ]);
    assert.equal(focus.active(), sideBar);
    assert.equal(focus.focused(), undefined);
  });
});
