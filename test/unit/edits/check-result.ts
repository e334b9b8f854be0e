import assert from 'node:assert/strict';
import type { EditRefusal, EditResult } from '../../../src/edits/match/apply-edits.ts';
import type { Case } from '../../bench/edits/case.ts';

/** Why the kinds of cases to be refused are refused; all others, since what they show stands nowhere. */
const reasons: Readonly<Record<string, readonly EditRefusal[]>> = {
  'ambiguous: stands there twice': ['ambiguous'],
  'ambiguous: without its indentation': ['ambiguous'],
  'ambiguous: twice, other indentation': ['ambiguous'],
  'diff: of other lines': ['diff'],
  'elision: fits several spans': ['ambiguous'],
  'elision: stands for nothing': ['elision', 'ambiguous'],
  'applied before': ['no-change'],
  overlap: ['overlap'],
  'empty search': ['empty'],
  'no change': ['no-change'],
};

/** All that the result of a case says of itself and of the file must hold, whether it was applied or not. */
export function checkResult({ kind, text, blocks, expected }: Case, result: EditResult): void {
  const before = linesOf(text);
  if (result.ok) {
    let shift = 0;
    const after = linesOf(result.text);
    const kept: string[] = [];
    let next = 0;
    for (const { startLine, oldLines, newLines } of result.hunks) {
      kept.push(...before.slice(next, startLine - 1));
      kept.push(...after.slice(startLine - 1 + shift, startLine - 1 + shift + newLines));
      next = startLine - 1 + oldLines;
      shift += newLines - oldLines;
    }
    assert.deepEqual([...kept, ...before.slice(next)], after);
    for (const note of result.notes) checkQuotes(note, before, blocks);
    return;
  }
  const { reason, block, message } = result;
  if (expected !== undefined) return;
  assert.ok((reasons[kind] ?? ['not-found']).includes(reason), `${reason}: ${message}`);
  assert.equal(block, ['one good block, one bad', 'overlap'].includes(kind) ? 1 : 0);
  const [first = 0, second = 0] = Array.from(message.matchAll(/line (\d+)/g), ([, line]) => Number(line));
  const stands = (line: number, side = '') =>
    before[line - 1]?.trim() ===
    side
      .split('\n')
      .find((row) => row.trim() !== '')
      ?.trim();
  if (reason === 'ambiguous') assert.ok(first < second && second <= before.length, message);
  if (kind === 'ambiguous: stands there twice')
    assert.ok(stands(first, blocks[0]?.search) && stands(second, blocks[0]?.search), message);
  if (kind === 'applied before') assert.ok(blocks[0]?.replace.split('\n').includes(before[first - 1] ?? '\n'), message);
  if (kind === 'no change') assert.match(message, /both sides are the same/);
  if (kind === 'overlap')
    assert.ok(
      message.startsWith('Blocks 1 and 2 both') && blocks[1]?.search.includes(before[first - 1] ?? '\n'),
      message,
    );
  checkQuotes(message, before, blocks);
}

/** What is quoted stands at the line that is named, and in the block. */
function checkQuotes(said: string, lines: readonly string[], blocks: Case['blocks']): void {
  const quote = '`…?([^\\n]*?)…?`';
  const found = new RegExp(
    `line (\\d+) reads ${quote}(?: where the block has|, search had) ${quote}\\.(?: None of the \\d+ blocks was applied\\.)?$`,
  ).exec(said);
  const nearest = /Nearest are lines? (\d+)(?:–(\d+))?/.exec(said);
  assert.equal(found === null, !said.includes(' reads `'), said);
  if (found === null) return;
  const [, line = '', own = '', shown = ''] = found;
  const [from = line, to = from] = nearest?.slice(1) ?? [];
  assert.ok(Number(from) <= Number(line) && Number(line) <= Number(to) && Number(to) <= lines.length, said);
  assert.ok(lines[Number(line) - 1]?.includes(own), said);
  assert.ok(blocks.some(({ search }) => search.includes(shown)) || / ignored: /.test(said), said);
  assert.notEqual(own, shown);
}

function linesOf(text: string): string[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}
