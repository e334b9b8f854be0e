import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createComparisons } from '../../../../src/chat/comparisons.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { createCompared } from '../../../../src/vscode/chat-panel/compared.ts';
import { createMemento } from '../memento.ts';
import { conversationWith, paneWith } from './widgets.ts';

describe('two answers side by side', () => {
  function open() {
    const [one, other, third] = ['one', 'other', 'third'].map((id) => conversationWith(id)) as [
      ReturnType<typeof conversationWith>,
      ReturnType<typeof conversationWith>,
      ReturnType<typeof conversationWith>,
    ];
    const comparisons = createComparisons(createMemento());
    comparisons.begin('origin', [
      { id: 'one', model: 'svc/a' },
      { id: 'other', model: 'svc/b' },
    ]);
    const widgets = [paneWith('one', one), paneWith('other', other), paneWith('third', third)] as const;
    const compared = createCompared({
      comparisons,
      conversations: { get: (id: string) => [one, other, third].find((live) => live.id === id) },
      widgets: {
        showing: (shown: Conversation) => widgets.find(({ viewModel }) => viewModel.conversation() === shown),
      },
    });
    return { one, other, third, comparisons, widgets, compared };
  }

  it('going on with one stops the other, closes its tab and gives the focus to the one', () => {
    const { one, other, comparisons, widgets, compared } = open();
    compared.keep(one as unknown as Conversation, widgets[0].view.focusInput);
    assert.deepEqual([one.stopped, other.stopped], [[], ['other']]);
    assert.deepEqual([widgets[0].done, widgets[1].done], [['one focusInput'], ['other close']]);
    assert.deepEqual([comparisons.of('one'), comparisons.of('other')], [undefined, undefined]);
    compared.keep(one as unknown as Conversation, widgets[0].view.focusInput);
    assert.deepEqual(widgets[0].done, ['one focusInput']);
  });

  it('Stop ends both of a pair, and one that stands alone only itself', () => {
    const { one, other, third, compared } = open();
    compared.stop(other);
    assert.deepEqual([one.stopped, other.stopped, third.stopped], [['one'], ['other'], []]);
    compared.stop(third);
    assert.deepEqual([one.stopped, other.stopped, third.stopped], [['one'], ['other'], ['third']]);
  });
});
