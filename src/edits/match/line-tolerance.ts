/**
 * Each form forgives more than the one before. Every form leaves out the indentation and trailing whitespace of the
 * line, except `exact`, which has its indentation. In all of them composed and decomposed letters are the same.
 */
export type LineTolerance = 'exact' | 'body' | 'plain' | 'unescaped' | 'loose';

/** Invisible characters are removed from what the model reads, so it cannot give them back. */
const invisible = /\p{Cf}|\p{Variation_Selector}/u;

const plainSigns = new Map<string, string>();
for (const sign of '‘’‚‛′ʼ') plainSigns.set(sign, "'");
for (const sign of '“”„‟″«»') plainSigns.set(sign, '"');
for (const sign of '‐‑‒–—―−') plainSigns.set(sign, '-');
plainSigns.set('…', '...');
const special = new RegExp(`[${[...plainSigns.keys()].join('')}]|[^\\S ]| {2}|${invisible.source}`, 'u');

const entities: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&#34;': '"',
  '&nbsp;': ' ',
};
const entity = /&(?:lt|gt|amp|quot|apos|nbsp|#39|#x27|#34);/g;
const marksHere = /(?:(?!\p{Variation_Selector})[\p{M}\u1160-\u11ff])+/uy;
/** Matches at one position only: scanning from every `&` of a long line would take minutes. */
const entityHere = new RegExp(entity, 'y');

/** `units[i]` of the form begins at `starts[i]` of the text; `starts` has one more entry for the end. */
export interface NormalizedUnits {
  units: string[];
  starts: number[];
}

export function normalizeLine(line: string, form: LineTolerance): string {
  if (form === 'exact') return composed(line.trimEnd());
  const body = line.trim();
  if (form === 'body') return composed(body);
  if (!special.test(body) && (form === 'plain' || !/[&\\]/.test(body))) {
    return form === 'loose' ? loose(composed(body)) : composed(body);
  }
  return normalizedUnits(body, form).units.join('');
}

export function composed(text: string): string {
  return /\P{ASCII}/u.test(text) ? text.normalize() : text;
}

/** Returns undefined when the text has no accented letters, or both forms of them. */
export function unicodeFormOf(text: string): 'NFC' | 'NFD' | undefined {
  if (!/\P{ASCII}/u.test(text)) return undefined;
  const [isComposed, isDecomposed] = [text.normalize('NFC') === text, text.normalize('NFD') === text];
  if (isComposed === isDecomposed) return undefined;
  return isComposed ? 'NFC' : 'NFD';
}

function loose(body: string): string {
  const signs = body.replaceAll(' ', '').replace(/['`]/g, '"');
  return signs.slice(0, 1) + withoutEnd(signs.slice(1), ';,');
}

/** Trims in linear time; a pattern without an anchor at its beginning would try every position of a long run. */
export function withoutEnd(text: string, signs: string): string {
  let end = text.length;
  while (end > 0 && signs.includes(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}

/** Expects a text without whitespace at its ends. */
export function normalizedUnits(text: string, form: LineTolerance): NormalizedUnits {
  const units: string[] = [];
  const starts: number[] = [];
  const isFolded = form !== 'exact' && form !== 'body';
  for (let at = 0; at < text.length; ) {
    const { unit, length } = nextUnit(text, at, form);
    if (unit === ' ' && isFolded && (units.length === 0 || units.at(-1) === ' ')) {
      at += length;
      continue;
    }
    for (let part = 0; part < unit.length; part++) {
      units.push(unit.charAt(part));
      starts.push(at);
    }
    at += length;
  }
  if (form === 'loose') {
    while (/^[;,]$/.test(units.at(-1) ?? '') && units.length > 1) {
      units.pop();
      starts.pop();
    }
  }
  starts.push(text.length);
  return { units, starts };
}

function nextUnit(text: string, at: number, form: LineTolerance): { unit: string; length: number } {
  const code = text.codePointAt(at) ?? 0;
  const sign = String.fromCodePoint(code);
  const length = sign.length;
  if (text.charCodeAt(at + length) >= 0x300) {
    marksHere.lastIndex = at + length;
    const [marks] = marksHere.exec(text) ?? [];
    if (marks !== undefined) return { unit: (sign + marks).normalize(), length: length + marks.length };
  }
  if (form === 'exact' || form === 'body') return { unit: composed(sign), length };
  if (/\s/.test(sign)) return { unit: form === 'loose' ? '' : ' ', length };
  if (form !== 'plain') {
    if (sign === '&') {
      entityHere.lastIndex = at;
      const [found] = entityHere.exec(text) ?? [];
      if (found !== undefined) return { unit: entities[found] ?? found, length: found.length };
    }
    if (sign === '\\' && /["'`\\]/.test(text[at + 1] ?? ''))
      return { unit: quote(text[at + 1] ?? '', form), length: 2 };
  }
  if (code < 128) return { unit: quote(sign, form), length };
  if (invisible.test(sign)) return { unit: '', length };
  return { unit: quote(plainSigns.get(sign) ?? sign.normalize(), form), length };
}

function quote(sign: string, form: LineTolerance): string {
  return form === 'loose' && (sign === "'" || sign === '`') ? '"' : sign;
}

export function decodeEntities(text: string): string {
  return text.replace(entity, (found) => entities[found] ?? found);
}

export function toAsciiPunctuation(text: string): string {
  return text.replace(/\P{ASCII}/gu, (sign) => plainSigns.get(sign) ?? (/\s/.test(sign) ? ' ' : sign));
}

/**
 * Returns the indentation of a line. A form feed in front begins a page and says nothing of the depth, so it does not
 * count.
 */
export function indentOf(line: string): string {
  return /^\f*([ \t]*)/.exec(line)?.[1] ?? '';
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}
