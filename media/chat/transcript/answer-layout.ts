import type { Part } from '../../../src/shared/chat/chat-state.ts';
import type { Notice } from '../../../src/shared/events.ts';
import { kinds } from '../../../src/shared/failure/kinds.ts';
import { type PartPosition, type PresentationOf, positionOf } from './part-positions.ts';

/** `key` identifies the part within its answer, unchanged while a call is written, waits and runs. */
export interface PlacedPart {
  key: string;
  part: Part;
  place: PartPosition;
  /** Names the model whose words were cut where another continued. Models asked in between may have had no capacity. */
  cutModel?: string;
}

/** Parts of neighboring steps are drawn, compared and laid out together. */
export interface PartSection {
  key: string;
  parts: readonly PlacedPart[];
}

export interface AnswerLayout {
  /** These parts are drawn on their own, before the first quiet part and after it. */
  above: readonly PartSection[];
  below: readonly PartSection[];
  quiet: readonly PartSection[];
  parts: readonly PlacedPart[];
}

const stepsPerSection = 32;

/** Lays out an answer as it grows. A section whose parts are unchanged is the same object as in the call before. */
export function createAnswerLayout(presentationOf: PresentationOf): (parts: readonly Part[]) => AnswerLayout {
  let placed: readonly PlacedPart[] = [];
  const [above, below, quiet] = [createSections(), createSections(), createSections()];
  return (parts) => {
    placed = place(parts, placed, presentationOf);
    const first = placed.findIndex((each) => each.place === 'quiet');
    const outside = (each: PlacedPart) => each.place === 'outside';
    const end = first < 0 ? placed.length : first;
    return {
      above: above(placed.slice(0, end).filter(outside)),
      below: below(placed.slice(end).filter(outside)),
      quiet: quiet(placed.filter((each) => each.place === 'quiet')),
      parts: placed,
    };
  };
}

function place(
  parts: readonly Part[],
  known: readonly PlacedPart[],
  presentationOf: PresentationOf,
): readonly PlacedPart[] {
  let same = 0;
  while (same < known.length && known[same]?.part === parts[same]) same += 1;
  if (same === parts.length && same === known.length) return known;
  const placed = known.slice(0, same);
  for (const part of parts.slice(same)) {
    const kind = `${part.type}-${part.step}`;
    const nth = placed.reduce((count, { part: other }) => count + (isAlike(other, part) ? 1 : 0), 0);
    const cutModel = part.type === 'notice' ? cutModelAt(part.notice, placed) : undefined;
    placed.push({ key: `${kind}-${nth}`, part, place: positionOf(part, presentationOf), cutModel });
  }
  return placed;
}

function cutModelAt(notice: Notice, before: readonly PlacedPart[]): string | undefined {
  if (notice.kind !== 'fallback' || !notice.continued) return undefined;
  let seam = notice;
  for (const { part } of before.toReversed()) {
    if (kinds[seam.failure.kind].about !== 'capacity') break;
    if (part.type !== 'notice' || part.notice.kind !== 'fallback') continue;
    if (part.notice.continued && part.notice.to === seam.from) seam = part.notice;
  }
  return seam.from;
}

function isAlike(one: Part, other: Part): boolean {
  return one.step === other.step && one.type === other.type;
}

function createSections(): (parts: readonly PlacedPart[]) => readonly PartSection[] {
  let known: readonly PartSection[] = [];
  return (parts) => {
    const sections: PartSection[] = [];
    for (let start = 0; start < parts.length; ) {
      const end = endOfSection(parts, start);
      const before = known[sections.length];
      const isSame = before?.parts.length === end - start && before.parts.every((one, at) => one === parts[start + at]);
      sections.push(before && isSame ? before : { key: parts[start]?.key ?? '', parts: parts.slice(start, end) });
      start = end;
    }
    known = sections;
    return sections;
  };
}

function endOfSection(parts: readonly PlacedPart[], start: number): number {
  const of = (at: number) => Math.floor((parts[at]?.part.step ?? 0) / stepsPerSection);
  let end = start + 1;
  while (end < parts.length && of(end) === of(start)) end += 1;
  return end;
}
