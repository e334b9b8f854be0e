import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { EditHunk } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { DiffView } from './diff-view.tsx';

const shownLines = 12;

/**
 * Shows the parts of an edit that are pending. One that is decided here, in the editor or in the Changes bar disappears
 * everywhere.
 */
export function EditHunks({ callId }: { callId: string }) {
  const { info } = usePanel();
  const hunks = info.value?.editHunks?.[callId] ?? [];
  const list = useRef<HTMLUListElement>(null);
  /** Holds the part decided last with the keyboard: it takes the focus away with it, so the next one gets it. */
  const decided = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    const at = decided.current;
    decided.current = undefined;
    if (at === undefined || document.activeElement !== document.body) return;
    const rows = list.current?.children;
    rows?.[Math.min(at, rows.length - 1)]?.querySelector('button')?.focus();
  }, [hunks.length]);
  if (hunks.length === 0) return null;
  return (
    <ul ref={list} class="edit-hunks" aria-label={l10n.t('Parts to decide on')}>
      {hunks.map((hunk, at) => (
        <HunkRow
          key={`${hunk.uri}\n${hunk.diff}`}
          hunk={hunk}
          onDecide={() => {
            decided.current = at;
          }}
        />
      ))}
    </ul>
  );
}

function HunkRow({ hunk, onDecide }: { hunk: EditHunk; onDecide: () => void }) {
  const { post } = usePanel();
  const [whole, setWhole] = useState(false);
  const { uri, path, line, diff, more } = hunk;
  const lines = diff.split('\n');
  const hidden = whole ? 0 : lines.length - 1 - shownLines;
  const place = l10n.t('{0}, line {1}', visibleText(path), line + 1);
  const decide = (action: 'keep' | 'undo') => () => {
    onDecide();
    post({ type: 'editedPart', action, uri, line, diff });
  };
  return (
    <li>
      <DiffView diff={hidden > 0 ? lines.slice(0, shownLines + 1).join('\n') : diff} label={place} whole />
      <div class="actions">
        <TextButton name={l10n.t('Keep: {0}', place)} onPress={decide('keep')}>
          {l10n.t('Keep')}
        </TextButton>
        <TextButton name={l10n.t('Undo: {0}', place)} onPress={decide('undo')}>
          {l10n.t('Undo')}
        </TextButton>
        {hidden > 0 && (
          <TextButton onPress={() => setWhole(true)}>
            {hidden === 1 ? l10n.t('1 More Line') : l10n.t('{0} More Lines', hidden)}
          </TextButton>
        )}
        {more > 0 && (hidden <= 0 || whole) && (
          <TextButton onPress={() => post({ type: 'editedFile', action: 'open', uri })}>
            {l10n.t('Show Diff')}
          </TextButton>
        )}
      </div>
    </li>
  );
}
