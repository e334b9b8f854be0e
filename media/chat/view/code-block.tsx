import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { memo } from '../memo.ts';
import { usePanel } from '../panel.ts';
import { visibleText } from '../visible-text.ts';
import { CopyButton, IconButton } from './buttons.tsx';
import { ScrollBox } from './scroll-box.tsx';

const linesPerChunk = 40;
const foldedLines = 40;

interface CodeBlockProps {
  code: string;
  /** As the model wrote it; shown as text only. */
  language: string;
  /** 1 for the first code block of its text. */
  number: number;
  live: boolean;
}

/** A block of code. Long code is drawn in chunks of lines, so that a growing block costs one chunk a frame. */
export const CodeBlock = memo(({ code, language, number, live }: CodeBlockProps) => {
  const panel = usePanel();
  const [wrap, setWrap] = useState(false);
  const [unfolded, setUnfolded] = useState(false);
  const lines = code.split('\n');
  const long = lines.length > foldedLines;
  const scroller = useRef<HTMLElement>(null);
  useFollow(scroller, live && !unfolded, code);
  const label = language ? l10n.t('Code block {0}, {1}', number, language) : l10n.t('Code block {0}', number);
  return (
    <div class="code-block">
      <div class="code-header">
        <span class="language">{language ? visibleText(language) : l10n.t('code')}</span>
        <IconButton icon="wrap" name={l10n.t('Wrap Lines')} pressed={wrap} onPress={() => setWrap(!wrap)} />
        <IconButton
          icon="insert"
          name={l10n.t('Insert at Cursor')}
          onPress={() => panel.post({ type: 'insertAtCursor', text: code })}
        />
        <CopyButton name={l10n.t('Copy')} text={() => code} />
      </div>
      <ScrollBox tag="pre" className={preClass(wrap, long && !unfolded)} boxRef={scroller} label={label}>
        <code>
          {chunks(lines).map((chunk, index) => (
            <Chunk key={index} text={chunk} />
          ))}
        </code>
      </ScrollBox>
      {long && (
        <button type="button" class="show-all" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          {unfolded ? l10n.t('Show Less') : l10n.t('Show All {0} Lines', lines.length)}
        </button>
      )}
    </div>
  );
});

const Chunk = memo(({ text }: { text: string }) => <span class="chunk">{visibleText(text)}</span>);

function preClass(wrap: boolean, folded: boolean): string {
  return [wrap && 'wrapped', folded && 'capped'].filter(Boolean).join(' ');
}

/** Every chunk but the last ends with its newline, so that the text of all of them is the code. */
function chunks(lines: readonly string[]): string[] {
  const result: string[] = [];
  for (let start = 0; start < lines.length; start += linesPerChunk) {
    const end = start + linesPerChunk;
    result.push(lines.slice(start, end).join('\n') + (end < lines.length ? '\n' : ''));
  }
  return result;
}

/** While code streams into a capped box its end stays in view, unless the reader scrolled back in it. */
function useFollow(scroller: { current: HTMLElement | null }, active: boolean, code: string): void {
  const previousHeight = useRef(0);
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!active || !box) return;
    const height = box.scrollHeight;
    if (height <= box.clientHeight) return;
    if (previousHeight.current - box.scrollTop - box.clientHeight <= 48) box.scrollTop = height;
    previousHeight.current = height;
  }, [code, active]);
}
