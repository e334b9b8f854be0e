import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { type ChatPane, createChatPanes } from '../../../src/vscode/chat-panes.ts';

describe('F11 the view that commands act on', () => {
  // Nothing of a view is used: only which one it is.
  const twoViews = () => {
    const panes = createChatPanes();
    const [sideBar, tab] = [{} as ChatPane, {} as ChatPane];
    panes.add(sideBar);
    panes.add(tab);
    return { panes, sideBar, tab, active: () => (panes.active() === tab ? 'tab' : 'side bar') };
  };
  const inside = { chat: true, input: true };
  const outside = { chat: false, input: false };

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
});
