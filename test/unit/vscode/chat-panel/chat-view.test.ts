import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createEmitter } from '../../../../src/base/emitter.ts';
import { createPageMemory } from '../../../../src/chat/view-memory.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import type { PanelInfo } from '../../../../src/shared/panel/panel-info.ts';
import type { HostMessage, PanelMessage } from '../../../../src/shared/panel/protocol.ts';
import type { ChatViewDeps } from '../../../../src/vscode/chat-panel/chat-view.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { createValues } from '../memento.ts';

const { createChatView } = await importWithVscodeStub<typeof import('../../../../src/vscode/chat-panel/chat-view.ts')>(
  new URL('../../../../src/vscode/chat-panel/chat-view.ts', import.meta.url),
);

const key = 'sk-svc-secret';
const delta = (text: string): ChatEvent => ({ type: 'textDelta', turnId: 't', step: 1, text });
const turn = () => new Promise(setImmediate);

describe("the panel's other end", () => {
  let shown = true;
  let posts: HostMessage[] = [];
  beforeEach(() => {
    shown = true;
    posts = [];
  });

  function open(deps: Partial<ChatViewDeps> = {}) {
    const messages = createEmitter<[message: PanelMessage]>();
    const shownAgain = createEmitter();
    const asked: string[] = [];
    const view = createChatView({
      channel: {
        isShown: () => shown,
        visible: () => shown,
        post: (message) => void (shown && posts.push(message)),
        resolve: () => undefined,
        onDidReceiveMessage: messages.event,
        onDidShowAgain: shownAgain.event,
        onDidShow: () => ({ dispose: () => undefined }),
      },
      state: () => emptyChat,
      draft: { text: () => 'half a thought', cameFrom: () => undefined, times: () => undefined },
      info: () => ({}) as PanelInfo,
      page: createPageMemory(createValues(), 'side bar'),
      price: (changed) => {
        asked.push(changed);
        return undefined as unknown as ReturnType<ChatViewDeps['price']>;
      },
      afterSent: setImmediate,
      colors: { color: async () => undefined },
      withoutKeys: (record) => JSON.parse(JSON.stringify(record).replaceAll(key, '…')),
      ...deps,
    });
    const types = () => posts.map(({ type }) => type);
    const snapshot = () => posts.findLast((post) => post.type === 'snapshot');
    return { view, says: messages.fire, shownAgain: shownAgain.fire, asked, types, snapshot };
  }

  it('F5 gives a page that begins everything, once, and what it told of itself only then', () => {
    const page = { conversationId: 'a', atMs: 1, toggled: ['a'], dismissed: [] };
    const memory = createPageMemory(createValues(), 'side bar');
    memory.set(page);
    const { says, shownAgain, snapshot } = open({
      page: memory,
      draft: { text: () => 'half a thought', cameFrom: () => 'other', times: () => ({ atMs: 7 }) },
    });
    says({ type: 'ready' });
    const first = snapshot();
    assert.deepEqual([first?.draft, first?.draftFrom, first?.page], ['half a thought', 'other', page]);
    assert.deepEqual(first?.draftTimes, { atMs: 7 });
    assert.ok(first && !('draftReplaced' in first));
    shownAgain();
    assert.equal(posts.filter(({ type }) => type === 'snapshot').length, 2);
    assert.deepEqual([snapshot()?.page, snapshot()?.draftTimes], [undefined, undefined]);
  });

  it('sends a hidden page nothing, and what was collected before a snapshot not after it', async () => {
    const { view, types, shownAgain } = open();
    view.applyEvents([delta('a')]);
    view.applyEvents([delta('b')]);
    view.reset();
    shown = false;
    view.applyEvents([delta('c')]);
    view.reset();
    view.focusInput();
    await turn();
    shown = true;
    shownAgain();
    await turn();
    assert.deepEqual(types(), ['events', 'snapshot', 'snapshot', 'price']);
  });

  it('S17 takes keys out of what it shows', () => {
    const { view, says, snapshot } = open({ state: () => ({ ...emptyChat, title: `my ${key}` }) });
    says({ type: 'ready' });
    view.applyEvents([delta(key)]);
    assert.equal(snapshot()?.state.title, 'my …');
    assert.deepEqual(posts.at(-1), { type: 'events', events: [delta('…')] });
  });

  it('tells a page at once of what was added to the draft, and one that was away by the next snapshot alone', () => {
    const { view, says, snapshot } = open();
    view.draftAdded('more');
    assert.deepEqual(posts, [{ type: 'addToDraft', text: 'more' }]);
    says({ type: 'ready' });
    assert.equal(snapshot()?.draftReplaced, undefined);
    for (const changed of [view.draftAdded, view.draftTaken]) {
      shown = false;
      changed('and more');
      shown = true;
      says({ type: 'ready' });
      assert.equal(snapshot()?.draftReplaced, true);
    }
    says({ type: 'ready' });
    assert.equal(snapshot()?.draftReplaced, undefined);
  });

  it('gives the focus at once, else when the page has begun, and then as one that comes late', () => {
    const { view, says, types } = open();
    view.focusApproval();
    assert.deepEqual(posts, [{ type: 'focusApproval' }]);
    shown = false;
    view.focusInput();
    view.focusApproval();
    shown = true;
    says({ type: 'ready' });
    assert.deepEqual(posts.at(-1), { type: 'focusApproval', late: true });
    says({ type: 'ready' });
    assert.equal(types().at(-1), 'snapshot');
  });

  it('works a price out once for all that happens in a turn of the loop, the most that is asked', async () => {
    const { view, says, asked, types } = open();
    says({ type: 'draftChanged', draft: { text: 'x', conversationId: 'c', atMs: 1 } });
    says({ type: 'draftChanged', draft: { text: 'xy', conversationId: 'c', atMs: 2 } });
    await turn();
    assert.deepEqual([asked.splice(0), types()], [['draft'], ['price']]);
    view.draftTaken('xy');
    view.priceChanged();
    view.draftAdded('z');
    await turn();
    assert.deepEqual(asked.splice(0), ['all']);
    view.infoChanged();
    assert.equal(types().at(-1), 'info');
    shown = false;
    await turn();
    assert.deepEqual(asked, []);
  });

  it('answers a question for colours under its own name, and keeps what the page tells of itself', async () => {
    const kept: unknown[] = [];
    const colored = { from: 0, lines: [], colors: [] };
    const { says } = open({
      colors: { color: async () => colored },
      page: { ...createPageMemory(createValues(), 'side bar'), set: (page) => void kept.push(page) },
    });
    says({ type: 'colorCode', block: 'b7', language: 'ts', theme: '', from: 0, text: 'x' });
    await turn();
    assert.deepEqual(posts, [{ type: 'codeColors', block: 'b7', colored }]);
    const page = { toggled: [] } as unknown as Extract<PanelMessage, { type: 'pageChanged' }>['page'];
    says({ type: 'pageChanged', page });
    assert.deepEqual(kept, [page]);
  });

  it('says when a page was given its snapshot, and not when there was none', () => {
    const { view, says } = open();
    let snapshots = 0;
    view.onDidSendSnapshot(() => snapshots++);
    says({ type: 'ready' });
    shown = false;
    view.reset();
    assert.equal(snapshots, 1);
  });
});
