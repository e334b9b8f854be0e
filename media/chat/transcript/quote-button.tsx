import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';

interface Quoted {
  text: string;
  left: number;
  top: number;
}

/** Stands below text that is selected in an answer, and puts it into the message as a quotation. */
export function QuoteButton() {
  const { draft, focusComposer } = usePanel();
  const [quoted, setQuoted] = useState<Quoted>();
  useEffect(() => {
    const look = () => setQuoted(selectedInAnswer());
    const hide = () => setQuoted(undefined);
    const hideWithout = () => getSelection()?.isCollapsed && hide();
    const listeners = [
      ['pointerup', look],
      ['keyup', look],
      ['selectionchange', hideWithout],
      ['scroll', hide],
    ] as const;
    for (const [type, listener] of listeners) document.addEventListener(type, listener, { capture: true });
    return () => {
      for (const [type, listener] of listeners) document.removeEventListener(type, listener, { capture: true });
    };
  }, []);
  if (!quoted) return null;
  const { text, left, top } = quoted;
  return (
    <button
      type="button"
      class="jump quote"
      style={{ left: `${left}px`, top: `${top}px` }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => {
        draft.append(`${text.replaceAll(/^/gm, '> ')}\n\n`);
        getSelection()?.removeAllRanges();
        focusComposer();
      }}
    >
      {l10n.t('Quote')}
    </button>
  );
}

function selectedInAnswer(): Quoted | undefined {
  const selection = getSelection();
  const text = selection?.toString().trim() ?? '';
  if (!selection || text === '') return undefined;
  const [answer, end] = [selection.anchorNode, selection.focusNode].map((node) =>
    node?.parentElement?.closest('.message.answer'),
  );
  if (!answer || answer !== end) return undefined;
  const { left, right, bottom } = selection.getRangeAt(0).getBoundingClientRect();
  return { text, left: (left + right) / 2, top: Math.min(bottom + 4, innerHeight - 40) };
}
