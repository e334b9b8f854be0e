/**
 * Which lines of a text must not be lost when it is told in short: those that later work used, and those that say something
 * nobody could guess (a number, a value given to a name, an address, an error, a rule). Everything else can be read again.
 */

/** A line that carries its number, as the read tool gives it (`12<tab>text`) and the search tool (`12: text`). */
const numbered = /^\s*(\d{1,7})(?:\t|: )(.*)$/s;
/** Characters of a line that are shown. */
const longestLine = 300;
/** A word in more lines than this says nothing about which of them was meant. */
const mostLinesOfAWord = 2;
const mostUsedLines = 12;

export interface TextLine {
  /** Undefined for a heading. */
  number?: number;
  /** Without its number and without blanks around it. */
  text: string;
  indent: number;
}

export function toLines(text: string): TextLine[] {
  return text.split('\n').map((raw) => {
    const match = numbered.exec(raw);
    const body = (match?.[2] ?? raw).trimEnd();
    const line: TextLine = { text: body.trimStart(), indent: body.length - body.trimStart().length };
    if (match !== null) line.number = Number(match[1]);
    return line;
  });
}

export function showLine({ number, text }: TextLine): string {
  const shown = text.length <= longestLine ? text : `${text.slice(0, longestLine).toWellFormed()}…`;
  return number === undefined ? shown : `${number} ${shown}`;
}

/** `data`: every value counts, however deep it stands. `output`: what programs print. */
export type TextForm = 'code' | 'data' | 'prose' | 'output';

export function formOf(path: string | undefined): TextForm {
  if (path === undefined) return 'output';
  if (/\.(json|jsonc|json5|ya?ml|toml|ini|cfg|conf|properties|env|lock|xml|csv)$|(^|\/)\.?env/i.test(path))
    return 'data';
  return /\.(md|mdx|txt|rst|adoc)$|(^|\/)[A-Z]+$/.test(path) ? 'prose' : 'code';
}

const valueAlone = /^["'`]?[\w.$-]+["'`]?\s*[:=]\s*(?:["'`].{2,}|-?\d*[2-9]\d*\b|-?\d{2,})/;
/** As in YAML, INI and `.env` files. */
const valueBare = /^(?:-\s+)?(?:export\s+)?[\w.-]+\s*[:=]\s*(?!(?:true|false|null|yes|no|on|off)\b)\w[^\s#]{2,}/i;
/** A text in a list. */
const quotedValue = /["'][^"'\s][^"']{2,}["'](?!\s*:)/;
const valueDeclared =
  /^(?:export\s+|public\s+|private\s+|protected\s+)*(?:const|let|var|static|readonly|final|val|def|#define)\b[^=(]{0,60}(?:=|\s)\s*(?:["'`][^"'`]{2,}["'`]|-?\d*[2-9]\d*\b|-?\d{2,})/;
/** Not a power of ten, not a duration or a size: those are in every example. */
const longNumber =
  /(?<![\w.])-?(?!10+\b)(?:\d[\d_]{2,}|0x[\da-f]{2,}|\d+\.\d+\.\d+)(?!\d*\.?\d*\s*(?:ms|s|kB|MB|B|%)\b)/i;
const constantName = /\b[A-Z][A-Z\d]*_[A-Z\d_]{2,}\b/;
const address = /\b(?:https?|wss?|ftp|postgres|redis|file):\/\/[^\s"'`]{4,}|\b[\w.]{2,}@[\w-]+\.\w+|:\d{4,5}\b/;
const rule =
  /\b(?:must|never|always|do not|don't|deprecated|warning|caution|important|required|note|todo|fixme|hack)\b/i;
/** Something is given a name that looks like one. */
const naming = /\b(?:called|named|set to|stands for) ["'`]?(?:\w+[-.:/_]\w|[a-z]*[A-Z]\w+)/;
/** A text in quotes that is no word of the language: `'amber-otter'`, `"svc.model"`, not `'./file.js'`. */
const literal = /(["'`])@?\w+(?:[-.:/@]\w+)+\1/;
const comment = /^(?:\/\/|\/?\*|#|<!--|--|;)|\s\/\/\s/;
const trouble =
  /(?:error|exception|warning)s?\b|\b(?:fail(?:ed|ure|ing|s)?|panic|fatal|denied|refused|expected|actual|assert\w*|exit(?:ed)?)\b|[✗✘×]/i;

/** Lines of a program that say that something went as it should. */
const passed = /^(?:[✓✔√]|ok\b|pass(?:ed)?\b)/i;
/** Examples and pointers in comments: they stand in the documentation as well. */
const documentation = /^\*?\s*@(?:see|example|link)\b/;
const imported = /^(?:import\b|\} from\b|(?:const|let|var)\b.*\brequire\()/;

/** True for a line that says what cannot be guessed from its surroundings. */
export function isTelling(line: TextLine, form: TextForm): boolean {
  const { indent } = line;
  // What is not shown cannot tell anything, and no pattern ever sees a long line.
  const text = line.text.slice(0, longestLine);
  if (form === 'code' && documentation.test(text)) return false;
  if (longNumber.test(text) || address.test(text)) return true;
  if (form === 'output')
    return !passed.test(text) && (trouble.test(text) || constantName.test(text) || valueAlone.test(text));
  if (form === 'data') return valueAlone.test(text) || valueBare.test(text) || quotedValue.test(text);
  if (form === 'prose') return rule.test(text) || naming.test(text) || /`[^`]{3,}`/.test(text);
  if (imported.test(text)) return false;
  if (comment.test(text) && (rule.test(text) || naming.test(text))) return true;
  if (valueDeclared.test(text) || (indent <= 2 && valueAlone.test(text))) return true;
  return literal.test(text) && !/^(?:\/\/|\/?\*)/.test(text);
}

const mostSingularLines = 12;

/**
 * Indexes of the lines of an output that look like no other line of it, the last ones when there are many. To see them again
 * the program would have to run again, so more is kept of it than of a file.
 */
export function singularLines(lines: readonly TextLine[]): number[] {
  const shapes = lines.map(({ text }) => text.slice(0, longestLine).replace(/\d+/g, '0'));
  const counts = new Map<string, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  const singular = shapes.flatMap((shape, index) => (counts.get(shape) === 1 && !passed.test(shape) ? [index] : []));
  return singular.slice(-mostSingularLines);
}

/** Error lines of what a program printed. */
export function isTrouble({ text }: TextLine): boolean {
  return trouble.test(text.slice(0, longestLine));
}

const analysed = new WeakMap<TextLine, Set<string>>();

/** The same results are looked at for every request of a turn, and finding their words is most of that work. */
function wordsOfLine(line: TextLine): Set<string> {
  const known = analysed.get(line);
  if (known !== undefined) return known;
  const words = wordsOf(line.text);
  analysed.set(line, words);
  return words;
}

/** Names as programmers write them, and numbers: what later text has in common with the line it speaks of. */
export function wordsOf(text: string): Set<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]{3,}|\d{2,}/gu)) {
    if (/\d|_|\$|\p{Ll}\p{Lu}/u.test(word)) words.add(word);
  }
  return words;
}

const stemmed = new WeakMap<TextLine, Set<string>>();

export function stemsOfLine(line: TextLine): ReadonlySet<string> {
  const known = stemmed.get(line) ?? stemsOf(line.text.slice(0, longestLine));
  stemmed.set(line, known);
  return known;
}

/** Too frequent in questions to say what is asked for. */
const questionWords = new Set(
  'the and for that this with what which who whom where when why how does did was were are has have had can could should would will you your our its not but from into out all any now then than there them they here just please again back use one'.split(
    ' ',
  ),
);

/** Scripts that put no blanks between words, or after which endings follow without one: every two letters are a word. */
const joinedScripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]+/gu;

/** All words of a text in one form: parts of names each for itself, in lower case and without their endings. */
export function stemsOf(text: string): Set<string> {
  const stems = new Set<string>();
  for (const [word] of text.matchAll(/\p{Lu}?[\p{Ll}\p{Lo}\p{M}]+|\p{Lu}+(?!\p{Ll})|\d+/gu)) {
    const lower = word.toLowerCase();
    if (lower.length >= 3 && !questionWords.has(lower)) stems.add(stemOf(lower));
  }
  for (const [run] of text.matchAll(joinedScripts)) {
    for (let at = 0; at + 1 < run.length; at++) stems.add(run.slice(at, at + 2));
  }
  return stems;
}

function stemOf(word: string): string {
  const singular = word.length > 3 ? word.replace(/(?<=[^s])s$/, '') : word;
  return singular.length > 4 ? singular.replace(/(?:ing|ed|er|e)$/, '') : singular;
}

/** Indexes of the lines that hold a word of `words` which only few lines hold. The first ones, when there are many. */
export function usedLines(lines: readonly TextLine[], words: ReadonlySet<string>): Set<number> {
  return rareLines(lines, (line) => [...wordsOfLine(line)].filter((word) => words.has(word)));
}

/** Written like this are hosts, queues, packages, events, flags and files: names that no rule of a language tells. */
const kebabName = /(?<![\w.\-/@$#])[a-z][a-z\d]*(?:-[a-z\d]+)+(?![\w\-/(])/g;

/** Indexes of the lines that hold a name in kebab case which only few lines hold. The first ones, when there are many. */
export function namingLines(lines: readonly TextLine[]): Set<number> {
  return rareLines(lines, ({ text }) => text.slice(0, longestLine).match(kebabName) ?? []);
}

function rareLines(lines: readonly TextLine[], wordsIn: (line: TextLine) => readonly string[]): Set<number> {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    if (passed.test(line.text) || imported.test(line.text)) continue;
    for (const word of new Set(wordsIn(line))) {
      const known = places.get(word);
      if (known) known.push(index);
      else places.set(word, [index]);
    }
  }
  const used = new Set([...places.values()].filter((at) => at.length <= mostLinesOfAWord).flat());
  return new Set([...used].sort((a, b) => a - b).slice(0, mostUsedLines));
}
