import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { type DiffLine, parseDiff } from './diff-lines.ts';

/** Lines of a diff from which a person has to ask for the rest before consenting to it. */
export const longDiffLines = 500;
const drawnOfLong = 200;
const linesPerChunk = 40;

interface DiffViewProps {
  diff: string;
  label: string;
  /** Draws every line, however many there are. */
  whole: boolean;
}

/**
 * A unified diff: signs, not only colours, tell what is added and removed; what cannot be seen is written out; long lines
 * wrap, so that nothing stands out of sight to the right.
 */
export const DiffView = memo(({ diff, label, whole }: DiffViewProps) => {
  const lines = useMemo(() => parseDiff(diff), [diff]);
  const drawn = whole || lines.length <= longDiffLines ? lines : lines.slice(0, drawnOfLong);
  return (
    <ScrollBox tag="div" className="diff" label={label}>
      {inChunks(drawn).map((chunk, index) => (
        <div class="diff-chunk" key={index}>
          {chunk.map((line, row) => (
            <Row key={row} line={line} />
          ))}
        </div>
      ))}
    </ScrollBox>
  );
});

function Row({ line: { kind, text } }: { line: DiffLine }) {
  switch (kind) {
    case 'added':
      return (
        <ins class="row">
          <span class="sign">+</span>
          <span>{withBlanks(text)}</span>
        </ins>
      );
    case 'removed':
      return (
        <del class="row">
          <span class="sign">−</span>
          <span>{withBlanks(text)}</span>
        </del>
      );
    case 'same':
      return (
        <div class="row">
          <span class="sign"> </span>
          <span>{shownText(text)}</span>
        </div>
      );
    case 'place':
      return <div class="row place">{l10n.t('Line {0}', text)}</div>;
    case 'note':
      return <div class="row place">{shownText(text)}</div>;
  }
}

/** Blanks at the end of a changed line would be a change that nobody sees. */
function withBlanks(text: string) {
  const shown = shownText(text);
  const kept = shown.trimEnd();
  if (kept === shown) return shown;
  const blanks = shown.slice(kept.length).replaceAll('\t', '→').replaceAll(/\s/g, '·');
  return (
    <>
      {kept}
      <span class="blanks">{blanks}</span>
    </>
  );
}

function shownText(text: string): string {
  return visibleText(text).replaceAll('\r', '␍');
}

function inChunks(lines: readonly DiffLine[]): DiffLine[][] {
  const chunks: DiffLine[][] = [];
  for (let start = 0; start < lines.length; start += linesPerChunk)
    chunks.push(lines.slice(start, start + linesPerChunk));
  return chunks;
}

/** Lines of the file in a diff; of more than `longDiffLines` the rest is shown on demand. */
export function countDiffLines(diff: string): number {
  return parseDiff(diff).filter(({ kind }) => kind !== 'place').length;
}
