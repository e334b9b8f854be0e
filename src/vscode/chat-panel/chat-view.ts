import * as vscode from 'vscode';
import { createEmitter, type Event } from '../../base/emitter.ts';
import type { Draft } from '../../chat/draft-store.ts';
import { createEventBatch } from '../../chat/event-batch.ts';
import type { PricePreview } from '../../chat/price-preview.ts';
import type { PageMemory } from '../../chat/view-memory.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import { waitsForUser } from '../../shared/chat/chat-state.ts';
import type { ChatEvent } from '../../shared/events.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
import { toolPresentations } from '../../tools/all-tools.ts';
import type { CodeColoring } from './code-coloring.ts';
import type { WebviewChannel } from './webview-channel.ts';

export function titleInView(viewModel: ChatViewModel, untitled: string): string {
  const title = viewModel.state().title || untitled;
  return waitsForUser(viewModel.state()) ? vscode.l10n.t('Needs you: {0}', title) : title;
}

export interface ChatViewDeps {
  channel: WebviewChannel;
  state(): ChatState;
  draft: Pick<Draft, 'text' | 'cameFrom' | 'times'>;
  info(): PanelInfo;
  page: PageMemory;
  price: PricePreview;
  afterSent(run: () => void): unknown;
  colors: Pick<CodeColoring, 'color'>;
  /** Removes keys from what is shown of a conversation. */
  withoutKeys<T>(record: T): T;
}

/**
 * Serves a panel from the host. The panel holds no truth: it gets a snapshot when it starts or is shown again, events
 * in between, and nothing while it is hidden.
 */
export interface ChatView {
  applyEvents(events: readonly ChatEvent[]): void;
  reset(): void;
  draftAdded(text: string): void;
  draftTaken(text: string): void;
  infoChanged(): void;
  /** Must be called when the price may have changed in other ways than by typing. */
  priceChanged(): void;
  focusInput(): void;
  focusApproval(): void;
  /** Opens the list of what can be attached. */
  addContext(): void;
  onDidSendSnapshot: Event;
}

type FocusType = 'focusInput' | 'focusApproval' | 'addContext';

export function createChatView(deps: ChatViewDeps): ChatView {
  const { channel } = deps;
  const { isShown, post } = channel;
  let changedUnseen = false;
  let focusWhenReady: FocusType | undefined;
  let priceDue: 'draft' | 'all' | undefined;
  const snapshots = createEmitter();
  /** Posts once for everything that happens until then, because the end of a turn reports several changes. */
  const postPrice = (changed: 'draft' | 'all', when: (run: () => void) => unknown = setImmediate) => {
    if (priceDue === undefined) {
      when(() => {
        const due = priceDue;
        priceDue = undefined;
        if (due !== undefined && isShown()) post({ type: 'price', price: deps.price(due) });
      });
    }
    if (priceDue !== 'all') priceDue = changed;
  };
  const batch = createEventBatch((events) => post({ type: 'events', events: deps.withoutKeys(events) }));
  const snapshot = (begins = false) => {
    batch.clear();
    const page = begins ? deps.page.get() : undefined;
    const draftTimes = begins ? deps.draft.times() : undefined;
    if (isShown()) {
      const draftFrom = deps.draft.cameFrom();
      const draft = {
        draft: deps.draft.text(),
        ...(draftFrom && { draftFrom }),
        ...(changedUnseen && { draftReplaced: true }),
        ...(page && { page: deps.withoutKeys(page) }),
        ...(draftTimes && { draftTimes }),
      };
      post({
        type: 'snapshot',
        state: deps.withoutKeys(deps.state()),
        info: deps.info(),
        presentations: toolPresentations(),
        ...draft,
      });
      changedUnseen = false;
      snapshots.fire();
    }
    postPrice('all', deps.afterSent);
  };
  const focus = (type: FocusType) => {
    if (isShown()) post({ type });
    else focusWhenReady = type;
  };
  channel.onDidShowAgain(() => snapshot());
  channel.onDidReceiveMessage((message) => {
    switch (message.type) {
      case 'ready':
        snapshot(true);
        if (focusWhenReady) post({ type: focusWhenReady, late: true });
        focusWhenReady = undefined;
        return;
      case 'colorCode': {
        const { block } = message;
        void deps.colors.color(message).then((colored) => post({ type: 'codeColors', block, colored }));
        return;
      }
      case 'pageChanged':
        return deps.page.set(message.page);
      case 'draftChanged':
        // The draft is read when the price is computed, a turn of the event loop later.
        return postPrice('draft');
      default:
    }
  });
  return {
    applyEvents: (events) => {
      if (isShown()) batch.add(events);
    },
    reset: () => snapshot(),
    draftAdded(text) {
      if (isShown()) post({ type: 'addToDraft', text });
      else changedUnseen = true;
      postPrice('draft');
    },
    draftTaken(text) {
      if (isShown()) post({ type: 'draftTaken', text });
      else changedUnseen = true;
      postPrice('draft');
    },
    infoChanged() {
      post({ type: 'info', info: deps.info() });
      postPrice('all');
    },
    priceChanged: () => postPrice('all'),
    focusInput: () => focus('focusInput'),
    focusApproval: () => focus('focusApproval'),
    addContext: () => focus('addContext'),
    onDidSendSnapshot: snapshots.event,
  };
}
