import type { HistoryMessage } from '../shared/messages.ts';
import { estimateTokens } from '../spend/estimate.ts';
import { showLine, stemsOf, stemsOfLine, type TextLine } from './economy-lines.ts';
import { takenAwayBy } from './economy-record.ts';
import { type Item, type StepCall, shortText } from './economy-steps.ts';

const header = '[Brought back from earlier steps for what the user wrote last:]';
/** Most that is brought back, estimated: of files that the message names, and of everything else. */
const mostTokens = { named: 1500, other: 500 };
/** Lines of other files that fit less well than this share of the best one stay where they are. */
const leastShare = 0.5;
/** What is asked stands last, after what is attached (`toHistory`). */
const questionLength = 1000;
/** What a word is worth that stands not in the line but in the path of its file, or in a line next to it. */
const inPath = 0.6;
const nearby = 0.3;
const nearbyLines = 2;

/** A line that was shown, with the lines around it and where it comes from. */
interface Candidate {
  line: TextLine;
  around: readonly TextLine[];
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
 * What the user may be asking about (U13): lines of folded steps that fit a message, or whose file it names, and that stand
 * in no result of the request any more, told in the order in which they were shown. When a step is folded no rule can know
 * what will be asked for; here the question is known, and to read a file again would cost a whole request. Only steps before
 * the item `asked`, the message, are looked at: what came after it the model chose itself. `sent`: what the request holds.
 * The lines are prepared once, so that the price of a draft can follow what is typed (U1).
 */
export function createRecall(
  items: readonly Item[],
  folded: ReadonlySet<number>,
  asked: number,
  sent: readonly HistoryMessage[],
): Recall {
  let prepared: Prepared | undefined;
  return (message) => {
    const question = message.slice(-questionLength);
    const stems = stemsOf(question);
    if (stems.size === 0) return undefined;
    prepared ??= prepare(items, folded, asked, sent);
    const chosen = choose(prepared, stems, namedIn(question));
    return chosen.length === 0 ? undefined : tell(chosen);
  };
}

interface Prepared {
  candidates: readonly Candidate[];
  /** Of every word in them. */
  worth: ReadonlyMap<string, number>;
  /** The results in the request. */
  results: readonly string[];
}

function prepare(
  items: readonly Item[],
  folded: ReadonlySet<number>,
  asked: number,
  sent: readonly HistoryMessage[],
): Prepared {
  const candidates = toCandidates(items, folded, asked);
  const results = sent.flatMap((message) => (message.role === 'tool' ? [message.text] : []));
  return { candidates, worth: worthOfWords(candidates), results };
}

/** The best first until there is no room left for their kind; in the order in which they were shown. */
function choose(
  { candidates, worth, results }: Prepared,
  question: ReadonlySet<string>,
  isNamed: (source: Source) => boolean,
): Candidate[] {
  const ranked = candidates
    .map((candidate) => ({ candidate, score: scoreOf(candidate, question, worth), named: isNamed(candidate.source) }))
    .filter(({ candidate, named }) => (named || fits(candidate, question)) && hasNews(candidate, question))
    .sort((a, b) => b.score - a.score || rarityOf(b.candidate, worth) - rarityOf(a.candidate, worth));
  const least = (ranked[0]?.score ?? 0) * leastShare;
  const left = { ...mostTokens };
  const chosen = new Set<Candidate>();
  for (const { candidate, score, named } of ranked) {
    const part = named ? 'named' : 'other';
    if (left[part] <= 0 || (!named && score < least) || isSent(candidate, results)) continue;
    left[part] -= estimateTokens(showLine(candidate.line)) + 1;
    chosen.add(candidate);
  }
  return candidates.filter((candidate) => chosen.has(candidate));
}

function tell(chosen: readonly Candidate[]): string {
  const bySource = Map.groupBy(chosen, ({ source }) => source.name);
  const told = [...bySource].flatMap(([name, some]) => [name, ...some.map(({ line }) => showLine(line))]);
  return [header, ...told].join('\n');
}

/** The name of a file alone is too little, unless it is named. */
function fits({ line }: Candidate, question: ReadonlySet<string>): boolean {
  const stems = stemsOfLine(line);
  return [...question].some((stem) => stems.has(stem));
}

/** A line that holds nothing but words of the question answers none. */
function hasNews({ line }: Candidate, question: ReadonlySet<string>): boolean {
  return /\d/.test(line.text) || [...stemsOfLine(line)].some((stem) => !question.has(stem));
}

/**
 * In the order in which they were shown; of a file the newest form of every line: not what a later read shows again or shows
 * otherwise in its place, nor what an edit took away.
 */
function toCandidates(items: readonly Item[], folded: ReadonlySet<number>, asked: number): Candidate[] {
  const known = new Set<string>();
  const found: Candidate[][] = [];
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index];
    if (item?.type !== 'step') continue;
    for (const call of item.calls.toReversed()) {
      const isLeft = index < asked && folded.has(index) && (call.result?.length ?? 0) > shortText;
      const all = linesOfCall(call);
      const news = all.filter((one) => !keysOf(one).some((key) => known.has(key)));
      if (isLeft) found.push(news.filter(({ line }) => stemsOfLine(line).size > 0));
      for (const key of all.flatMap(keysOf)) known.add(key);
      for (const text of takenAwayBy(call)) known.add(textKey(call.path ?? '', text));
    }
  }
  return found.reverse().flat();
}

/** By its text and, in a file, by its place. */
function keysOf({ line, source }: Candidate): string[] {
  const byText = textKey(source.name, line.text);
  return source.isFile && line.number !== undefined ? [byText, `${source.name}:${line.number}`] : [byText];
}

function textKey(name: string, text: string): string {
  return `${name}\n${text}`;
}

function linesOfCall(call: StepCall): Candidate[] {
  const lines = call.lines();
  let source = sourceOf(call);
  return lines.flatMap((line, at) => {
    if (call.kind === 'search' && line.number === undefined) {
      source = fileSource(line.text);
      return [];
    }
    const around = [...lines.slice(Math.max(0, at - nearbyLines), at), ...lines.slice(at + 1, at + 1 + nearbyLines)];
    return [{ line, around, source }];
  });
}

function sourceOf(call: StepCall): Source {
  if (call.path !== undefined) return fileSource(call.path);
  const name = `${call.call.name} ${call.call.arguments}`;
  return { name, isFile: false, stems: stemsOf(name) };
}

function fileSource(path: string): Source {
  return { name: path, isFile: true, stems: stemsOf(path) };
}

/** Whether a text names a file: by its path, or by its name with or without what follows the dot. */
function namedIn(text: string): (source: Source) => boolean {
  const words = new Set(text.toLowerCase().match(/[\p{L}\p{N}_$][\p{L}\p{N}_$./-]*[\p{L}\p{N}_$]/gu));
  return ({ name, isFile }) => {
    if (!isFile) return false;
    const path = name.toLowerCase();
    const base = path.slice(path.lastIndexOf('/') + 1);
    const [stem = ''] = base.split('.');
    return [path, base, stem].some((one) => one.length > 3 && words.has(one));
  };
}

/** The fewer lines hold a word, the more it says about which of them is meant. */
function worthOfWords(candidates: readonly Candidate[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { line, source } of candidates) {
    for (const stem of new Set([...stemsOfLine(line), ...source.stems])) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return new Map([...counts].map(([stem, count]) => [stem, Math.log(1 + candidates.length / count)]));
}

function scoreOf(
  { line, around, source }: Candidate,
  question: ReadonlySet<string>,
  worth: ReadonlyMap<string, number>,
): number {
  let score = 0;
  for (const stem of question) {
    const value = worth.get(stem) ?? 0;
    if (stemsOfLine(line).has(stem)) score += value;
    else if (source.stems.has(stem)) score += value * inPath;
    else if (around.some((other) => stemsOfLine(other).has(stem))) score += value * nearby;
  }
  return score;
}

function rarityOf({ line }: Candidate, worth: ReadonlyMap<string, number>): number {
  return Math.max(...[...stemsOfLine(line)].map((stem) => worth.get(stem) ?? 0));
}

function isSent({ line, source }: Candidate, results: readonly string[]): boolean {
  return results.some((text) => text.includes(line.text) && (!source.isFile || text.includes(source.name)));
}
