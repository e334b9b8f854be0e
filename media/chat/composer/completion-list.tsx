import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import type { CompletionIcon } from '../../../src/shared/panel/panel-info.ts';
import { Icon, type IconName } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import type { Completion } from './completion.ts';

export const completionListId = 'composer-completions';
export const completionOptionId = (index: number) => `${completionListId}-${index}`;

const icons: Readonly<Record<CompletionIcon, IconName>> = {
  file: 'file',
  folder: 'folder',
  symbol: 'symbol',
  problems: 'alert',
  changes: 'swap',
  terminal: 'terminal',
  conversation: 'chat',
  text: 'file',
  image: 'image',
  codebase: 'search',
  command: 'chevron',
};

export function completionIcon(kind: CompletionIcon = 'file'): IconName {
  return icons[kind] ?? 'file';
}

/** Lists completions while the text keeps the focus; the row that Enter takes is its active descendant. */
export function CompletionList({ completion }: { completion: Completion }) {
  const list = useRef<HTMLDivElement>(null);
  const { open } = completion;
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  });
  if (!open) return null;
  return (
    <div
      ref={list}
      class="completions"
      id={completionListId}
      role="listbox"
      aria-label={open.kind === 'context' ? l10n.t('Context to attach') : l10n.t('Commands')}
    >
      {open.items.map((item, index) => (
        <button
          type="button"
          key={item.id}
          id={completionOptionId(index)}
          role="option"
          tabIndex={-1}
          aria-selected={index === open.active}
          aria-disabled={item.action ? undefined : true}
          title={visibleText([item.label, item.detail].filter(Boolean).join(' · '))}
          // The text must keep the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => completion.choose(item)}
        >
          <Icon name={completionIcon(item.icon)} />
          <span class="completion-label">{visibleText(item.label)}</span>
          {item.detail !== undefined && <span class="completion-detail">{visibleText(item.detail)}</span>}
        </button>
      ))}
    </div>
  );
}
