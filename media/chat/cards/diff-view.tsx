import * as l10n from '@vscode/l10n';
import { useMemo } from 'preact/hooks';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { type DiffLine, parseDiff } from './diff-lines.ts';

/** A longer diff must be expanded by the user before consent. */
export const longDiffLines = 500;
const drawnOfLong = 200;
const linesPerChunk = 40;

interface DiffViewProps {
  diff: string;
  label: string;
  whole: boolean;
}

/**
 * Signs mark added and removed lines, not only colors; invisible characters are written out, and long lines wrap, so
 * that nothing is out of sight.
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

/** Trailing blanks of a changed line are made visible, because nobody would see that change. */
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

export function countDiffLines(diff: string): number {
  return parseDiff(diff).filter(({ kind }) => kind !== 'place').length;
}
