const maxPeriodLength = 400;
const checkEvery = 200;
const tailLength = 1700;
const countedEvery = 4 * checkEvery;
const countedTailLength = 2400;

const maxPassageLength = 4000;
const passagesEvery = 2000;
const passageTailLength = 4 * maxPassageLength + passagesEvery;
const minPassages = { prose: 4, code: 12 };

/** A loop is stopped after this many characters, depending on what is repeated. */
const limits = {
  signs: 200,
  words: 600,
  letters: 2000,
  code: 3000,
  countedSentences: 4000,
  /** Only sheer length distinguishes a loop from a column of zeros, a list of `null` or base64. */
  data: 40_000,
};

const minTimes = 4;
const minCountedTimes = 10;

export interface RepetitionGuard {
  /** Returns true once the text repeats itself without end. */
  push(delta: string): boolean;
}

/**
 * Watches one text of a reply (answer, reasoning or arguments) for endless repetition, which real models fall into and
 * which is billed. It judges characters alone, so how they were cut into deltas changes nothing. Its work is linear in
 * them.
 */
export function createRepetitionGuard({ isCode = false } = {}): RepetitionGuard {
  const fences = createFenceCounter();
  const exactRun = createRun(longestRun);
  const numberedRun = createRun(longestRun);
  const passages = createPassageWatch();
  let tail = '';
  let unchecked = 0;
  let uncounted = 0;

  const isCountedLoop = (text: string, added: number): boolean => {
    const { length, period } = numberedRun.extend(text, added);
    return length > 0 && length >= Math.max(countedLimitOf(text.slice(-period)), minCountedTimes * period);
  };
  const isLoop = (): boolean => {
    const inCode = isCode || fences.isOpen();
    const text = tail.slice(-tailLength);
    const { length, period } = exactRun.extend(text, unchecked);
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
        const found = isLoop() || passages.add(tail.slice(-unchecked), isCode || fences.isOpen());
        unchecked = 0;
        if (found) return true;
      }
      return false;
    },
  };
}

function createPassageWatch(): { add(text: string, inCode: boolean): boolean } {
  let tail = '';
  let unchecked = 0;
  const run = createRun(passageRun);
  return {
    add: (text, inCode) => {
      tail += text;
      unchecked += text.length;
      if (unchecked < passagesEvery) return false;
      tail = tail.slice(-passageTailLength);
      const { period, length } = run.extend(tail, unchecked);
      unchecked = 0;
      const unit = tail.slice(-period);
      if (period === 0 || !/\p{L}{2}/u.test(unit)) return false;
      return length >= period * (inCode ? minPassages.code : minPassages.prose);
    },
  };
}

const passageProbe = 64;

function passageRun(text: string): Run | undefined {
  const end = text.length - passageProbe;
  const before = text.lastIndexOf(text.slice(end), end - 1);
  const period = before < 0 ? 0 : end - before;
  if (period <= maxPeriodLength || period > maxPassageLength) return undefined;
  return { period, length: runLength(text, period) };
}

function runLength(text: string, period: number): number {
  let at = text.length - 1;
  while (at >= period && text.charCodeAt(at) === text.charCodeAt(at - period)) at -= 1;
  return text.length - 1 - at + period;
}

interface Run {
  period: number;
  length: number;
}

function createRun(find: (tail: string) => Run | undefined): { extend(tail: string, added: number): Run } {
  let run: Run = { period: 0, length: 0 };
  return {
    extend: (tail, added) => {
      const found = find(tail) ?? { period: 0, length: 0 };
      const goesOn = found.period > 0 && found.period === run.period && found.length === tail.length;
      run = goesOn ? { ...found, length: Math.max(found.length, run.length + added) } : found;
      return run;
    },
  };
}

function withoutNumbers(text: string): string {
  return text.replace(/\d+/g, '0');
}

/**
 * Returns after how many characters a repeated unit in which only the numbers change is a loop: 4,000 for a sentence,
 * 40,000 for fewer words, never for rows of data or code, which count by nature.
 */
function countedLimitOf(unit: string): number {
  const numbers = unit.split('0').length - 1;
  const isData = /[|\t;{}=<>[\]]|[\p{L}0"'][(,][\p{L}0"']|_0/u.test(unit + unit) || numbers > 2;
  const words = (unit.match(/\p{L}{2,}/gu) ?? []).length;
  const ideographs = (unit.match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu) ?? []).length;
  if (isData || numbers === 0 || words + ideographs === 0) return Number.POSITIVE_INFINITY;
  return words >= 4 || ideographs >= 8 ? limits.countedSentences : limits.data;
}

const probeLength = 24;

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

const literals = /^(?:null|none|nil|nan|undefined|true|false|yes|no|empty|[\p{L}_]*\d[\p{L}\d_]*)$/iu;

function limitOf(unit: string, inCode: boolean): number {
  if (/^[\s\d.,;:|+\-*/\\=()[\]{}<>"'`_#%&~·•─━═│]*$/.test(unit)) return limits.data;
  if (!/[\p{L}\p{N}]/u.test(unit)) return limits.signs;
  // The unit may begin within a word, so the first and the last of three in a row are ignored.
  const words = (unit.repeat(3).match(/[\p{L}\p{N}_]+/gu) ?? []).slice(1, -1);
  if (words.every((word) => literals.test(word)) && words.length > 0) return limits.data;
  const isUnbroken = !/[\s\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}!?…]/u.test(unit);
  if (isUnbroken) return /^\p{Ll}+$/u.test(unit) ? limits.letters : limits.data;
  if (inCode && isSettings(unit)) return limits.data;
  return inCode || unit.includes('|') ? limits.code : limits.words;
}

const settingName = /^["']?[\w./ -]{1,60}["']?$/;

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

function isSettings(unit: string): boolean {
  // The unit may begin within a line.
  const lines = (unit + unit)
    .split('\n')
    .slice(1, -1)
    .filter((line) => line.trim() !== '');
  return lines.length > 1 && lines.every((line) => isSetting(line.trim()));
}

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
