import type { HistoryMessage } from '../../shared/messages.ts';
import {
  formOf,
  isTelling,
  isTrouble,
  namingLines,
  showLine,
  singularLines,
  type TextForm,
  type TextLine,
  usedLines,
  wordsOf,
} from './lines.ts';
import { type Item, type Step, type StepCall, shortText } from './steps.ts';

export type Rule = 'superseded' | 'repeated' | 'failed' | 'spent' | 'calls' | 'reasoning' | 'images' | 'recalled';

/** What one run over a history knows while it writes its records in order. */
export interface Recorder {
  items: readonly Item[];
  /** Lines that a record already holds, with the path they came from. */
  told: Set<string>;
  /** Records made before. */
  records: number;
  /** Characters left out, by rule. */
  cut: Record<Exclude<Rule, 'images' | 'recalled'>, number>;
  keepReasoning: boolean;
}

const header =
  '[Record of earlier steps up to this call, results shortened to what was used or cannot be guessed; "kept n of m" counts lines. Call again for the rest.]';
const nextHeader = '[Record of the steps up to this call, shortened as above.]';

/**
 * Neighbouring steps as one: everything the model said, one of its calls, and as the result of that call a record of them
 * all. So what tools returned stays in the role of a tool, every call has its result, and the calls that the
 * model sees itself make have the form they must have.
 */
export function recordSteps(recorder: Recorder, indexes: readonly number[], seen: number): HistoryMessage[] {
  const steps = indexes.flatMap((index) => {
    const item = recorder.items[index];
    return item?.type === 'step' ? [{ index, step: item }] : [];
  });
  const carrier = carrierOf(steps.map(({ step }) => step));
  if (carrier === undefined) return [];
  const told = steps.flatMap(({ index, step }) => step.calls.map((call) => tellCall(recorder, call, index, seen)));
  const { step, call } = carrier;
  const head = recorder.records++ === 0 ? header : nextHeader;
  const text = steps
    .map((one) => one.step.message.text.trim())
    .filter((said) => said !== '')
    .join('\n\n');
  const reasoning = step.message.reasoning;
  return [
    {
      role: 'assistant',
      text,
      ...(recorder.keepReasoning && reasoning !== undefined ? { reasoning } : {}),
      model: step.message.model,
      toolCalls: [call.call],
    },
    { role: 'tool', callId: call.call.id, name: call.call.name, text: [head, ...told].join('\n') },
  ];
}

/** The shortest call that can be read stands for all: it is told in the record again. */
function carrierOf(steps: readonly Step[]): { step: Step; call: StepCall } | undefined {
  const all = steps.flatMap((step) => step.calls.map((call) => ({ step, call })));
  const readable = all.filter(({ call }) => Object.keys(call.args).length > 0 && call.kind !== 'edit');
  const [first, ...rest] = readable.length > 0 ? readable : all;
  if (first === undefined) return undefined;
  const length = ({ call }: { call: StepCall }) => call.call.arguments.length;
  return rest.reduce((best, one) => (length(one) < length(best) ? one : best), first);
}

function tellCall(recorder: Recorder, call: StepCall, index: number, seen: number): string {
  const { kind, result } = call;
  const words = () => laterWords(recorder.items, call, index, seen);
  if (result === undefined) return `${tellArguments(recorder, call, words)}: not carried out`;
  if (kind === 'plan' && callsAfter(recorder.items, call, index, seen).some((other) => other.kind === 'plan')) {
    recorder.cut.superseded += call.call.arguments.length + result.length;
    return `${call.call.name}: replaced later`;
  }
  if (kind === 'ask') return `${tellArguments(recorder, call, words)}: ${result}`;
  const shortened = withoutPath(call, shorten(recorder, call, result, index, seen));
  // The result of a read begins with the path and the lines that the arguments name.
  const [first = ''] = shortened;
  const isNamed = call.path !== undefined && (kind === 'read' || kind === 'list') && first.startsWith(call.path);
  return `${isNamed ? call.call.name : tellArguments(recorder, call, words)}${isNamed ? ' ' : ': '}${shortened.join('\n')}`;
}

/** What an edit says of itself begins with the path, which stands in front of it already. */
function withoutPath({ kind, path }: StepCall, [first = '', ...rest]: readonly string[]): string[] {
  if (kind !== 'edit' || path === undefined) return [first, ...rest];
  return [first.replace(`Edited ${path}: `, ''), ...rest];
}

/** Lines of a new text that are told whole; of a longer one, which can be read again, as much as of a read. */
const mostWrittenLines = 12;

/** Strings in short calls bare, whole texts as blocks; the old half of an edit only as far as it names the place. */
function tellArguments(recorder: Recorder, { call, args, kind, path }: StepCall, words: () => Set<string>): string {
  if (Object.keys(args).length === 0) return `${call.name} ${call.arguments}`.trim();
  if (kind !== 'edit') {
    const told = Object.entries(args).map(([key, value]) =>
      key === 'path' && typeof value === 'string' ? value : `${key}=${asText(value)}`,
    );
    return [call.name, ...told].join(' ');
  }
  const texts = leaves(args).filter(({ key }) => key !== 'path');
  const old = new Set(texts.filter(({ key }) => isOldText(key)).flatMap(({ text }) => text.split('\n')));
  const parts = [`${call.name} ${path ?? ''}`.trimEnd()];
  for (const { key, text } of texts) {
    const lines = text.split('\n');
    const fresh = lines.filter((line) => !old.has(line));
    const kept = isOldText(key)
      ? lines.slice(0, 1)
      : fresh.length > mostWrittenLines
        ? tellWritten(fresh, path, words())
        : fresh;
    if (!isOldText(key)) for (const line of kept) recorder.told.add(keyOf(path, line.trim()));
    const shown = kept.map((line) => line.trim()).join('\n');
    const isCut = kept.length < lines.length ? ' …' : '';
    parts.push(`${key}:${lines.length > 1 && kept.length > 0 && !isOldText(key) ? '\n' : ' '}${shown}${isCut}`);
    recorder.cut.spent += Math.max(0, text.length - shown.length);
  }
  return parts.join('\n');
}

function tellWritten(written: readonly string[], path: string | undefined, words: ReadonlySet<string>): string[] {
  const lines = written.map((raw): TextLine => {
    const text = raw.trim();
    return { text, indent: raw.length - raw.trimStart().length };
  });
  const used = usedLines(lines, words);
  const form = formOf(path);
  return written.filter((_, at) => {
    const line = lines[at];
    return at === 0 || used.has(at) || (line !== undefined && isTelling(line, form));
  });
}

function asText(value: unknown): string {
  return typeof value === 'string' && !/[\s"]/.test(value) ? value : JSON.stringify(value);
}

function isOldText(key: string): boolean {
  return /^(?:search|find|before|original|old)/i.test(key);
}

/** Every string in the arguments, with the name it stands under. */
function leaves(value: unknown, key = ''): { key: string; text: string }[] {
  if (typeof value === 'string') return [{ key, text: value }];
  if (Array.isArray(value)) return value.flatMap((inner) => leaves(inner, key));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => leaves(inner, name));
  }
  return value === undefined || value === null ? [] : [{ key, text: String(value) }];
}

function shorten(recorder: Recorder, call: StepCall, result: string, index: number, seen: number): string[] {
  const { items, told, cut } = recorder;
  const later = callsAfter(items, call, index, seen);
  if (result.length <= shortText) return [result];
  if (call.kind !== 'read' && later.some((other) => other.result === result)) {
    cut.repeated += result.length;
    return ['the same result came again later'];
  }
  const lines = call.lines();
  const current = call.kind === 'read' && call.path !== undefined ? replacedLines(call, later) : undefined;
  const isReplaced = (line: TextLine) => line.number !== undefined && (current?.has(line.text) ?? false);
  const live = lines.filter((line) => line.text !== '' && !isReplaced(line));
  const [head] = live;
  if (current !== undefined && live.every((line) => line === head && line.number === undefined)) {
    cut.superseded += result.length;
    return [`${head === undefined ? '' : `${showLine(head)} `}(read again or changed later)`];
  }
  const kept = select(call, live, laterWords(items, call, index, seen), succeededLater(call, later));
  const shown = withoutEmptyHeadings(
    call,
    kept.filter((line, at) => isNews(told, call, line, at)),
  );
  count(recorder, call, lines, live, kept, shown, later);
  const all = lines.filter((line) => line.text !== '').length;
  const note = shown.length < all ? ` (kept ${shown.length} of ${all})` : '';
  const [title, ...rest] = shown;
  if (title === undefined) return [note.trim()];
  return [`${title.number === undefined ? brief(showLine(title)) : showLine(title)}${note}`, ...rest.map(showLine)];
}

/** Without the advice on how to read on, which held when the result was new. */
function brief(title: string): string {
  return title.split('; ')[0] ?? title;
}

/** A numbered line of a file is told once. */
function isNews(told: Set<string>, call: StepCall, line: TextLine, at: number): boolean {
  if (at === 0 || line.number === undefined) return true;
  const key = keyOf(call.path, line.text);
  if (told.has(key)) return false;
  told.add(key);
  return true;
}

function keyOf(path: string | undefined, text: string): string {
  return `${path ?? ''}\n${text}`;
}

/** Files of a search of which no line is left. */
function withoutEmptyHeadings(call: StepCall, lines: readonly TextLine[]): TextLine[] {
  if (call.kind !== 'search') return [...lines];
  return lines.filter((line, at) => line.number !== undefined || lines[at + 1]?.number !== undefined);
}

function count(
  { cut }: Recorder,
  call: StepCall,
  lines: readonly TextLine[],
  live: readonly TextLine[],
  kept: readonly TextLine[],
  shown: readonly TextLine[],
  later: readonly StepCall[],
): void {
  const size = (some: readonly TextLine[]) => some.reduce((sum, { text, indent }) => sum + text.length + indent + 1, 0);
  cut.superseded += size(lines) - size(live);
  cut[succeededLater(call, later) ? 'failed' : 'spent'] += size(live) - size(kept);
  cut.repeated += size(kept) - size(shown);
}

/** The first line, which says what the text is; what was used; what cannot be guessed; the end of an output. */
function select(call: StepCall, live: readonly TextLine[], words: ReadonlySet<string>, isOver: boolean): TextLine[] {
  let form: TextForm = call.kind === 'command' ? 'output' : formOf(call.path);
  const used = isOver ? new Set<number>() : usedLines(live, words);
  const keep = new Set<number>(call.kind === 'command' ? singularLines(live) : []);
  const named = call.kind === 'read' || call.kind === 'search' ? namingLines(live) : new Set<number>();
  let heading: number | undefined;
  for (const [index, line] of live.entries()) {
    if (line.number === undefined && call.kind === 'search') {
      heading = index;
      form = formOf(line.text);
    }
    const isKept = isOver
      ? isTrouble(line) || isTelling(line, form)
      : used.has(index) || named.has(index) || isTelling(line, form);
    if (!isKept && (index > 0 || call.kind === 'search')) continue;
    if (heading !== undefined) keep.add(heading);
    keep.add(index);
  }
  if (call.kind === 'command' && live.length > 0) keep.add(live.length - 1);
  return live.filter((_, index) => keep.has(index));
}

/** What came after a call and before the record was made, in order. */
function callsAfter(items: readonly Item[], call: StepCall, index: number, seen: number): StepCall[] {
  const own = items[index];
  const rest = own?.type === 'step' ? own.calls.slice(own.calls.indexOf(call) + 1) : [];
  return [...rest, ...items.slice(index + 1, seen).flatMap((item) => (item.type === 'step' ? item.calls : []))];
}

/** Lines of a read that a later read shows again or a later edit took away. */
function replacedLines(call: StepCall, later: readonly StepCall[]): Set<string> {
  const texts = new Set<string>();
  for (const other of later) {
    if (other.path !== call.path) continue;
    if (other.kind === 'read') {
      for (const line of other.lines()) if (line.number !== undefined) texts.add(line.text);
    }
    for (const text of takenAwayBy(other)) texts.add(text);
  }
  return texts;
}

/** Told by how a result begins, since paths may hold any word. In doubt nothing was changed, and the lines stay. */
function hasActed({ result = '' }: StepCall): boolean {
  return /^(?:Edited|Created|Deleted|Renamed) /.test(result) && !/^The user changed /m.test(result);
}

/** Lines of the old text of an edit that the new text does not hold: edits repeat what surrounds a change. */
export function takenAwayBy(call: StepCall): string[] {
  const { args } = call;
  if (call.kind !== 'edit' || !hasActed(call)) return [];
  const all = leaves(args);
  const linesOf = (some: typeof all) => some.flatMap(({ text }) => text.split('\n').map((line) => line.trim()));
  const added = new Set(linesOf(all.filter(({ key }) => !isOldText(key))));
  return linesOf(all.filter(({ key }) => isOldText(key))).filter((line) => !added.has(line));
}

/** The same command again with another end: then what it printed while it failed is over, but for the errors. */
function succeededLater(call: StepCall, later: readonly StepCall[]): boolean {
  if (call.kind !== 'command' || !hasFailed(call)) return false;
  return later.some(
    (other) => other.kind === 'command' && other.args.command === call.args.command && !hasFailed(other),
  );
}

function hasFailed({ result = '' }: StepCall): boolean {
  return /\bexit(?:ed)?(?: with)?(?: code)?:? -?[1-9]/i.test(result);
}

/** Words of what the model said and asked for after it had the result, and of what the user said. */
function laterWords(items: readonly Item[], call: StepCall, index: number, seen: number): Set<string> {
  const later = items.slice(index + 1, seen).flatMap((item) => {
    if (item.type === 'step') return [item.message.text, ...item.calls.map((one) => one.call.arguments)];
    return item.message.role === 'tool' ? [] : [item.message.text];
  });
  const words = wordsOf(later.join('\n'));
  // What was searched for stands in every line that was found.
  for (const word of wordsOf(call.call.arguments)) words.delete(word);
  return words;
}
