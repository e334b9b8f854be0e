import type { EditBlock } from '../match/readings.ts';
import { readSearchBlocks } from './patches.ts';
import * as wrappers from './wrappers.ts';

export interface FileText {
  joined: string;
  path?: string;
}

export type Unwrapped = { ok: true; block: EditBlock; notes: string[] } | { ok: false; why: string };

interface Step {
  name: string;
  take(text: string): string;
  isCertain(replace: string): boolean;
}

/**
 * Removes what calls and formats put around the lines of a block. Nothing is removed from a block whose search stands
 * in the file as it is, and nothing that the file has itself.
 */
export function unwrapBlock(given: EditBlock, { joined, path }: FileText): Unwrapped {
  const inner = readInner(given);
  const notes: string[] = [];
  let { search, replace } = inner ?? given;
  if (inner !== undefined) notes.push('ignored: markers');
  for (const { name, take, isCertain } of stepsFor(joined, path)) {
    const bare = joined.includes(search.trim()) ? search : take(search);
    const isTaken = bare !== search;
    const fresh = isTaken || isCertain(replace) ? take(replace) : replace;
    if (!isTaken && fresh === replace) continue;
    [search, replace] = [bare, fresh];
    notes.push(`ignored: ${name}`);
  }
  // With such signs on both sides, the match decides how to read them.
  if (joined.includes(search.trim())) {
    const [lines, plain] = [
      wrappers.withLineEnds(replace, search.split('\n')),
      wrappers.withoutEntities(replace, joined),
    ];
    if (lines !== replace) {
      replace = lines;
      notes.push('ignored: literal \\n for line ends');
    } else if (plain !== replace) {
      replace = plain;
      notes.push('ignored: entities');
    }
  }
  const own = new Set(joined.split('\n'));
  const marker = replace.split('\n').find((line) => wrappers.isMarker(line) && !own.has(line));
  if (marker !== undefined) return { ok: false, why: `\`${marker.trim()}\` is no line of the file. Leave it out.` };
  const isEscaped = !replace.trim().includes('\n') && search.trim().includes('\n') && !joined.includes('\\n');
  if (isEscaped && wrappers.hasBareLineEnd(replace))
    return {
      ok: false,
      why: 'are the `\\n` in the replacement line ends? Send real ones, or show the line above it on both sides.',
    };
  return { ok: true, block: { ...given, search, replace }, notes };
}

function readInner({ search, replace }: EditBlock): EditBlock | undefined {
  const isSame = (a: string, b: string) => b.trim() === '' || a.trim() === b.trim();
  for (const [text, other] of [[search, replace] as const, [replace, search] as const]) {
    const blocks = readSearchBlocks(text);
    if (!Array.isArray(blocks) || blocks.length !== 1) continue;
    const [block] = blocks;
    const shown = text === search ? block?.replace : block?.search;
    if (block !== undefined && isSame(shown ?? '', other)) return block;
  }
  return undefined;
}

function stepsFor(joined: string, path: string | undefined): Step[] {
  const isMarkup = /<\/[a-zA-Z]/.test(joined);
  const hasUnseen = /[\u200B\u2060\uFEFF]/.test(joined);
  const isTabbed = /^\t/m.test(joined);
  const hasWritten = /^[ \t]*(?:\\t|&#0*9;|&#x0*9;)/im.test(joined);
  const isDivided = /^(?:[<>]{5,9} ?[A-Z]|={5,9}\s*$)/m.test(joined);
  const markers = (text: string) => (isDivided ? text : wrappers.withoutMarkers(text, false));
  return [
    {
      name: 'an invisible sign',
      take: (text) => (hasUnseen ? text : text.split('\n').map(wrappers.withoutUnseenEnds).join('\n')),
      isCertain: () => true,
    },
    { name: 'markers', take: markers, isCertain: () => true },
    {
      name: 'a tag around the text',
      take: wrappers.withoutTag,
      isCertain: (replace) =>
        !isMarkup || (wrappers.isTagOfPrompt(replace) && !joined.includes(replace.trim().slice(0, 6))),
    },
    {
      name: 'the end of a call',
      take: (text) => {
        const bare = wrappers.withoutCallEnd(text, isMarkup);
        return bare.length < text.length && joined.includes(text.slice(bare.length).trim()) ? text : bare;
      },
      isCertain: () => true,
    },
    {
      name: 'tabs that are written out',
      take: (text) => (isTabbed && !hasWritten ? wrappers.withTabs(text) : text),
      isCertain: () => true,
    },
    {
      name: 'CDATA',
      take: wrappers.withoutCdata,
      isCertain: (replace) => !isMarkup || (/^\s*<!\[CDATA\[\n/.test(replace) && !joined.includes('CDATA')),
    },
    {
      name: 'the path as first line',
      take: (text) => (path === undefined ? text : wrappers.withoutPath(text, path)),
      isCertain: (replace) => !joined.includes(replace.split('\n', 1)[0] ?? ''),
    },
  ];
}
