import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import type { PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { type DragOrder, useDragOrder } from '../controls/drag-order.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { Steering } from './steering.tsx';
import { StripLine } from './strip-line.tsx';

type QueueAction = Extract<PanelMessage, { type: 'queueEdit' }>['action'];
type Queued = PanelInfo['queue']['items'][number];
type Move = -1 | 1;

const noQueue: PanelInfo['queue'] = { items: [], paused: false };

/** Lists the messages that wait. A paused queue waits for its user, so that nothing is spent without them. */
export function Queue() {
  const { post, info } = usePanel();
  const { items, paused, lostMicroUsd } = info.value?.queue ?? noQueue;
  const list = useRef<HTMLOListElement>(null);
  const moved = useRef<{ id: string; move: Move } | undefined>(undefined);
  // A row that moves is taken out of the document for a moment: what had focus in it gets it back.
  useLayoutEffect(() => {
    const last = moved.current;
    if (!last) return;
    moved.current = undefined;
    const row = [...(list.current?.children ?? [])].find((child) => (child as HTMLElement).dataset.id === last.id);
    row?.querySelector<HTMLElement>(`[data-move="${last.move}"] button`)?.focus();
  }, [items]);
  const drag = useDragOrder((from, by) => {
    const item = items[from];
    if (item) post({ type: 'queueMove', id: item.id, by });
  });
  if (items.length === 0) return null;
  const move = (id: string, direction: Move) => {
    moved.current = { id, move: direction };
    post({ type: 'queueMove', id, by: direction });
  };
  return (
    <section class="strip queue" aria-label={l10n.t('Queue')}>
      {paused && (
        <StripLine icon="pause" text={l10n.t('Queue paused')}>
          <TextButton onPress={() => post({ type: 'queueResume', action: 'resume' })}>
            {l10n.t('Resume Queue')}
          </TextButton>
          <TextButton onPress={() => post({ type: 'queueResume', action: 'discard' })}>{l10n.t('Discard')}</TextButton>
        </StripLine>
      )}
      <ol class="strip-list" ref={list} aria-label={l10n.t('Queued messages')}>
        {items.map((item, index) => (
          <Row
            key={item.id}
            item={item}
            place={index + 1}
            count={items.length}
            lostMicroUsd={lostMicroUsd}
            onMove={move}
            drag={drag}
          />
        ))}
      </ol>
    </section>
  );
}

interface RowProps {
  item: Queued;
  place: number;
  count: number;
  lostMicroUsd: number | undefined;
  onMove: (id: string, move: Move) => void;
  drag: DragOrder;
}

function Row({ item, place, count, lostMicroUsd, onMove, drag }: RowProps) {
  const { post, running: turn } = usePanel();
  const { id, text } = item;
  const running = turn.value;
  const shown = visibleText(text);
  const edit = (action: QueueAction) => () => post({ type: 'queueEdit', id, action });
  const up = () => place > 1 && onMove(id, -1);
  const down = () => place < count && onMove(id, 1);
  return (
    <li
      data-id={id}
      class={drag.classOf(place - 1)}
      {...drag.handlers(place - 1)}
      onKeyDown={(event) => {
        if (!event.altKey || event.ctrlKey || event.metaKey) return;
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        event.preventDefault();
        if (event.key === 'ArrowUp') up();
        else down();
      }}
    >
      <span class="queued" title={shown}>
        {shown}
      </span>
      <span class="row-actions">
        <IconButton icon="edit" name={l10n.t('Edit message {0}', place)} onPress={edit('edit')} />
        <span data-move={-1}>
          <IconButton
            icon="chevron-up"
            name={l10n.t('Move message {0} up', place)}
            disabled={place === 1}
            onPress={up}
          />
        </span>
        <span data-move={1}>
          <IconButton
            icon="chevron-down"
            name={l10n.t('Move message {0} down', place)}
            disabled={place === count}
            onPress={down}
          />
        </span>
        {!running && <IconButton icon="send" name={l10n.t('Send message {0} now', place)} onPress={edit('sendNow')} />}
        <IconButton icon="close" name={l10n.t('Remove message {0}', place)} onPress={edit('remove')} />
      </span>
      {running && <Steering item={item} place={place} running={running} lostMicroUsd={lostMicroUsd} onEdit={edit} />}
    </li>
  );
}
