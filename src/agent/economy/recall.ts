import { estimateTokens } from '../../service/tokens.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import { writtenIn } from '../history.ts';
import { showLine, stemsOf, stemsOfLine, type TextLine } from './lines.ts';
import { takenAwayBy } from './records.ts';
import { type Item, type StepCall, shortText } from './steps.ts';

const header = '[Brought back from earlier steps for what the user wrote last:]';
/** Most that is brought back, estimated: of files that the message names, and of everything else. */
const mostTokens = { named: 2500, other: 500 };
/** Lines of other files that fit less well than this share of the best one stay where they are. */
const leastShare = 0.5;
/** Of a long message what is asked stands last. */
const questionLength = 1000;
/** The words that say most: a draft is looked at again with every few letters. */
const mostWords = 12;
/** What a word is worth that stands not in the line but in the path of its file, or in a line next to it. */
const inPath = 0.6;
const nearby = 0.3;
const nearbyLines = 2;

/** A line that was shown, in its place among the others of its result, and where it comes from. */
interface Candidate {
  line: TextLine;
  lines: readonly TextLine[];
  at: number;
  source: Source;
}

interface Source {
  /** The path of a file, or the call that gave an output. */
  name: string;
  isFile: boolean;
  stems: ReadonlySet<string>;
}

/** What is brought back for a message of the user, as text to add to the last record; undefined when nothing fits. */
export type Recall = (message: string) => string | undefined;

/**
 * What the user may be asking about: lines of folded steps that fit a message, or whose file it names, and that stand
 * nowhere in the request any more, told in the order in which they were shown. When a step is folded no rule can know
 * what will be asked for; here the question is known, and to read a file again would cost a whole request. Only steps before
 * the item `asked`, the message, are looked at: what came after it the model chose itself. `sent`: what the request holds.
 * The lines are prepared once, so that the price of a draft can follow what is typed.
 */
export function createRecall(
  items: readonly Item[],
  folded: ReadonlySet<number>,
  asked: number,
  sent: readonly HistoryMessage[],
): Recall {
  let prepared: Prepared | undefined;
  return (message) => {
    const question = writtenIn(message).slice(-questionLength);
    const stems = stemsOf(question);
    if (stems.size === 0) return undefined;
    prepared ??= prepare(items, folded, asked, sent);
    const chosen = choose(prepared, stems, namedIn(question), message);
    return chosen.length === 0 ? undefined : tell(chosen);
  };
}

interface Prepared {
  /** In the order in which they were shown. */
  candidates: readonly Candidate[];
  /** By every word in them. */
  byStem: ReadonlyMap<string, readonly Candidate[]>;
  bySource: ReadonlyMap<Source, readonly Candidate[]>;
  /** The fewer lines hold a word, the more it says about which of them is meant. */
  worth(stem: string): number;
  /** The results in the request. */
  results: readonly string[];
  /** Lines of what the user wrote and attached. */
  written: ReadonlySet<string>;
}

function prepare(
  items: readonly Item[],
  folded: ReadonlySet<number>,
  asked: number,
  sent: readonly HistoryMessage[],
): Prepared {
  const candidates = toCandidates(items, folded, asked);
  const byStem = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    for (const stem of stemsOfLine(candidate.line)) {
      const known = byStem.get(stem);
      if (known) known.push(candidate);
      else byStem.set(stem, [candidate]);
    }
  }
  const bySource = Map.groupBy(candidates, ({ source }) => source);
  const linesUnder = (stem: string) =>
    [...bySource].reduce((sum, [{ stems }, lines]) => sum + (stems.has(stem) ? lines.length : 0), 0);
  return {
    candidates,
    byStem,
    bySource,
    worth(stem) {
      const count = (byStem.get(stem)?.length ?? 0) + linesUnder(stem);
      return count === 0 ? 0 : Math.log(1 + candidates.length / count);
    },
    results: sent.flatMap((message) => (message.role === 'tool' ? [message.text] : [])),
    written: new Set(sent.flatMap((message) => (message.role === 'user' ? trimmedLines(message.text) : []))),
  };
}

/** The best first until there is no room left for their kind; in the order in which they were shown. */
function choose(
  { candidates, byStem, bySource, worth, results, written }: Prepared,
  question: ReadonlySet<string>,
  isNamed: (source: Source) => boolean,
  message: string,
): Candidate[] {
  const named = new Set([...bySource].flatMap(([source, lines]) => (isNamed(source) ? lines : [])));
  const all = [...question].map((stem): [string, number] => [stem, worth(stem)]).filter(([, value]) => value > 0);
  const worths = new Map(all.sort(([, a], [, b]) => b - a).slice(0, mostWords));
  // The path of a file alone is too little, unless the file is named.
  const fitting = new Set([...named, ...[...worths.keys()].flatMap((stem) => byStem.get(stem) ?? [])]);
  const inMessage = new Set(trimmedLines(message));
  // Whole: then the message shows how the file is now, and an earlier read how it was.
  const isAttached = ({ name, isFile }: Source) => isFile && inMessage.has(`Attached: ${name}`);
  const ranked = [...fitting]
    .filter(
      ({ line, source }) =>
        hasNews(line, question) && !inMessage.has(line.text) && !written.has(line.text) && !isAttached(source),
    )
    .map((candidate) => ({
      candidate,
      score: scoreOf(candidate, worths),
      rarity: named.has(candidate) ? rarityOf(candidate, byStem) : 0,
    }))
    .sort((a, b) => b.score - a.score || b.rarity - a.rarity);
  const least = (ranked[0]?.score ?? 0) * leastShare;
  const left = { ...mostTokens };
  const chosen = new Set<Candidate>();
  const headed = new Set<Source>();
  for (const { candidate, score } of ranked) {
    const part = named.has(candidate) ? 'named' : 'other';
    if (left[part] <= 0 || (part === 'other' && score < least) || isSent(candidate, results)) continue;
    left[part] -= estimateTokens(showLine(candidate.line)) + 1;
    if (!headed.has(candidate.source)) left[part] -= estimateTokens(heading(candidate.source));
    headed.add(candidate.source);
    chosen.add(candidate);
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}

function tell(chosen: readonly Candidate[]): string {
  const bySource = Map.groupBy(chosen, ({ source }) => source);
  const told = [...bySource].flatMap(([source, some]) => [heading(source), ...some.map(({ line }) => showLine(line))]);
  return [header, ...told].join('\n');
}

/** A call may be as long as what it writes. */
function heading({ name }: Source): string {
  return showLine({ text: name, indent: 0 });
}

/** A line that holds nothing but words of the question answers none. */
function hasNews(line: TextLine, question: ReadonlySet<string>): boolean {
  return /\d/.test(line.text) || [...stemsOfLine(line)].some((stem) => !question.has(stem));
}

/**
 * In the order in which they were shown; of a file the newest form of every line: not what a later read shows again, or shows
 * otherwise in its place when nothing was edited in between, nor what an edit took away.
 */
function toCandidates(items: readonly Item[], folded: ReadonlySet<number>, asked: number): Candidate[] {
  const sources = new Map<string, Source>();
  const texts = new Set<string>();
  const places = new Map<string, Set<number>>();
  const isKnown = ({ line, source }: Candidate) =>
    texts.has(textKey(source.name, line.text)) ||
    (line.number !== undefined && places.get(source.name)?.has(line.number));
  const found: Candidate[][] = [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item?.type !== 'step') continue;
    for (const call of item.calls.toReversed()) {
      const lines = linesOfCall(call, sources);
      const isLeft = index < asked && folded.has(index) && (call.result?.length ?? 0) > shortText;
      if (isLeft) found.push(lines.filter((one) => /[\p{L}\p{N}]/u.test(one.line.text) && !isKnown(one)));
      for (const { line, source } of lines) {
        texts.add(textKey(source.name, line.text));
        if (!source.isFile || line.number === undefined) continue;
        const known = places.get(source.name);
        if (known) known.add(line.number);
        else places.set(source.name, new Set([line.number]));
      }
      if (call.kind !== 'edit') continue;
      // Above it the lines may have had other numbers.
      places.delete(call.path ?? '');
      for (const text of takenAwayBy(call)) texts.add(textKey(call.path ?? '', text));
    }
  }
  return found.reverse().flat();
}

function textKey(name: string, text: string): string {
  return `${name}\n${text}`;
}

/** `sources`: those that are known, by name; what is missing is added. */
function linesOfCall(call: StepCall, sources: Map<string, Source>): Candidate[] {
  const sourceOf = (name: string, isFile: boolean): Source => {
    const source = sources.get(name) ?? { name, isFile, stems: stemsOf(name) };
    sources.set(name, source);
    return source;
  };
  const lines = call.lines();
  const isFile = call.path !== undefined;
  let source = sourceOf(call.path ?? `${call.call.name} ${call.call.arguments}`, isFile);
  return lines.flatMap((line, at) => {
    if (call.kind === 'search' && line.number === undefined) {
      source = sourceOf(line.text, true);
      return [];
    }
    return [{ line, lines, at, source }];
  });
}

/** Whether a text names a file: by its path, or by its name with or without what follows the dot. */
function namedIn(text: string): (source: Source) => boolean {
  // Where words are written without blanks between them, only the script tells where a name ends.
  const patterns = [/[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$]/gu, /[\w$][\w$./-]*[\w$]/g];
  const words = new Set(patterns.flatMap((pattern) => text.toLowerCase().match(pattern) ?? []));
  return ({ name, isFile }) => {
    if (!isFile) return false;
    const path = name.toLowerCase();
    const base = path.slice(path.lastIndexOf('/') + 1);
    const [stem = ''] = base.split('.');
    return [path, base, stem].some((one) => one.length > 3 && words.has(one));
  };
}

function scoreOf({ line, lines, at, source }: Candidate, worths: ReadonlyMap<string, number>): number {
  const own = stemsOfLine(line);
  const around = lines.slice(Math.max(0, at - nearbyLines), at + nearbyLines + 1).map(stemsOfLine);
  let score = 0;
  for (const [stem, worth] of worths) {
    if (own.has(stem)) score += worth;
    else if (source.stems.has(stem)) score += worth * inPath;
    else if (around.some((stems) => stems.has(stem))) score += worth * nearby;
  }
  return score;
}

/** Of lines of a named file that fit equally well, what cannot be guessed comes first: the one with the rarest word; one without words last. */
function rarityOf({ line }: Candidate, byStem: Prepared['byStem']): number {
  return -Math.min(...[...stemsOfLine(line)].map((stem) => byStem.get(stem)?.length ?? 0));
}

function trimmedLines(text: string): string[] {
  return text.split('\n').map((line) => line.trim());
}

function isSent({ line, source }: Candidate, results: readonly string[]): boolean {
  return results.some((text) => text.includes(line.text) && (!source.isFile || text.includes(source.name)));
}
