import assert from 'node:assert/strict';
import * as nodeFs from 'node:fs/promises';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createDraft as createPageDraft, typedText } from '../../../../media/chat/composer/draft.ts';
import type { Clock as AnyClock } from '../../../../src/base/clock.ts';
import { createDraftStore } from '../../../../src/chat/draft-store.ts';
import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { HostMessage, PanelMessage } from '../../../../src/shared/panel/protocol.ts';
import type { StorageFs } from '../../../../src/storage/storage-fs.ts';
import { openStoredValues } from '../../../../src/storage/stored-values.ts';
import type { PanelActionDeps } from '../../../../src/vscode/chat-panel/panel-actions.ts';
import { times } from '../../../support/effort.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createPanelActions } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/panel-actions.ts')
>(new URL('../../../../src/vscode/chat-panel/panel-actions.ts', import.meta.url));

type Clock = Pick<AnyClock, 'now' | 'after'>;
type Kept = Parameters<typeof typedText>[0];
type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;

const wordsOf = (text: string) => text.split(/\s+/).filter((word) => word !== '');
const turn = () => new Promise(setImmediate);

/** A disk that changes when it is told to; once dead, never again. */
function createSlowDisk() {
  const waiting: (() => void)[] = [];
  const inTurn = async <T>(act: () => Promise<T>): Promise<T> => {
    await new Promise<void>((go) => waiting.push(go));
    return act();
  };
  const fs = {
    ...nodeFs,
    writeFile: (...args: Parameters<typeof nodeFs.writeFile>) => inTurn(() => nodeFs.writeFile(...args)),
    rename: (from: string, to: string) => inTurn(() => nodeFs.rename(from, to)),
    rm: (...args: Parameters<typeof nodeFs.rm>) => inTurn(() => nodeFs.rm(...args)),
  } as StorageFs;
  return {
    fs,
    async step() {
      await turn();
      waiting.shift()?.();
      await turn();
    },
    die: () => void waiting.splice(0),
  };
}

/** The extension host of one life: the real way of a text from the panel's message to the disk. */
async function beginHost(dir: string, conversation: Map<string, string>) {
  const disk = createSlowDisk();
  const values = await openStoredValues({ dir, fs: disk.fs, onError: (error) => assert.fail(String(error)) });
  const items = () => [...conversation.keys()].map((id) => ({ kind: 'user', id }));
  const shown = { id: 'c', state: () => ({ items: items() }), queue: () => ({ items: [] }) } as unknown as Conversation;
  const draft = createDraftStore(values).open({ view: 'sideBar', conversationId: 'c' }, () => shown);
  const posts: HostMessage[] = [];
  const underWay: { text: string; release(): void }[] = [];
  const receive = createPanelActions({
    viewModel: { draft } as unknown as ChatViewModel,
    warm: () => undefined,
    composer: {},
    post: (message: HostMessage) => posts.push(message),
    flow: { send: async (text: string) => void underWay.push({ text, release: draft.hold(text) }) },
  } as unknown as PanelActionDeps);
  return {
    disk,
    posts,
    receive,
    snapshot: (): Snapshot =>
      ({
        type: 'snapshot',
        state: { ...emptyChat, conversationId: 'c' },
        draft: draft.text(),
        draftTimes: draft.times(),
      }) as unknown as Snapshot,
    underWay: () => underWay.map(({ text }) => text),
    /** The next message that was sent is in the conversation. */
    store() {
      const next = underWay.shift();
      if (!next) return;
      const id = `m${conversation.size}`;
      const { release } = draft.takeFor({ id, text: next.text });
      next.release();
      conversation.set(id, next.text);
      release();
    },
    async settle() {
      let isDone = false;
      const flushed = values.flush().then(() => {
        isDone = true;
      });
      while (!isDone) await disk.step();
      await flushed;
    },
  };
}

/** A page that begins with what VS Code kept of the one before. */
function beginPage(kept: Kept, snapshot: Snapshot, deps: { save(kept: Kept): void; clock: Clock }) {
  const posts: PanelMessage[] = [];
  let isAlive = true;
  const typed = typedText(kept);
  const draft = createPageDraft({
    typed,
    post: (message) => posts.push(message),
    save: () =>
      deps.save({ draft: typed.text.value, postedDraft: typed.posted, draftAtMs: typed.atMs, taken: typed.taken }),
    conversationId: () => 'c',
    after: (ms, run) => deps.clock.after(ms, () => isAlive && run()),
    now: deps.clock.now,
  });
  draft.merge(snapshot, 'c');
  const end = () => {
    isAlive = false;
  };
  return { draft, posts, end };
}

const steps = [
  ...(['type', 'type', 'send', 'wait', 'deliver', 'deliver', 'answer', 'disk', 'disk', 'store'] as const),
  ...(['settle', 'keep', 'reload'] as const),
];

/** Which state of its page VS Code has when the page is gone. */
type Keeps = 'newest' | 'older' | 'none';

/** A window whose extension host and page die at any moment. */
async function openWindow(dir: string, keeps: Keeps) {
  const conversation = new Map<string, string>();
  const clock = createManualClock();
  let kept: Kept = {};
  let newest: Kept = {};
  const save = (state: Kept) => {
    newest = state;
    if (keeps === 'newest') kept = state;
  };
  let host = await beginHost(dir, conversation);
  let page = beginPage(kept, host.snapshot(), { save, clock });
  let words = 0;
  /** Typed and not gone with a page of which nothing was kept. */
  let typed = new Set<string>();
  let safe = new Set<string>();
  let isSettled = true;
  const deliver = () => {
    const message = page.posts.shift();
    if (message) host.receive(message);
  };
  const answer = () => {
    const message = host.posts.shift();
    if (message?.type === 'heard') page.draft.heard(message.atMs);
  };
  const begin = () => {
    page.end();
    page = beginPage(kept, host.snapshot(), { save, clock });
  };
  const acts: Record<(typeof steps)[number], () => unknown> = {
    type() {
      typed.add(`w${++words}`);
      page.draft.set(`${page.draft.text.value} w${words}`.trim());
    },
    send: () => page.draft.text.value !== '' && page.posts.push({ type: 'send', ...page.draft.take() }),
    wait: () => clock.pass(300),
    deliver,
    answer,
    disk: () => host.disk.step(),
    store: () => host.store(),
    keep() {
      if (keeps === 'older') kept = newest;
    },
    async reload() {
      while (page.posts.length > 0) deliver();
      begin();
      check();
    },
    async settle() {
      page.draft.report();
      while (page.posts.length > 0) deliver();
      await host.settle();
      while (host.posts.length > 0) answer();
      safe = new Set(typed);
    },
  };
  const check = () => {
    const shown = wordsOf(page.draft.text.value);
    const stored = [...conversation.values(), ...host.underWay()].flatMap(wordsOf);
    const told = `shown ${shown}, sent ${stored}`;
    assert.equal(new Set(shown).size, shown.length, told);
    assert.equal(new Set(stored).size, stored.length, told);
    const found = new Set([...shown, ...stored]);
    for (const one of keeps === 'newest' ? typed : safe) assert.ok(found.has(one), `${one} is lost: ${told}`);
    if (isSettled) assert.equal(found.size, shown.length + stored.length, `in both: ${told}`);
    typed = found;
    safe = new Set([...safe].filter((one) => found.has(one)));
  };
  return {
    async act(step: (typeof steps)[number]) {
      clock.pass(1);
      await acts[step]();
      isSettled = step === 'settle' || (isSettled && step === 'keep');
    },
    async die() {
      host.disk.die();
      await turn();
      host = await beginHost(dir, conversation);
      begin();
      check();
    },
    close: () => host.disk.die(),
  };
}

describe('the words that a person types', () => {
  it('F5 E21 are in the composer or the conversation, once, whenever page or extension host die', async function () {
    this.timeout(180_000);
    const life = fc.array(fc.constantFrom(...steps, 'die' as const), { maxLength: 25 });
    await fc.assert(
      fc.asyncProperty(life, fc.constantFrom<Keeps>('newest', 'older', 'none'), (happens, keeps) =>
        withTempDir(async (dir) => {
          const window = await openWindow(dir, keeps);
          for (const step of [...happens, 'die' as const]) await (step === 'die' ? window.die() : window.act(step));
          window.close();
        }),
      ),
      { numRuns: times(300, 3000) },
    );
  });
});
