/** A period that is longer than this is a text that comes back to itself, not a loop. */
const maxPeriodLength = 400;
/** How often it is looked, in characters. */
const checkEvery = 200;
/** Kept to look at: enough for the longest period to come as often as it must; a longer run is counted on. */
const tailLength = 1700;
/** Loops that count are looked for less often, and in more, because numbers are longer than what stands for them. */
const countedEvery = 4 * checkEvery;
const countedTailLength = 2400;

/** A paragraph or a page that comes again and again: looked for seldom, since it takes long to come at all. */
const maxPageLength = 4000;
const pageEvery = 2000;
const pageTailLength = 4 * maxPageLength + pageEvery;
/** So often a page must have come; blocks of code and settings may well be alike. */
const minPages = { prose: 4, code: 12 };

/** Characters of a loop after which it is stopped, by what is repeated. */
const limits = {
  /** `!!!!`: signs that stand for nothing. */
  signs: 200,
  /** Sentences, and single words with nothing but space between them. */
  words: 600,
  /** Small letters without a space: `haha`. */
  letters: 2000,
  /** Sentences and words in code, tables and arguments, where lines may well be alike. */
  code: 3000,
  /** Sentences that differ in their numbers alone. */
  countedSentences: 4000,
  /** Values, rulers and blank space: a column of zeros, a list of `null`, base64. Only their sheer length gives a loop away. */
  data: 40_000,
};

/** So often it must have come in any case. */
const minTimes = 4;
const minCountedTimes = 10;

export interface RepetitionGuard {
  /** True as soon as the channel repeats itself. */
  push(delta: string): boolean;
}

/**
 * Watches one channel of a reply for endless repetition, which real models fall into and which is billed. Judges the
 * characters alone, so how they were cut into deltas changes nothing; its work is in proportion to them.
 */
export function createRepetitionGuard({ isCode = false } = {}): RepetitionGuard {
  const fences = createFenceCounter();
  const same = createRun();
  const counted = createRun();
  const pages = createPageWatch();
  let tail = '';
  let unchecked = 0;
  let uncounted = 0;

  const isCountedLoop = (text: string, added: number): boolean => {
    const { length, period } = counted.look(text, added);
    return length > 0 && length >= Math.max(countedLimitOf(text.slice(-period)), minCountedTimes * period);
  };
  const isLoop = (): boolean => {
    const inCode = isCode || fences.isOpen();
    const text = tail.slice(-tailLength);
    const { length, period } = same.look(text, unchecked);
    if (length > 0 && length >= Math.max(limitOf(text.slice(-period), inCode), minTimes * period)) return true;
    uncounted += unchecked;
    if (inCode || uncounted < countedEvery) return false;
    const added = tail.slice(-uncounted);
    uncounted = 0;
    // A loop has its numbers in every part of that length.
    return /\d/.test(added) && isCountedLoop(withoutNumbers(tail), withoutNumbers(added).length);
  };
  return {
    push: (delta) => {
      for (let at = 0; at < delta.length; ) {
        const piece = delta.slice(at, at + checkEvery - unchecked);
        at += piece.length;
        unchecked += piece.length;
        tail += piece;
        if (!isCode) fences.pass(piece);
        if (unchecked < checkEvery) continue;
        tail = tail.slice(-countedTailLength);
        const found = isLoop() || pages.add(tail.slice(-unchecked), isCode || fences.isOpen());
        unchecked = 0;
        if (found) return true;
      }
      return false;
    },
  };
}

/** Loops whose period is too long for a look at every few characters. */
function createPageWatch(): { add(text: string, inCode: boolean): boolean } {
  let tail = '';
  let unchecked = 0;
  let run = { period: 0, length: 0 };
  return {
    add: (text, inCode) => {
      tail += text;
      unchecked += text.length;
      if (unchecked < pageEvery) return false;
      tail = tail.slice(-pageTailLength);
      const period = pagePeriod(tail);
      const length = period === 0 ? 0 : runLength(tail, period);
      const goesOn = period > 0 && period === run.period && length === tail.length;
      run = { period, length: goesOn ? Math.max(length, run.length + unchecked) : length };
      unchecked = 0;
      const unit = tail.slice(-period);
      if (period === 0 || !/\p{L}{2}/u.test(unit)) return false;
      return run.length >= period * (inCode ? minPages.code : minPages.prose);
    },
  };
}

const pageProbe = 64;

/** How long ago the end of the text was said before; 0 when that is too long ago, or so short that it is no page. */
function pagePeriod(text: string): number {
  const end = text.length - pageProbe;
  const before = text.lastIndexOf(text.slice(end), end - 1);
  const period = before < 0 ? 0 : end - before;
  return period <= maxPeriodLength || period > maxPageLength ? 0 : period;
}

/** How far back the text has this period. */
function runLength(text: string, period: number): number {
  let at = text.length - 1;
  while (at >= period && text.charCodeAt(at) === text.charCodeAt(at - period)) at -= 1;
  return text.length - 1 - at + period;
}

/** Follows a loop beyond what is kept of the text. */
function createRun(): { look(tail: string, added: number): { period: number; length: number } } {
  /** How far back the loop goes that fills the tail, and its period. */
  let run = { period: 0, length: 0 };
  return {
    look: (tail, added) => {
      const found = longestRun(tail);
      if (found === undefined) {
        run = { period: 0, length: 0 };
        return run;
      }
      const goesOn = found.period === run.period && found.length === tail.length;
      run = { period: found.period, length: goesOn ? Math.max(found.length, run.length + added) : found.length };
      return run;
    },
  };
}

/** All numbers alike. */
function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '0');
}

/**
 * The limit for a loop that counts. Rows of data and code count by nature and are no loops; a sentence that says the
 * same again and again is one soon, a name with a number late.
 */
function countedLimitOf(unit: string): number {
  const numbers = unit.split('0').length - 1;
  const isData = /[|\t;{}=<>[\]]|[\p{L}0"'][(,][\p{L}0"']|_0/u.test(unit + unit) || numbers > 2;
  const words = (unit.match(/\p{L}{2,}/gu) ?? []).length;
  const signs = (unit.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) ?? []).length;
  if (isData || numbers === 0 || words + signs === 0) return Number.POSITIVE_INFINITY;
  return words >= 4 || signs >= 8 ? limits.countedSentences : limits.data;
}

const probeLength = 24;

/** The longest end of the text that has a period of at most `longestPeriod`; only ends that could count are looked at. */
function longestRun(text: string): { period: number; length: number } | undefined {
  const size = text.length;
  // Of a loop the very end comes again within a period: nearly no text passes this, and it costs nothing.
  if (text.lastIndexOf(text.slice(-probeLength), size - probeLength - 1) < size - probeLength - maxPeriodLength)
    return undefined;
  const at = (index: number) => text.charCodeAt(size - 1 - index);
  // The failure function of Knuth, Morris and Pratt over the text read backwards: `length - border` is its period.
  const borders = new Uint16Array(size + 1);
  let border = 0;
  for (let length = 2; length <= size; length++) {
    const code = at(length - 1);
    while (border > 0 && at(border) !== code) border = borders[border] ?? 0;
    if (at(border) === code) border += 1;
    borders[length] = border;
  }
  for (let length = size; length >= limits.signs; length--) {
    const period = length - (borders[length] ?? 0);
    if (period <= maxPeriodLength && length >= minTimes * period) return { period, length };
  }
  return undefined;
}

/** Words of data for no value or one of two. */
const literals = /^(?:null|none|nil|nan|undefined|true|false|yes|no|empty|[\p{L}_]*\d[\p{L}\d_]*)$/iu;

function limitOf(unit: string, inCode: boolean): number {
  if (/^[\s\d.,;:|+\-*/\\=()[\]{}<>"'`_#%&~·•─━═│]*$/.test(unit)) return limits.data;
  if (!/[\p{L}\p{N}]/u.test(unit)) return limits.signs;
  // The unit may begin within a word: the first and the last of three in a row are not looked at.
  const words = (unit.repeat(3).match(/[\p{L}\p{N}_]+/gu) ?? []).slice(1, -1);
  if (words.every((word) => literals.test(word)) && words.length > 0) return limits.data;
  const isUnbroken = !/[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}!?…]/u.test(unit);
  if (isUnbroken) return /^\p{Ll}+$/u.test(unit) ? limits.letters : limits.data;
  if (inCode && isSettings(unit)) return limits.data;
  return inCode || unit.includes('|') ? limits.code : limits.words;
}

const settingName = /^["']?[\w./ -]{1,60}["']?$/;

/** `name: value`, or an item of a list, with few words: a sentence is none. */
function isSetting(line: string): boolean {
  const item = line.startsWith('- ') ? line.slice(2) : line;
  const colon = item.indexOf(':');
  const wordCount = item
    .slice(colon + 1)
    .trim()
    .split(' ').length;
  if (colon < 0) return line === '---' || (item !== line && wordCount <= 3);
  return settingName.test(item.slice(0, colon)) && wordCount <= 4;
}

/** Blocks of names and short values, of which many may be alike: a list of steps, services, tests. */
function isSettings(unit: string): boolean {
  // The unit may begin within a line.
  const lines = (unit + unit)
    .split('\n')
    .slice(1, -1)
    .filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => isSetting(line.trim()));
}

/** Whether a block of code is open, by its fences. */
function createFenceCounter(): { pass(text: string): void; isOpen(): boolean } {
  let count = 0;
  let carry = '';
  return {
    pass: (text) => {
      const all = carry + text;
      let from = 0;
      for (let at = all.indexOf('```'); at >= 0; at = all.indexOf('```', from)) {
        count += 1;
        from = at + 3;
      }
      carry = all.slice(Math.max(from, all.length - 2));
    },
    isOpen: () => count % 2 === 1,
  };
}
