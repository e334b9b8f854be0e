import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ChatPane, createChatPanes } from '../../../src/vscode/chat/chat-panes.ts';

describe('F11 the view that commands act on', () => {
  // Nothing of a view is used: only which one it is.
  const twoViews = () => {
    let nowMs = 0;
    const panes = createChatPanes(() => nowMs);
    const [sideBar, tab] = [{} as ChatPane, {} as ChatPane];
    panes.add(sideBar);
    panes.add(tab);
    const wait = (ms: number) => {
      nowMs += ms;
    };
    return { panes, sideBar, tab, wait, active: () => (panes.active() === tab ? 'tab' : 'side bar') };
  };
  const inside = { chat: true, input: true, used: true };
  const unused = { ...inside, used: false };
  const outside = { chat: false, input: false, used: false };

  it('is the one that had the focus last, while a palette has it', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(sideBar, inside);
    panes.focusChanged(tab, inside);
    panes.focusChanged(sideBar, outside);
    panes.focusChanged(tab, outside);
    assert.equal(active(), 'tab');
  });

  it('is the one that has the focus, when what another one had for a moment is told late', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(sideBar, inside);
    panes.focusChanged(tab, inside);
    panes.focusChanged(tab, outside);
    assert.equal(active(), 'side bar');
    panes.focusChanged(sideBar, outside);
    assert.equal(active(), 'side bar');
  });

  it('is still the side bar when the palette gives the focus to a tab before its command comes', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(tab, inside);
    panes.focusChanged(tab, outside);
    panes.focusChanged(sideBar, inside);
    panes.focusChanged(sideBar, outside);
    panes.focusChanged(tab, unused);
    assert.equal(active(), 'side bar');
    panes.focusChanged(tab, inside);
    assert.equal(active(), 'tab');
  });

  it('is a tab that was only brought to the front when a palette takes the focus from it', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(sideBar, inside);
    panes.focusChanged(sideBar, outside);
    panes.focusChanged(tab, unused);
    panes.focusChanged(tab, outside);
    assert.equal(active(), 'tab');
  });

  it('is what was shown on purpose, whatever loses the focus to it later', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(tab, unused);
    panes.activate(sideBar);
    panes.focusChanged(tab, outside);
    assert.equal(active(), 'side bar');
  });

  it('is not a tab that goes out of sight after another view got the focus from it', () => {
    const { panes, sideBar, tab, active } = twoViews();
    panes.focusChanged(sideBar, inside);
    panes.focusChanged(tab, unused);
    panes.focusChanged(tab, outside);
    panes.focusChanged(sideBar, outside);
    panes.focusChanged(tab, outside);
    assert.equal(active(), 'side bar');
  });

  it('is not a tab that the palette gave the focus to, when the box of its command takes it', () => {
    for (const isEarly of [true, false]) {
      const { panes, sideBar, tab, wait, active } = twoViews();
      wait(60_000);
      panes.focusChanged(sideBar, inside);
      panes.focusChanged(sideBar, outside);
      if (isEarly) panes.focusChanged(tab, unused);
      panes.commandBegins();
      wait(300);
      if (!isEarly) panes.focusChanged(tab, unused);
      panes.focusChanged(tab, outside);
      assert.equal(active(), 'side bar');
      wait(2000);
      panes.focusChanged(tab, unused);
      panes.focusChanged(tab, outside);
      assert.equal(active(), 'tab');
    }
  });
});
