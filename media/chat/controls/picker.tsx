import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { PickerName, PickRow } from '../../../src/shared/panel/panel-info.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { Icon } from './icon.tsx';
import { isComposing, listMoves } from './keys.ts';
import { usePopover } from './popover.ts';

const rowsInView = 8;

interface PickerProps {
  picker: PickerName;
  /** Names the list, and begins the name of the button. */
  name: string;
  current: string;
  title: string;
  text: string;
}

/** A button that opens the list of what it shows, above itself. The host sends the rows, and again when they change. */
export function Picker({ picker, name, current, title, text }: PickerProps) {
  const panel = usePanel();
  const { root, isOpen, toggle, close } = usePopover<HTMLDivElement>(panel.chat.value.conversationId);
  const left = useRef(0);
  return (
    <div ref={root} class="picker-place">
      <button
        type="button"
        class={`${picker}-button`}
        aria-label={l10n.t('{0}: {1}', name, current)}
        aria-haspopup="listbox"
        aria-expanded={isOpen}
        title={title}
        onClick={({ currentTarget }) => {
          left.current = currentTarget.offsetLeft;
          if (!isOpen) panel.post({ type: 'openPicker', picker });
          toggle();
        }}
      >
        <span>{text}</span>
        <Icon name="chevron" />
      </button>
      {isOpen && <PickList picker={picker} name={name} left={left.current} close={close} />}
    </div>
  );
}

function PickList({
  picker,
  name,
  left,
  close,
}: Pick<PickerProps, 'picker' | 'name'> & { left: number; close(): void }) {
  const panel = usePanel();
  const { rows, note } = panel.composer.picks.value[picker] ?? { rows: [] };
  const [query, setQuery] = useState('');
  const [movedTo, setMovedTo] = useState<string>();
  const list = useRef<HTMLDivElement>(null);
  const filter = useRef<HTMLInputElement>(null);
  const filters = rows.length > rowsInView;
  useLayoutEffect(() => (filter.current ?? list.current)?.focus(), [filters]);
  useLayoutEffect(() => list.current?.querySelector('.active')?.scrollIntoView({ block: 'nearest' }));
  const shown = rows.filter(({ id, label }) => `${label} ${id}`.toLowerCase().includes(query.toLowerCase()));
  const active =
    shown.find(({ id }) => id === movedTo) ??
    (query === '' ? shown.find(({ current }) => current) : undefined) ??
    shown[0];
  const idOf = (row: PickRow) => `${picker}-row-${rows.indexOf(row)}`;
  const choose = (row: PickRow) => {
    close();
    if (!row.current) panel.post({ type: picker === 'model' ? 'selectModel' : 'selectMode', id: row.id });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = active ? shown.indexOf(active) : 0;
    const to = moves[event.key]?.(at, shown.length) ?? (filters ? undefined : begins(shown, event.key, at));
    if (to !== undefined) setMovedTo(shown[to]?.id);
    else if (event.key !== 'Enter') return;
    else if (active) choose(active);
    event.preventDefault();
  };
  const inFront = active && idOf(active);
  const listId = `${picker}-rows`;
  return (
    <div class="picker" style={{ '--at': `${left}px` }}>
      {filters && (
        <input
          ref={filter}
          type="text"
          role="combobox"
          aria-label={l10n.t('Filter')}
          aria-expanded="true"
          aria-autocomplete="list"
          aria-controls={listId}
          aria-activedescendant={inFront}
          placeholder={l10n.t('Filter')}
          value={query}
          onKeyDown={onKeyDown}
          onInput={({ currentTarget }) => {
            setQuery(currentTarget.value);
            setMovedTo(undefined);
          }}
        />
      )}
      <div
        ref={list}
        id={listId}
        role="listbox"
        aria-label={name}
        aria-busy={shown.length === 0}
        tabIndex={filters ? undefined : 0}
        aria-activedescendant={filters ? undefined : inFront}
        onKeyDown={filters ? undefined : onKeyDown}
      >
        {shown.map((row, at) => (
          <>
            {row.group !== undefined && row.group !== shown[at - 1]?.group && (
              <div class="pick-group" role="presentation">
                {row.group}
              </div>
            )}
            <button
              type="button"
              key={row.id}
              id={idOf(row)}
              role="option"
              class={row === active ? 'active' : undefined}
              tabIndex={-1}
              aria-selected={row.current === true}
              title={visibleText([row.label, row.description, row.detail].filter(Boolean).join('\n'))}
              // The list must keep the focus.
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => choose(row)}
            >
              <span class="pick-mark">{row.current && <Icon name="check" />}</span>
              <span class="pick-words">
                <span class="pick-label">{visibleText(row.label)}</span>
                {row.description !== undefined && <span class="pick-detail">{visibleText(row.description)}</span>}
                {row.detail !== undefined && <span class="pick-detail">{visibleText(row.detail)}</span>}
              </span>
            </button>
          </>
        ))}
      </div>
      {query !== '' && shown.length === 0 && <p class="pick-note">{l10n.t('No match')}</p>}
      {note !== undefined && <p class="pick-note">{note}</p>}
    </div>
  );
}

const moves: typeof listMoves = { ...listMoves, Home: () => 0, End: (_at, count) => count - 1 };

/** Finds the next row that begins with the letter, from the one behind `at`. */
function begins(rows: readonly PickRow[], letter: string, at: number): number | undefined {
  const order = rows.map((_, step) => (at + 1 + step) % rows.length);
  return order.find((row) => letter.length === 1 && rows[row]?.label.toLowerCase().startsWith(letter.toLowerCase()));
}
