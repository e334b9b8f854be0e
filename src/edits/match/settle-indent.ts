import { bracketBalance } from '../apply/repeated-lines.ts';
import { createIndentMap, indentsOf, styleOf } from './indentation.ts';
import { counterpartsOf } from './pair-rows.ts';
import type { Row } from './rows.ts';

export interface SettleEvidence {
  old: readonly Row[];
  fresh: readonly Row[];
  /** Holds for each of `fresh` the index of its partner in `old`, or -1. */
  pairs: readonly number[];
  lines: readonly string[];
}

type Indents = readonly string[];

/**
 * Gives the new rows their indentation where the old ones are: as written, moved as one to where the old ones begin,
 * or with only the first row repaired. The choice leaves most unchanged lines in their column and none left of the
 * old ones. Returns undefined when the depth that shows their blocks is lost.
 */
export function settleIndent(evidence: SettleEvidence): Row[] | undefined {
  const { old, fresh } = evidence;
  if (isFlattened(evidence)) {
    const own = ownIndents(evidence);
    return own && moved(fresh, own);
  }
  const [styled = fresh.map(({ indent }) => indent), ...otherWidths] = inFileStyle(evidence);
  const ways: Indents[] = [styled, ...otherWidths, ...scaled(evidence)];
  // What begins where the old rows do, or right of them, is written as it is meant.
  if ((styled[0]?.length ?? 0) < (old[0]?.indent.length ?? 0))
    ways.push(...shifts(evidence, styled), ...firstCut(old, styled));
  const isSame = (indents: Indents) =>
    old.length === fresh.length &&
    old.every(({ body, indent }, at) => body === fresh[at]?.body && indent === indents[at]);
  const isMoveAlone = ways.slice(1).some(isSame);
  const scores = ways.map((way) => scoreOf(evidence, way));
  const best = isMoveAlone ? 0 : scores.indexOf(Math.max(...scores));
  return moved(fresh, ways[best] ?? styled);
}

function moved(rows: readonly Row[], indents: Indents): Row[] {
  return rows.map((row, at) => {
    const indent = indents[at] ?? row.indent;
    return indent === row.indent ? row : { ...row, indent, text: indent + row.body };
  });
}

const widths = [4, 2, 8];

function inFileStyle({ fresh, lines }: SettleEvidence): Indents[] {
  const file = indentsOf(lines);
  // The further lines of a block comment are a blank off.
  const block = fresh.filter(({ body }) => !body.startsWith('*')).map(({ indent }) => indent);
  const map = createIndentMap({ pairs: [], block, file });
  const styled = fresh.map(({ indent }) => map(indent));
  if (styled.every((indent, at) => indent === fresh[at]?.indent)) return [styled];
  const isTabbed = file.some((indent) => indent.startsWith('\t'));
  const fits = isTabbed ? widths.filter((width) => block.every(({ length }) => length % width === 0)) : widths;
  const others = fits.map((width) => {
    const [from, to] = isTabbed ? [' '.repeat(width), '\t'] : ['\t', ' '.repeat(width)];
    return fresh.map(({ indent }) => indent.replaceAll(from, to));
  });
  return [styled, ...others];
}

function shifts({ old, fresh, pairs }: SettleEvidence, indents: Indents): Indents[] {
  const least = shortest(old.map(({ indent }) => indent));
  const pair = pairs.findIndex((at) => at >= 0);
  const measures: [string, string][] = [
    [least, shortest(indents)],
    [old[0]?.indent ?? '', indents[0] ?? ''],
    [old[pairs[pair] ?? -1]?.indent ?? '', indents[pair] ?? ''],
  ];
  return measures.flatMap(([wanted, written]) => {
    const lack = wanted.endsWith(written) ? wanted.slice(0, wanted.length - written.length) : '';
    return lack === '' || fresh.length === 0 ? [] : [indents.map((indent) => lack + indent)];
  });
}

function firstCut(old: readonly Row[], indents: Indents): Indents[] {
  const [own = '', first = ''] = [old[0]?.indent, indents[0]];
  // What is deeper than it in the old rows is not less deep in the new ones.
  const isWithin = (old[1]?.indent.length ?? 0) > own.length && (indents[1]?.length ?? 0) < own.length;
  return own !== '' && first === '' && !isWithin ? [[own, ...indents.slice(1)]] : [];
}

function scaled({ old, fresh, pairs, lines }: SettleEvidence): Indents[] {
  const known = pairs.flatMap((at, row) => {
    const [from, to] = [fresh[row]?.indent, old[at]?.indent];
    return from === undefined || to === undefined ? [] : [[from, to] as const];
  });
  const block = fresh.map(({ indent }) => indent);
  const map = createIndentMap({ pairs: known, block, file: indentsOf(lines) });
  // At one depth it may as well be a move, unless no level of the file is as deep.
  const width = styleOf(indentsOf(lines))?.width ?? 1;
  const isDistinct = new Set(known.map(([from]) => from)).size > 1 || known.some(([from]) => from.length % width !== 0);
  const isScale = isDistinct && known.every(([from, to]) => map(from) === to && isSteps(from, to));
  return isScale ? [block.map(map)] : [];
}

function isSteps(from: string, to: string): boolean {
  if ((from + to).includes('\t')) return false;
  return from.length === to.length * 2 || to.length === from.length * 2;
}

function shortest(indents: readonly string[]): string {
  return indents.reduce((a, b) => (b.length < a.length ? b : a), indents[0] ?? '');
}

function isDistinct({ old, pairs }: SettleEvidence, indents: Indents): boolean {
  return pairs.some((at, row) => {
    const { body = '', indent } = old[at] ?? {};
    return indent === indents[row] && /[\p{L}\p{N}]{2}/u.test(body);
  });
}

function rowsInside(rows: readonly Row[]): number {
  const end = rows.findIndex((_row, at) =>
    bracketBalance(rows.slice(0, at + 1).map(({ body }) => body)).some((depth) => depth < 0),
  );
  return end < 0 ? rows.length : end;
}

function scoreOf(evidence: SettleEvidence, indents: Indents): number {
  const { old, fresh, pairs, lines } = evidence;
  const least = shortest(old.map(({ indent }) => indent)).length;
  const inPlace = pairs.filter((at, row) => at >= 0 && indents[row] === old[at]?.indent).length;
  const others = counterpartsOf(old, fresh, pairs).filter(
    (at, row) => at >= 0 && indents[row] === old[at]?.indent,
  ).length;
  const begins = indents[0] === old[0]?.indent ? 1 : 0;
  const ends = indents.at(-1) === old.at(-1)?.indent ? 1 : 0;
  const inside = isDistinct(evidence, indents) ? 0 : rowsInside(fresh);
  const outside = indents.slice(0, inside).filter((indent) => indent.length < least).length;
  return (
    2 * inPlace + others + begins + ends - 3 * outside - oddities(fresh, indents, styleOf(indentsOf(lines))?.width)
  );
}

const opens = /(?:[{([:]|=>|->|\b(?:do|then|else|begin|of|where))$/;
const closes = /^(?:[)}\]]|end\b|else\b|elif\b|elsif\b|case\b|default\b|catch\b|except\b|finally\b|rescue\b)/;
const goesOn = /(?:[,+\-*/=&|<?.\\]|\b(?:and|or|not|in|return))$/;
const isFurther = /^(?:[.?:&|+*/=)}\]<,-]|and\b|or\b)/;

function oddities(rows: readonly Row[], indents: Indents, width: number | undefined): number {
  let count = 0;
  for (let at = 1; at < rows.length; at++) {
    const [above, body] = [rows[at - 1]?.body ?? '', rows[at]?.body ?? ''];
    const step = (indents[at] ?? '').length - (indents[at - 1] ?? '').length;
    if (opens.test(above) && !closes.test(body)) count += step <= 0 ? 1 : step === width ? 0 : 0.5;
    if (/^[)}\]]/.test(body) && step > 0) count += 1;
    if (!opens.test(above) && !goesOn.test(above) && !isFurther.test(body) && step > 0) count += 0.5;
  }
  return count;
}

function isFlattened({ old, fresh, pairs, lines }: SettleEvidence): boolean {
  const columns = (indents: readonly (string | undefined)[]) => new Set(indents).size;
  const isFlat = columns(fresh.map(({ indent }) => indent)) === 1;
  const isOwn = columns(old.map(({ indent }) => indent)) === 1 && old[0]?.indent === fresh[0]?.indent;
  if (!isFlat || isOwn || fresh.length < 2 || styleOf(indentsOf(lines)) === undefined) return false;
  const isSpread = columns(pairs.filter((at) => at >= 0).map((at) => old[at]?.indent)) > 1;
  const isPartOf = (body: string, above: string) =>
    (opens.test(above) && !closes.test(body)) || (/^(?:[.?:]|&&|\|\|)/.test(body) && !/[,;{}]$/.test(above));
  return isSpread || fresh.some(({ body }, at) => at > 0 && isPartOf(body, fresh[at - 1]?.body ?? ''));
}

function ownIndents({ old, fresh, pairs }: SettleEvidence): Indents | undefined {
  const counterparts = counterpartsOf(old, fresh, pairs);
  const own = fresh.map((_row, at) => old[Math.max(pairs[at] ?? -1, counterparts[at] ?? -1)]?.indent);
  return own.every((indent) => indent !== undefined) ? own : undefined;
}
