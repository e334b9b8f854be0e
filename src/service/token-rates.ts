import { at, type Piece, pieces, type TokenFeatures } from './token-features.ts';

/**
 * Each class is corrected by itself, because models differ by script and far less within one. `frame` holds the
 * tokens that every message adds, `reasoning` earlier thinking that is sent back, which not every model counts.
 */
export const textClasses = [
  'words',
  'foreign',
  'marks',
  'cyrillic',
  'greek',
  'arabic',
  'hebrew',
  'indic',
  'thai',
  'han',
  'japanese',
  'hangul',
  'rare',
  'frame',
  'reasoning',
] as const;
export type TextClass = (typeof textClasses)[number];

/** Holds estimated tokens by class, in the order of `textClasses`, then by piece, in the order of `pieces`. */
export type ClassTokens = Float64Array;

export type Mix = readonly number[];

type Family = 'deepseek' | 'qwen' | 'other';

/**
 * The rates are tokens per piece. They were fitted to what the public vocabularies of DeepSeek V3 and Qwen 3 make of
 * interface texts in seventeen languages and of source code, JSON and logs. `other` stands between the thriftier one
 * of these, o200k and Llama 3.
 */
const rates: Readonly<Record<Piece, readonly [TextClass, deepseek: number, qwen: number, other: number]>> = {
  word: ['words', 1.01, 1.08, 1.06],
  long: ['words', 0.24, 0, 0.03],
  shortWord: ['words', 0, 0, 0],
  capitalWord: ['words', 0, 0, 0],
  longCapital: ['words', 0.4, 0.4, 0.4],
  // Between a letter that repeats itself and letters without any order.
  unbroken: ['rare', 0.29, 0.29, 0.29],
  foreignWord: ['foreign', 0, 0.27, 0.3],
  foreignLetter: ['foreign', 0.45, 0.42, 0.38],
  accent: ['foreign', 1.44, 0.58, 0.7],
  digit: ['marks', 0, 0.42, 0],
  digitGroup: ['marks', 1.52, 1.69, 1.6],
  mark: ['marks', 0.33, 0.19, 0.18],
  markRun: ['marks', 1.45, 1.03, 1.1],
  longRun: ['marks', 1.07, 0.92, 0.97],
  blank: ['marks', 2.18, 2.07, 2.2],
  cyrillic: ['cyrillic', 0.29, 0.33, 0.28],
  otherCyrillic: ['cyrillic', 0.43, 0.49, 0.36],
  greek: ['greek', 0.5, 1.01, 0.43],
  arabic: ['arabic', 0.42, 0.43, 0.37],
  hebrew: ['hebrew', 0.54, 0.45, 0.47],
  indic: ['indic', 0.72, 1.17, 0.5],
  thai: ['thai', 0.35, 0.56, 0.43],
  kana: ['japanese', 0.47, 0.43, 0.46],
  kanji: ['japanese', 0.84, 0.89, 1],
  han: ['han', 0.53, 0.58, 0.63],
  hangul: ['hangul', 0.82, 0.81, 0.74],
  ideographicMark: ['rare', 1.1, 1.1, 1.1],
  rare: ['rare', 1, 1, 1],
  symbol: ['rare', 1.5, 1.5, 1.5],
};

/**
 * Each value is one relative standard deviation of the rates of a class. For a family whose vocabulary was measured
 * it is the spread of its texts with room for the next version, for the others the spread between vocabularies.
 */
const doubts: Readonly<Record<TextClass, readonly [known: number, other: number]>> = {
  words: [0.07, 0.08],
  foreign: [0.12, 0.2],
  marks: [0.12, 0.15],
  cyrillic: [0.1, 0.25],
  greek: [0.1, 0.5],
  arabic: [0.1, 0.4],
  hebrew: [0.1, 0.5],
  indic: [0.12, 0.5],
  thai: [0.12, 0.4],
  han: [0.12, 0.25],
  japanese: [0.12, 0.25],
  hangul: [0.1, 0.25],
  rare: [0.4, 0.5],
  frame: [0.5, 0.5],
  reasoning: [0.5, 0.5],
};

const classIndex = new Map(textClasses.map((name, index) => [name, index]));

export function indexOf(name: TextClass): number {
  return classIndex.get(name) ?? 0;
}

function familyOf(model: string): Family {
  if (/deepseek/i.test(model)) return 'deepseek';
  return /qwen/i.test(model) ? 'qwen' : 'other';
}

export function doubtOf(model: string, name: TextClass): number {
  return doubts[name][familyOf(model) === 'other' ? 1 : 0];
}

export function addShape(tokens: ClassTokens, shape: TokenFeatures, model: string): void {
  const column = { deepseek: 1, qwen: 2, other: 3 } as const;
  const family = column[familyOf(model)];
  for (const piece of pieces) {
    const count = shape[at[piece]] ?? 0;
    if (count === 0) continue;
    const rate = rates[piece];
    const index = textClasses.length + at[piece];
    add(tokens, rate[0], count * rate[family]);
    // What costs nothing of its own still says what kind of text it is.
    tokens[index] = (tokens[index] ?? 0) + count * (rate[family] || 1);
  }
}

const mixed: ReadonlySet<TextClass> = new Set(['words', 'foreign', 'marks', 'rare']);
const mixedPieces = pieces.map((piece) => mixed.has(rates[piece][0]));

export function mixOf(tokens: ClassTokens): Mix {
  const all = sum(tokens);
  return mixedPieces.map((isMixed, index) =>
    isMixed && all > 0 ? (tokens[textClasses.length + index] ?? 0) / all : 0,
  );
}

export function add(tokens: ClassTokens, name: TextClass, count: number): void {
  const index = indexOf(name);
  tokens[index] = (tokens[index] ?? 0) + count;
}

export function noTokens(): ClassTokens {
  return new Float64Array(textClasses.length + pieces.length);
}

export function sum(tokens: ClassTokens): number {
  return tokens.subarray(0, textClasses.length).reduce((total, count) => total + count, 0);
}
