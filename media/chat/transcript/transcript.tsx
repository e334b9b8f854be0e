import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { answerOf, type ChatItem, type CompactedItem, type RunningTurn } from '../../../src/shared/chat/chat-state.ts';
import { formatCount } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { usePanel } from '../panel.ts';
import { useEarlier } from './earlier.ts';
import { Folding } from './folding.tsx';
import { type Follower, followBottom } from './follow-bottom.ts';
import { ForkedLine, HistoryLine, ModelChangedLine, RewoundLine } from './history-lines.tsx';
import { moveInList } from './list-keys.ts';
import { type Answered, AnswerMessage, UserMessage } from './messages.tsx';
import { QuoteButton } from './quote-button.tsx';
import { createSections, perSection, type Section } from './sections.ts';

export function Transcript({ empty, leaveList }: { empty: ComponentChildren; leaveList: () => void }) {
  const panel = usePanel();
  const log = useRef<HTMLDivElement>(null);
  const follower = useRef<Follower | null>(null);
  const [attached, setAttached] = useState(true);
  /** Tabbing must not lose its position because the end came into view. */
  const [focused, setFocused] = useState(false);
  const view = useRef(createSectionsView());
  const tabStop = useRef(createTabStop());
  const items = panel.items.value;
  const running = panel.running.value;
  const fresh = panel.freshTurnId.value;
  const conversation = panel.chat.value.conversationId;
  const unseen = useUnseen(conversation, items.length, attached);
  const from = useEarlier(panel.earlier, log, {
    conversation,
    count: items.length,
    needed: panel.storedAnchor()?.message,
  });

  useLayoutEffect(() => {
    if (!log.current) return undefined;
    follower.current = followBottom(log.current, {
      onAttached(value) {
        panel.setGoesAlong(value);
        setAttached(value);
      },
      onMoved: (place) => panel.movedTo(place),
    });
    return follower.current.dispose;
  }, [panel]);
  useLayoutEffect(() => follower.current?.restore(panel.storedAnchor()), [conversation]);
  useLayoutEffect(() => {
    if (fresh !== '' && panel.goesAlong()) follower.current?.attach();
  }, [fresh]);
  useLayoutEffect(() => {
    follower.current?.contentChanged();
    if (log.current) tabStop.current.drawn(log.current);
  });

  return (
    <div class="transcript">
      <div
        class="log"
        role="log"
        aria-live="off"
        aria-label={l10n.t('Conversation')}
        ref={log}
        tabIndex={items.length === 0 ? 0 : undefined}
        onKeyDown={(event) => moveInList(event, { leaveList, reach: panel.earlier.reach })}
        onFocusIn={(event) => tabStop.current.focused(event.target)}
        onCopy={copyWhatIsSeen}
      >
        {items.length === 0 ? empty : view.current(items, from, running, fresh)}
      </div>
      <QuoteButton />
      {(!attached || focused) && items.length > 0 && (
        <button
          type="button"
          class="jump"
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onClick={() => {
            setFocused(false);
            follower.current?.attach();
          }}
        >
          <Icon name="down" />
          {unseen > 0 ? l10n.t('Latest · {0} new', unseen) : l10n.t('Latest')}
        </button>
      )}
    </div>
  );
}

function useUnseen(conversation: string, count: number, attached: boolean): number {
  const seen = useRef({ conversation, count });
  if (attached || seen.current.conversation !== conversation || seen.current.count > count) {
    seen.current = { conversation, count };
  }
  return count - seen.current.count;
}

/**
 * Returns the same node for a section that is neither last nor holds the running answer, so that a frame of a long
 * conversation costs no more than its last message.
 */
function createSectionsView() {
  const divide = createSections();
  const settled = new WeakMap<Section, VNode>();
  return (items: readonly ChatItem[], from: number, running: RunningTurn | undefined, fresh: string) =>
    divide(items, from).map((section) => {
      const last = section.start + section.items.length === items.length;
      const mine = running && holdsTurn(section, running.turnId) ? running : undefined;
      const known = settled.get(section);
      if (known && !last && !mine) return known;
      const node = <SectionView key={sectionKey(section)} section={section} last={last} running={mine} fresh={fresh} />;
      if (!last && !mine) settled.set(section, node);
      return node;
    });
}

function holdsTurn({ items }: Section, turnId: string): boolean {
  return answerOf({ items }, turnId) !== undefined;
}

function sectionKey({ start }: Section): number {
  return Math.floor(start / perSection);
}

interface SectionProps {
  section: Section;
  last: boolean;
  running: RunningTurn | undefined;
  fresh: string;
}

function SectionView({ section, last, running, fresh }: SectionProps) {
  const view = useRef(createItemView());
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => numberMessages(element.current, section.start), [section]);
  return (
    <div class="section" data-start={section.start} ref={element}>
      {view.current(section, last, running, fresh)}
    </div>
  );
}

/**
 * Numbers the messages for screen readers, which cannot count those that are not drawn. The total changes too often
 * to be set on each.
 */
function numberMessages(section: HTMLElement | null, start: number): void {
  for (const [index, message] of [...(section?.children ?? [])].entries()) {
    const position = String(start + index + 1);
    if (message.ariaPosInSet === position) continue;
    message.ariaPosInSet = position;
    message.ariaSetSize = '-1';
  }
}

/** Returns the same node for an item that is neither last nor running. */
function createItemView() {
  const settled = new WeakMap<ChatItem, { node: VNode; answered: Answered; past: boolean }>();
  return ({ items, after }: Section, lastSection: boolean, running: RunningTurn | undefined, fresh: string) => {
    // Another model may have been chosen since: what went wrong can still be tried again.
    const asked = items.findLastIndex(({ kind }) => kind === 'user' || kind === 'answer');
    const newest = lastSection ? asked : items.length;
    return items.map((item, index) => {
      const last = lastSection && index === items.length - 1;
      const past = index < newest;
      const mine = item.kind === 'answer' && running?.turnId === item.turnId ? running : undefined;
      if (item.kind === 'answer' && (last || mine)) {
        const isFresh = last && fresh === item.turnId;
        return <AnswerMessage key={`answer-${item.turnId}`} item={item} past={past} fresh={isFresh} running={mine} />;
      }
      const answered = item.kind === 'user' ? answeredBy(items[index + 1] ?? after) : unanswered;
      const known = settled.get(item);
      if (known?.past === past && isSame(known.answered, answered)) return known.node;
      const node = drawItem(item, answered, past);
      settled.set(item, { node, answered, past });
      return node;
    });
  };
}

const unanswered: Answered = {};

function answeredBy(answer: ChatItem | undefined): Answered {
  if (answer?.kind !== 'answer' || answer.outcome === undefined) return unanswered;
  return {
    restorableTurnId: answer.checkpoint === undefined ? undefined : answer.turnId,
    microUsd: answer.cost?.microUsd,
  };
}

function isSame(one: Answered, other: Answered): boolean {
  return one.restorableTurnId === other.restorableTurnId && one.microUsd === other.microUsd;
}

function drawItem(item: ChatItem, answered: Answered, past: boolean): VNode {
  switch (item.kind) {
    case 'user':
      return <UserMessage key={`user-${item.id}`} item={item} answered={answered} />;
    case 'compacted':
      return <CompactedLine key={`compacted-${item.id}`} item={item} />;
    case 'forked':
      return <ForkedLine key={`forked-${item.id}`} item={item} />;
    case 'rewound':
      return <RewoundLine key={`rewound-${item.id}`} item={item} />;
    case 'modelChanged':
      return <ModelChangedLine key={`model-${item.id}`} item={item} />;
    case 'answer':
      return <AnswerMessage key={`answer-${item.turnId}`} item={item} past={past} fresh={false} />;
  }
}

/** Copies without the line ends that a selection takes from what stands around it. */
function copyWhatIsSeen(event: ClipboardEvent): void {
  const selection = getSelection();
  if (!selection || selection.isCollapsed) return;
  const copy = document.createElement('div');
  copy.append(selection.getRangeAt(0).cloneContents());
  event.clipboardData?.setData('text/plain', selection.toString().trimEnd().replace(/^\n+/, ''));
  event.clipboardData?.setData('text/html', copy.innerHTML);
  event.preventDefault();
}

/** Marks the line above which the conversation is sent as a summary. */
const CompactedLine = memo(({ item }: { item: CompactedItem }) => {
  const locale = usePanel().info.value?.locale ?? 'en';
  const [before, after] = [item.tokensBefore, item.tokensAfter].map((count) => formatCount(count, locale));
  return (
    <HistoryLine title={l10n.t('Compacted')}>
      <p class="quiet">
        {l10n.t('Everything above is sent as a summary: {0} tokens instead of {1}.', after ?? '', before ?? '')}
      </p>
      <Folding id={`${item.id}/summary`} className="summary-folding" summary={<span>{l10n.t('Summary')}</span>}>
        {() => <MarkdownView text={item.summary} live={false} />}
      </Folding>
    </HistoryLine>
  );
});

/**
 * Lets Tab reach one message of the log: the one that had the focus last, and the newest until one had, or when
 * another comes while the focus is elsewhere. Messages are drawn with a `tabIndex` of -1, and nothing else sets it.
 */
function createTabStop() {
  let stop: HTMLElement | null = null;
  let newest: Element | null = null;
  function move(message: HTMLElement): void {
    if (stop) stop.tabIndex = -1;
    stop = message;
    stop.tabIndex = 0;
  }
  return {
    focused(target: EventTarget | null): void {
      const message = target instanceof HTMLElement ? target.closest('article') : null;
      if (message) move(message);
    },
    /** Takes constant time. */
    drawn(log: HTMLElement): void {
      const last = log.lastElementChild?.lastElementChild ?? null;
      const isNew = last !== newest && !log.contains(document.activeElement);
      newest = last;
      if (last instanceof HTMLElement && (isNew || !stop?.isConnected)) move(last);
    },
  };
}
