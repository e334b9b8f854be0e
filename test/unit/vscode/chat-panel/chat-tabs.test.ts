import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createComparisons } from '../../../../src/chat/comparisons.ts';
import { createFocus } from '../../../../src/chat/focus.ts';
import { createTabMemory } from '../../../../src/chat/tab-memory.ts';
import { createPageMemory } from '../../../../src/chat/view-memory.ts';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import type { ChatState } from '../../../../src/shared/chat/chat-state.ts';
import type { ChatTabsDeps } from '../../../../src/vscode/chat-panel/chat-tabs.ts';
import { type ChatWidget, createChatWidgets } from '../../../../src/vscode/chat-panel/chat-widgets.ts';
import { createWebview, person, reset, TabInputWebview, Uri, window } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { createMemento, createValues } from '../memento.ts';
import { compactAsked } from './widgets.ts';

const { createChatTabs } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat-panel/chat-tabs.ts')>(
  new URL('../../../../src/vscode/chat-panel/chat-tabs.ts', import.meta.url),
);

type TestViewModel = ChatViewModel & { goTo(id: string): void; asksToCompact(isAsked: boolean): void };

const never = () => ({ dispose: () => undefined });

describe('the chat in tabs', () => {
  beforeEach(reset);

  function open(kept = createValues()) {
    const done: string[] = [];
    const forgotten: string[] = [];
    let made = 0;
    const viewModelOf = (id: string | undefined): TestViewModel => {
      let changed: () => void = () => undefined;
      let shown = id ?? `new-${++made}`;
      let asked: ChatState['asked'];
      const viewModel = {
        conversation: () => ({ id: shown, state: viewModel.state }),
        state: () => ({
          ...{ items: [], title: shown.startsWith('new') ? '' : `About ${shown}`, model: `svc/${shown}` },
          ...(asked && { asked }),
        }),
        takeDraft(from: TestViewModel | undefined) {
          done.push(`${shown} takes ${from?.conversation().id ?? 'what was left'}`);
          // The view that had it begins a new chat.
          from?.goTo('new');
        },
        close: () => done.push(`${shown} left`),
        onDidReset: never,
        onDidEmit(listener: () => void) {
          changed = listener;
          return { dispose: () => done.push(`${shown} is not heard any more`) };
        },
        goTo(next: string) {
          shown = next;
          changed();
        },
        asksToCompact(isAsked: boolean) {
          asked = isAsked ? compactAsked : undefined;
          changed();
        },
      };
      return viewModel as unknown as TestViewModel;
    };
    const comparisons = createComparisons(createMemento());
    const focus = createFocus<ChatViewModel>(() => 0);
    const widgets = createChatWidgets(focus);
    const widgetOn = (viewModel: ChatViewModel, reveal: () => Promise<void>): ChatWidget =>
      ({
        viewModel,
        show: reveal,
        channel: { resolve: () => undefined, visible: () => true, onDidShow: never },
      }) as unknown as ChatWidget;
    widgets.add(widgetOn(viewModelOf('bar'), async () => void done.push('side bar shown')));
    let keys = 0;
    const seats: TestViewModel[] = [];
    const values = createValues();
    const tabMemory = createTabMemory({ values: kept, nowMs: () => 0 });
    const tabs = createChatTabs({
      ...{ widgets, comparisons, tabMemory },
      extensionUri: Uri.file('/ext') as unknown as ChatTabsDeps['extensionUri'],
      nameOf: (model) => model.toUpperCase(),
      async createViewModel({ conversationId }) {
        const viewModel = viewModelOf(conversationId);
        seats.push(viewModel);
        return viewModel;
      },
      createWidget: (viewModel, { reveal }) => ({
        ...widgetOn(viewModel, reveal),
        dispose: () => void done.push('pane disposed'),
      }),
      pageOf: (key) => ({ ...createPageMemory(values, key), forget: () => void forgotten.push(key) }),
      newKey: () => `key${++keys}`,
    });
    const titles = () => person.panels.filter(({ isDisposed }) => !isDisposed).map(({ title }) => title);
    return { tabs, done, forgotten, comparisons, widgets, focus, tabMemory, titles, seats };
  }
  type Restored = Parameters<ReturnType<typeof createChatTabs>['restore']>[0];
  /** As VS Code gives it back: with the roots that it was opened with, as plain parts. */
  const restored = (key?: string) =>
    createWebview({
      options: {
        localResourceRoots: [{ path: '/ext/dist/media' }, ...(key ? [{ path: `/ext/dist/media/tab/${key}` }] : [])],
      },
    }) as ReturnType<typeof createWebview> & Restored;

  it('F11 what the side bar shows moves into a tab with its draft; what a tab shows already comes to the front', async () => {
    const { tabs, done, titles, tabMemory } = open();
    await tabs.open();
    assert.deepEqual([titles(), done.splice(0)], [['About bar'], ['bar takes bar']]);
    assert.equal(person.panels[0]?.reveals, 1);
    assert.equal(tabMemory.get('key1')?.conversationId, 'bar');
    await tabs.open('bar');
    assert.deepEqual([titles(), person.panels[0]?.reveals], [['About bar'], 2]);
    await tabs.open('other');
    assert.deepEqual([titles(), done], [['About bar', 'About other'], ['other takes what was left']]);
  });

  it('F11 from a tab, a new chat opens in the next one, and its title follows', async () => {
    const { tabs, done, titles, seats, widgets, focus, tabMemory } = open();
    await tabs.open('a');
    focus.activate(seats[0] ?? widgets.sideBar().viewModel);
    done.length = 0;
    await tabs.open(undefined);
    assert.deepEqual([titles(), done], [['About a', 'New Chat'], []]);
    seats.at(-1)?.goTo('renamed');
    assert.equal(titles()[1], 'About renamed');
    assert.equal(tabMemory.get('key2')?.title, 'About renamed');
  });

  it('U4 the title of a tab says that its message waits for its user', async () => {
    const { tabs, titles, seats } = open();
    await tabs.open('a');
    seats[0]?.asksToCompact(true);
    assert.deepEqual(titles(), ['Needs you: About a']);
    seats[0]?.asksToCompact(false);
    assert.deepEqual(titles(), ['About a']);
  });

  it('two answers stand beside each other, each under the name of its model', async () => {
    const { tabs, comparisons, titles, done } = open();
    comparisons.begin('bar', [
      { id: 'a', model: 'svc/a' },
      { id: 'b', model: 'svc/b' },
    ]);
    await tabs.openBeside(['a', 'b']);
    assert.deepEqual(titles(), ['SVC/A: About a', 'SVC/B: About b']);
    assert.deepEqual(
      person.panels.map(({ viewColumn }) => viewColumn),
      [-1, -2],
    );
    person.panels[0]?.dispose();
    assert.equal(comparisons.of('b'), undefined);
    assert.deepEqual(titles(), ['About b']);
    assert.ok(done.includes('a left'));
  });

  it('F5 a tab that is closed is forgotten, its seat left', async () => {
    const { tabs, done, forgotten, widgets, tabMemory } = open();
    await tabs.open('a');
    done.length = 0;
    person.panels[0]?.dispose();
    assert.deepEqual(done, ['a is not heard any more', 'pane disposed', 'a left']);
    assert.deepEqual([forgotten, widgets.all().length, tabMemory.isEmpty()], [['key1'], 1, true]);
  });

  it('F5 a restored tab shows what was kept of it, else what its page says, else a new chat', async () => {
    const kept = createValues();
    const before = open(kept);
    before.tabMemory.keep('tab-7', { conversationId: 'kept', title: 'x' });
    const { tabs } = open(kept);
    const titleOf = async (panel: ReturnType<typeof restored>, state?: unknown) => {
      await tabs.restore(panel, state);
      return panel.title;
    };
    assert.equal(await titleOf(restored('tab-7'), { conversationId: 'old' }), 'About kept');
    // A copy of the tab: the key is taken.
    assert.equal(await titleOf(restored('tab-7'), { conversationId: 'copied' }), 'About copied');
    assert.equal(await titleOf(restored(), { conversationId: 'said' }), 'About said');
    for (const state of [undefined, null, 'x', {}, { conversationId: '' }, { conversationId: 5 }]) {
      assert.equal(await titleOf(restored(), state), 'New Chat');
    }
  });

  it('F5 tabs that a crash took are opened again, without the focus, but not those that VS Code still shows', async () => {
    const kept = createValues();
    const { tabs, tabMemory, titles } = open(kept);
    tabMemory.keep('lost', { conversationId: 'lost', title: 'Lost', column: 2 });
    tabMemory.keep('there', { conversationId: 'there', title: 'There', column: 1 });
    await tabs.reopenLost();
    assert.deepEqual(titles(), []);
    const input = (type: string) => new TabInputWebview(type);
    Object.assign(window.tabGroups, {
      all: [
        {
          viewColumn: 1,
          tabs: [
            { label: 'There', input: input('mainThreadWebview-svc.chatEditor') },
            { label: 'Lost', input: input('other') },
            { label: 'Lost', input: undefined },
          ],
        },
      ],
    });
    await tabs.reopenLost();
    assert.deepEqual(
      person.panels.map(({ title, viewColumn, reveals }) => [title, viewColumn, reveals]),
      [['About lost', 2, 0]],
    );
  });
});
