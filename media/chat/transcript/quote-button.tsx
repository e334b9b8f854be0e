import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';

interface Quoted {
  text: string;
  left: number;
  top: number;
}

/**
 * Stands below text that is selected in an answer, and puts it into the message as a quotation. The key Q does so too,
 * on an answer or a block of code that has the focus; without a selection it quotes what has it.
 */
export function QuoteButton() {
  const { draft, focusComposer } = usePanel();
  const [quoted, setQuoted] = useState<Quoted>();
  const quote = (text: string) => {
    draft.append(`${text.replaceAll(/^/gm, '> ')}\n\n`);
    getSelection()?.removeAllRanges();
    focusComposer();
  };
  useEffect(() => {
    const look = () => setQuoted(selectedInAnswer());
    const onKey = (event: KeyboardEvent) => {
      const { key, target } = event;
      if (key !== 'q' || event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return;
      const text = target.matches('.message.answer, .message.answer [role="group"]') && quotable(target);
      if (!text) return;
      event.preventDefault();
      quote(text);
    };
    const hide = () => setQuoted(undefined);
    const hideWithout = () => getSelection()?.isCollapsed && hide();
    const life = new AbortController();
    const early = { signal: life.signal, capture: true };
    for (const type of ['pointerup', 'keyup']) document.addEventListener(type, look, early);
    document.addEventListener('selectionchange', hideWithout, early);
    document.addEventListener('scroll', hide, early);
    document.addEventListener('keydown', onKey, life);
    return () => life.abort();
  }, []);
  if (!quoted) return null;
  const { text, left, top } = quoted;
  return (
    <button
      type="button"
      class="jump quote"
      style={{ left: `${left}px`, top: `${top}px` }}
      onMouseDown={(event) => event.preventDefault()}
      onClick={() => quote(text)}
    >
      {l10n.t('Quote')}
    </button>
  );
}

function quotable(part: HTMLElement): string {
  const texts = part.matches('.answer') ? [...part.querySelectorAll<HTMLElement>('.markdown')] : [part];
  return selectedInAnswer()?.text ?? texts.map(shownText).join('\n\n');
}

/** Asks the page how the part reads: its text alone has no line between two paragraphs. */
function shownText(part: HTMLElement): string {
  const selection = getSelection();
  selection?.selectAllChildren(part);
  const text = selection?.toString().trim() ?? '';
  selection?.removeAllRanges();
  return text;
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
