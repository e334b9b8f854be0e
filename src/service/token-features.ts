/**
 * Divides text by what tokenizers care about: how many letters share a token depends on their script and, in Latin
 * script, on whether they are words or marks. `long`, `longCapital`, `unbroken` and `longRun` count what is beyond the
 * usual length of a word or a run. `shortWord` and `capitalWord` are counted as words too, and only distinguish one
 * kind of text from another.
 */
export const pieces = [
  'word',
  'long',
  'shortWord',
  'capitalWord',
  'longCapital',
  'unbroken',
  'foreignWord',
  'foreignLetter',
  'accent',
  'digit',
  'digitGroup',
  'mark',
  'markRun',
  'longRun',
  'blank',
  'cyrillic',
  'otherCyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'kana',
  'kanji',
  'han',
  'hangul',
  'ideographicMark',
  'rare',
  'symbol',
] as const;
export type Piece = (typeof pieces)[number];

export type TokenFeatures = Float64Array;

export const at: Readonly<Record<Piece, number>> = Object.fromEntries(
  pieces.map((piece, index) => [piece, index]),
) as Record<Piece, number>;

const lower = 100;
const upper = 101;
const accent = 102;
const digit = 103;
const space = 104;
const blank = 105;
const mark = 106;
const russian = 107;

const shortWord = 2;
const longWord = 8;
const maxWordLength = 24;
const longRun = 4;
const foreignStem = 3;
const foreignShare = 0.006;
const russianShare = 0.006;
const otherCyrillicShare = 0.01;
const someLength = 100;
const kanaShare = 0.1;

/** The last range that holds a code unit counts. Everything else is `rare`. */
const ranges: readonly (readonly [from: number, to: number, kind: number])[] = [
  [0x00, 0x7f, mark],
  [0x09, 0x0d, blank],
  [0x20, 0x20, space],
  [0x30, 0x39, digit],
  [0x41, 0x5a, upper],
  [0x61, 0x7a, lower],
  [0xc0, 0x24f, accent],
  [0x300, 0x36f, accent],
  [0x370, 0x3ff, at.greek],
  [0x400, 0x52f, at.otherCyrillic],
  [0x401, 0x401, russian],
  [0x410, 0x44f, at.cyrillic],
  [0x42b, 0x42b, russian],
  [0x42d, 0x42d, russian],
  [0x44b, 0x44b, russian],
  [0x44d, 0x44d, russian],
  [0x451, 0x451, russian],
  [0x590, 0x5ff, at.hebrew],
  [0x600, 0x77f, at.arabic],
  [0x900, 0xdff, at.indic],
  [0xe00, 0x109f, at.thai],
  [0x1100, 0x11ff, at.hangul],
  [0x1780, 0x17ff, at.thai],
  [0x1e00, 0x1eff, accent],
  [0x1f00, 0x1fff, at.greek],
  [0x2070, 0x2dff, at.symbol],
  [0x3000, 0x303f, at.ideographicMark],
  [0x3040, 0x30ff, at.kana],
  [0x3130, 0x318f, at.hangul],
  [0x31f0, 0x31ff, at.kana],
  [0x3400, 0x9fff, at.han],
  [0xac00, 0xd7af, at.hangul],
  [0xd800, 0xdfff, at.symbol],
  [0xf900, 0xfaff, at.han],
  [0xfb1d, 0xfb4f, at.hebrew],
  [0xfb50, 0xfdff, at.arabic],
  [0xfe70, 0xfeff, at.arabic],
  [0xff00, 0xffef, at.ideographicMark],
];

let kinds: Uint8Array | undefined;

function kindTable(): Uint8Array {
  if (kinds === undefined) {
    kinds = new Uint8Array(0x10000).fill(at.rare);
    for (const [from, to, kind] of ranges) kinds.fill(kind, from, to + 1);
  }
  return kinds;
}

interface Words {
  letters: number;
  beyondStem: number;
  russian: number;
}

export function featuresOf(text: string): TokenFeatures {
  const shape: TokenFeatures = new Float64Array(pieces.length);
  const kindAt = kindTable();
  const kind = (index: number): number => kindAt[text.charCodeAt(index)] ?? at.rare;
  const words = { letters: 0, beyondStem: 0, russian: 0 };
  let index = 0;
  while (index < text.length) {
    const start = index++;
    const first = kind(start);
    if (first < lower) {
      // A line drawn by repeating one symbol is only a token or two, so repeats are not counted.
      const repeats = first >= at.rare && start > 0 && text.charCodeAt(start) === text.charCodeAt(start - 1);
      if (!repeats) add(shape, first, 1);
    } else if (first === russian) {
      add(shape, at.cyrillic, 1);
      words.russian += 1;
    } else if (first <= accent) {
      index = countWord(shape, words, kind, start);
    } else if (first === digit) {
      while (kind(index) === digit && index < text.length) index++;
      add(shape, at.digit, index - start);
      add(shape, at.digitGroup, Math.ceil((index - start) / 3));
    } else if (first === mark) {
      let signs = 1;
      for (; kind(index) === mark && index < text.length; index++) {
        if (text.charCodeAt(index) !== text.charCodeAt(index - 1)) signs++;
      }
      add(shape, signs === 1 ? at.mark : at.markRun, 1);
      add(shape, at.longRun, Math.max(0, signs - longRun));
    } else {
      while (index < text.length && (kind(index) === space || kind(index) === blank)) index++;
      if (index - start > 1 || first === blank) add(shape, at.blank, 1);
    }
  }
  assignLanguages(shape, words);
  return shape;
}

function countWord(shape: TokenFeatures, words: Words, kind: (index: number) => number, start: number): number {
  let index = start;
  let before = upper;
  for (let next = kind(index); next >= lower && next <= accent; next = kind(++index)) {
    if (next === upper && before !== upper) break;
    if (next === accent) add(shape, at.accent, 1);
    before = next;
  }
  const letters = index - start;
  add(shape, at.word, 1);
  if (letters <= shortWord) add(shape, at.shortWord, 1);
  else if (before === upper) {
    add(shape, at.capitalWord, 1);
    add(shape, at.longCapital, Math.max(0, Math.min(letters, maxWordLength) - longWord));
  }
  const ofWord = Math.min(letters, maxWordLength);
  add(shape, at.unbroken, letters - ofWord);
  add(shape, at.long, Math.max(0, ofWord - longWord));
  words.letters += letters;
  words.beyondStem += Math.max(0, ofWord - foreignStem);
  return index;
}

function assignLanguages(shape: TokenFeatures, words: Words): void {
  if (countOf(shape, 'accent') > foreignShare * words.letters) {
    shape[at.foreignWord] = countOf(shape, 'word');
    shape[at.foreignLetter] = words.beyondStem;
    shape[at.word] = 0;
    shape[at.long] = 0;
  }
  const [plain, foreign] = [countOf(shape, 'cyrillic'), countOf(shape, 'otherCyrillic')];
  const cyrillic = plain + foreign;
  const isRussian = cyrillic < someLength || words.russian >= russianShare * cyrillic;
  const isOther = !isRussian || foreign > otherCyrillicShare * cyrillic;
  shape[at.cyrillic] = isOther ? 0 : cyrillic;
  shape[at.otherCyrillic] = isOther ? cyrillic : 0;
  const [kana, han] = [countOf(shape, 'kana'), countOf(shape, 'han')];
  if (kana > kanaShare * (kana + han)) {
    shape[at.kanji] = han;
    shape[at.han] = 0;
  }
}

export function countOf(shape: TokenFeatures, piece: Piece): number {
  return shape[at[piece]] ?? 0;
}

function add(shape: TokenFeatures, index: number, count: number): void {
  shape[index] = (shape[index] ?? 0) + count;
}

const maxKept = 4_000_000;
const keptFrom = 200;

/** Caches shapes of texts from 200 characters on, up to 4 million in all, and evicts the least recently used. */
export function cacheFeatures(read: (text: string) => TokenFeatures): (text: string) => TokenFeatures {
  const shapes = new Map<string, TokenFeatures>();
  let kept = 0;
  return (text) => {
    if (text.length < keptFrom) return read(text);
    const known = shapes.get(text);
    const shape = known ?? read(text);
    if (known === undefined) kept += text.length;
    else shapes.delete(text);
    shapes.set(text, shape);
    for (const oldest of shapes.keys()) {
      if (kept <= maxKept || oldest === text) break;
      shapes.delete(oldest);
      kept -= oldest.length;
    }
    return shape;
  };
}

export const knownShape = cacheFeatures(featuresOf);
