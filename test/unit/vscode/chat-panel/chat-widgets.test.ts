import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createFocus } from '../../../../src/chat/focus.ts';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import {
  createChatWidgets,
  openNeighbour,
  showPendingApproval,
} from '../../../../src/vscode/chat-panel/chat-widgets.ts';
import { conversationWith, paneWith } from './widgets.ts';

describe('the views of the chat', () => {
  const [quiet, other] = [conversationWith('quiet'), conversationWith('other')];

  function open(...widgets: ReturnType<typeof paneWith>[]) {
    const focus = createFocus<ChatViewModel>(() => 0);
    const views = createChatWidgets(focus);
    for (const widget of widgets) views.add(widget);
    return { focus, views };
  }

  it('F11 commands act on the side bar until another view was used, and again when that one is gone', () => {
    const [bar, tab] = [paneWith('bar', quiet), paneWith('tab', other)];
    const { focus, views } = open(bar, tab);
    assert.deepEqual([views.sideBar(), views.active()], [bar, bar]);
    focus.activate(tab.viewModel);
    assert.deepEqual([views.sideBar(), views.active()], [bar, tab]);
    views.remove(tab);
    assert.deepEqual([views.active(), views.all()], [bar, [bar]]);
    assert.throws(() => open().views.active(), /side bar is the first/);
  });

  it('F11 of several views of one conversation the active one counts, else one in sight, else any', () => {
    const hidden = paneWith('bar', quiet, { visible: false });
    const [seen, third] = [paneWith('seen', quiet), paneWith('third', quiet)];
    const { focus, views } = open(hidden, paneWith('x', other), seen, third);
    focus.activate(third.viewModel);
    assert.equal(views.showing(quiet), third);
    views.remove(third);
    focus.activate(views.all()[1]?.viewModel ?? hidden.viewModel);
    assert.equal(views.showing(quiet), seen);
    views.remove(seen);
    assert.equal(views.showing(quiet), hidden);
    assert.equal(views.showing(conversationWith('nowhere')), undefined);
  });

  it('goes to what waits: in the active view, else where it shows, else the oldest in the side bar', async () => {
    const [first, second] = [conversationWith('first', { approvals: 1 }), conversationWith('second', { asks: true })];
    const [bar, one, two] = [paneWith('bar', quiet), paneWith('one', first), paneWith('two', second)];
    const { focus, views } = open(bar, one, two);
    await showPendingApproval(views, [quiet, first, second]);
    assert.deepEqual(one.done, ['one showApproval']);
    focus.activate(two.viewModel);
    await showPendingApproval(views, [quiet, first, second]);
    assert.deepEqual(two.done, ['two showApproval']);
    views.remove(one);
    views.remove(two);
    await showPendingApproval(views, [quiet, first, second]);
    assert.deepEqual(bar.done.splice(0), ['bar opens first', 'bar showApproval']);
    await showPendingApproval(views, [quiet]);
    assert.deepEqual(bar.done.splice(0), ['bar showApproval']);
    const compacts = conversationWith('compacts');
    compacts.asksToCompact(true);
    await showPendingApproval(views, [other, compacts]);
    assert.deepEqual(bar.done, ['bar opens compacts', 'bar showApproval']);
  });

  it('F6 steps through the list of conversations, from an empty one into it, and not over its ends', async () => {
    const step = async (from: string, by: 1 | -1) => {
      const widget = paneWith('bar', conversationWith(from));
      const list = async () => [{ id: 'new' }, { id: 'middle' }, { id: 'old' }];
      await openNeighbour({ ...widget.viewModel, list } as unknown as ChatViewModel, by);
      return widget.done;
    };
    assert.deepEqual(await step('middle', 1), ['bar opens old']);
    assert.deepEqual(await step('middle', -1), ['bar opens new']);
    assert.deepEqual(await step('empty', 1), ['bar opens new']);
    for (const [from, by] of [
      ['empty', -1],
      ['new', -1],
      ['old', 1],
    ] as const)
      assert.deepEqual(await step(from, by), []);
  });
});
