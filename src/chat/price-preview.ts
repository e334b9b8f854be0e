import { toHistory } from '../agent/history.ts';
import { closeInterrupted, pushEvent } from '../conversation/store/durable-events.ts';
import type { CompactionEstimate } from '../conversation/turns/compaction.ts';
import type { ContextWindow } from '../conversation/turns/context-window.ts';
import { historyEvents, messageIndexOfTurn } from '../conversation/turns/turn-chains.ts';
import type { DurableEvent } from '../shared/events.ts';
import type { Attachment, HistoryMessage, ImageRef } from '../shared/messages.ts';
import type { NextPrice } from '../shared/panel/panel-info.ts';
import type { Estimator } from '../spend/estimate.ts';
import { createPreview, type Overhead } from '../spend/preview.ts';
import { costMicroUsd } from '../spend/price.ts';

export interface PricePreviewDeps {
  estimator: Estimator;
  model(): string;
  draft(): string;
  attachments(): readonly Attachment[];
  replaces?(): string | undefined;
  history(): LiveHistory | undefined;
  running(): boolean;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  overhead(history: readonly HistoryMessage[]): Overhead;
  /** Returns what is appended to the message besides its user's words; empty when there is nothing. */
  note(): string;
  contextWindowOf(model: string): ContextWindow | undefined;
  takesImages(model: string): boolean;
  compactionEstimate(): CompactionEstimate | undefined;
  expand(draft: string): string;
  /** Returns the tokens that a whole message usually takes, or undefined before one was paid for. */
  usual?(model: string, firstTokens: number): number | undefined;
}

/**
 * Prices the next message. With `draft`, only the draft or the attachments can have changed, and the rest is cached.
 * It reads no file and sends nothing.
 */
export type PricePreview = (changed: 'draft' | 'all') => NextPrice;

export function createPricePreview(deps: PricePreviewDeps): PricePreview {
  const preview = createPreview(deps.estimator);
  const history = createSentHistory(deps);
  let overhead: { history: readonly HistoryMessage[]; is: Overhead } | undefined;
  let compact: { history: readonly HistoryMessage[]; is: NextPrice['compact'] } | undefined;
  let attached: { from: readonly Attachment[]; text: string; images: readonly ImageRef[] } | undefined;
  return (changed) => {
    const model = deps.model();
    const from = deps.attachments();
    if (attached?.from !== from) attached = { from, ...attachmentParts(from) };
    const { sent, whole } = history(model);
    // Which nested rules hold is decided by all that was read, not by what of it is sent again.
    if (overhead?.history !== sent || changed === 'all') overhead = { history: sent, is: deps.overhead(whole) };
    const draft = deps.expand(deps.draft());
    const images = deps.takesImages(model) ? attached.images : none;
    const parts = {
      draft,
      attachments: attached.text,
      images,
      history: sent,
      added: deps.note(),
      overhead: overhead.is,
    };
    const price = preview({ model, ...parts });
    const limit = deps.contextWindowOf(model);
    if (compact?.history !== sent) compact = { history: sent, is: worthShowing(deps.compactionEstimate()) };
    const usual = deps.usual?.(model, price.tokens);
    return {
      ...price,
      ...(usual !== undefined && { usualMicroUsd: costMicroUsd(usual) }),
      ...(limit && { limit }),
      ...(compact.is && { compact: compact.is }),
    };
  };
}

function worthShowing(compactionEstimate: CompactionEstimate | undefined): NextPrice['compact'] {
  if (compactionEstimate === undefined || compactionEstimate.savedTokens < 1000) return undefined;
  const { priceMicroUsd, savedTokens, savedMicroUsd, paysAfterRequests } = compactionEstimate;
  return { priceMicroUsd, savedTokens, savedMicroUsd, paysAfterRequests };
}

interface SentHistory {
  sent: readonly HistoryMessage[];
  whole: readonly HistoryMessage[];
}

/**
 * Is computed once for each version of the history, and not while a turn makes new ones: what a turn adds is counted
 * at its end.
 */
function createSentHistory(deps: PricePreviewDeps): (model: string) => SentHistory {
  let last:
    | (SentHistory & {
        live: LiveHistory | undefined;
        version: number;
        model: string;
        replaces: string | undefined;
      })
    | undefined;
  return (model) => {
    const live = deps.history();
    const version = live?.version() ?? 0;
    const replaces = deps.replaces?.();
    const same =
      last?.live === live &&
      last?.replaces === replaces &&
      last?.model === model &&
      (last.version === version || deps.running());
    if (last === undefined || !same) {
      // The empty message decides like the real one which answers are sent and what a compaction left.
      const whole = live?.withNext('', [], replaces) ?? [];
      last = { live, version, model, replaces, sent: withoutNext(deps.toSent(whole, model)), whole };
    }
    return last;
  };
}

export interface LiveHistory {
  add(event: DurableEvent): void;
  version(): number;
  /** Returns what a compaction shortens: all messages, or those before the message of the turn `keepFrom`. */
  before(keepFrom: string | undefined): HistoryMessage[];
  withNext(text: string, attachments: readonly Attachment[], replaces?: string): HistoryMessage[];
}

export function createLiveHistory(stored: readonly DurableEvent[]): LiveHistory {
  const events = closeInterrupted(stored);
  let version = 0;
  return {
    add(event) {
      pushEvent(events, event);
      version++;
    },
    version: () => version,
    before(keepFrom) {
      const end = keepFrom === undefined ? undefined : messageIndexOfTurn(events, keepFrom);
      return toHistory(historyEvents(events.slice(0, end)));
    },
    withNext(text, attachments, replaces) {
      const before: DurableEvent[] =
        replaces === undefined ? events : [...events, { type: 'rewound', toMessageId: replaces, at: 0 }];
      return toHistory(historyEvents([...before, nextMessage(text, attachments)]));
    },
  };
}

function nextMessage(text: string, attachments: readonly Attachment[]): DurableEvent {
  return { type: 'userMessage', id: '', at: 0, text, attachments: [...attachments] };
}

function withoutNext(sent: readonly HistoryMessage[]): readonly HistoryMessage[] {
  const next = sent.at(-1);
  return next?.role === 'user' && next.text === '' ? sent.slice(0, -1) : sent;
}

function attachmentParts(attachments: readonly Attachment[]): { text: string; images: readonly ImageRef[] } {
  const [message] = attachments.length === 0 ? [] : toHistory([nextMessage('', attachments)]);
  return { text: message?.text ?? '', images: message?.role === 'user' ? (message.images ?? none) : none };
}

const none: readonly ImageRef[] = [];
