import { once } from '../base/once.ts';
import type { ModelFacts } from '../service/step/learned.ts';
import { estimatePromptTokens } from '../service/tokens.ts';
import { imageNote } from '../service/wire/images.ts';
import { normaliseHistory } from '../service/wire/normalise-history.ts';
import type { HistoryMessage, ToolCall } from '../shared/messages.ts';
import { takenBackIn } from './history.ts';
import type { ToolKind } from './tool.ts';

export interface EconomyOptions {
  model: string;
  facts?: ModelFacts;
  toolKind(name: string): ToolKind;
  /** The messages may have this many tokens, estimated before calibration; it is absent where no bound is known. */
  room?: number;
  zone?: typeof usualZone;
}

export interface Economised {
  messages: readonly HistoryMessage[];
  saved: { tokens: number };
}

/**
 * The last steps (an answer with calls, and their results) are sent whole. When there are more than `max`, by number
 * or in tokens, the oldest are shortened to one line a call until `kept` are left. Moving in such jumps lets most
 * requests begin with the one before them. Where there is less room, fewer tokens are sent whole, in proportion, but
 * never less than the last two steps.
 */
export const usualZone = { max: { steps: 52, tokens: 96_000 }, kept: { steps: 40, tokens: 72_000 } };
const minSteps = 2;
const lineTokens = 25;
const shown = { cut: 500, line: 70, outcome: 40 };
/** An image is sent again until this many messages of the user followed its own. */
export const imageMessages = 3;

const header = '[Earlier steps, one line a call; call again for what is missing.]';

type Answer = Extract<HistoryMessage, { role: 'assistant' }>;
type Result = Extract<HistoryMessage, { role: 'tool' }>;
interface Step {
  answer: Answer;
  results: Result[];
  number: number;
}

const last = new WeakMap<object, { key: string; facts: ModelFacts | undefined; is: Economised }>();

/**
 * Returns the stored history as it is sent. It never changes what the user wrote, attached or answered, nor answers
 * without calls, and every call has its result. It is pure; the same array with the same length is computed once.
 */
export function economise(messages: readonly HistoryMessage[], options: EconomyOptions): Economised {
  const key = `${messages.length} ${options.model} ${options.room}`;
  const known = last.get(messages);
  if (known?.key === key && known.facts === options.facts) return known.is;
  const all = demandsReasoning(options) ? messages : messages.map((message) => withoutReasoning(message));
  const sent = nameOldImages(shorten(all, options));
  const is = { messages: sent, saved: { tokens: allTokens(messages) - allTokens(sent) } };
  last.set(messages, { key, facts: options.facts, is });
  return is;
}

function shorten(messages: readonly HistoryMessage[], options: EconomyOptions): HistoryMessage[] {
  const { toolKind } = options;
  const items = toItems(messages);
  const first = firstWhole(items, options);
  const changes = changesUntil(items, first, toolKind);
  const sent: HistoryMessage[] = [];
  let record: Step[] = [];
  const close = () => {
    sent.push(...describeSteps(record, (step, call) => describeCall(step, call, changes, toolKind)));
    record = [];
  };
  for (const item of items) {
    if ('answer' in item && item.number < first) {
      record.push(item);
      continue;
    }
    close();
    if ('answer' in item) sent.push(item.answer, ...item.results);
    else sent.push(item);
  }
  close();
  return sent;
}

function firstWhole(
  items: readonly (HistoryMessage | Step)[],
  { room = Infinity, zone: { max, kept } = usualZone }: EconomyOptions,
): number {
  const steps = items.filter((item) => 'answer' in item);
  let first = 1;
  let whole = 0;
  let others = 0;
  const shortenStep = ({ answer, results }: Step) => {
    whole -= stepTokens(answer, results);
    others += lineTokens * answer.toolCalls.length;
    first += 1;
  };
  for (const item of items) {
    if (!('answer' in item)) {
      others += tokensOf(item);
      continue;
    }
    whole += stepTokens(item.answer, item.results);
    const tokens = Math.min(max.tokens, room - others);
    if (whole <= tokens && item.number - first < max.steps) continue;
    const enough = (tokens / max.tokens) * kept.tokens;
    for (const oldest of steps.slice(first - 1, item.number - minSteps)) {
      if (whole <= enough && item.number - first < kept.steps) break;
      shortenStep(oldest);
    }
  }
  return first;
}

function toItems(messages: readonly HistoryMessage[]): (HistoryMessage | Step)[] {
  const items: (HistoryMessage | Step)[] = [];
  let step: Step | undefined;
  let number = 0;
  for (const message of messages) {
    if (message.role === 'tool' && step !== undefined) step.results.push(message);
    else if (message.role !== 'assistant' || message.toolCalls.length === 0) {
      step = undefined;
      items.push(message);
    } else {
      step = { answer: message, results: [], number: ++number };
      items.push(step);
    }
  }
  return items;
}

interface Changes {
  at: Map<string, number>;
  takenBack: Map<string, number>;
}

function changesUntil(items: readonly (HistoryMessage | Step)[], first: number, toolKind: (name: string) => ToolKind) {
  const changes: Changes = { at: new Map(), takenBack: new Map() };
  let number = 0;
  for (const item of items) {
    if ('answer' in item) {
      number = item.number;
      if (number > first) break;
      for (const call of item.answer.toolCalls) {
        const { path } = read(call);
        if (path !== undefined && toolKind(call.name) === 'edit') changes.at.set(path, number);
      }
    } else if (item.role === 'user') for (const path of takenBackIn(item.text)) changes.takenBack.set(path, number);
  }
  return changes;
}

function describeSteps(
  steps: readonly Step[],
  shortenStep: (step: Step, call: ToolCall) => { call: string; outcome: string },
): HistoryMessage[] {
  const [first] = steps;
  const [call] = first?.answer.toolCalls ?? [];
  if (first === undefined || call === undefined) return [];
  const described = steps.flatMap((step) => step.answer.toolCalls.map((one) => shortenStep(step, one)));
  const lines = [...Map.groupBy(described, (one) => one.call)].map(
    ([text, all]) => `${text}${all.length > 1 ? ` ×${all.length}` : ''}${all.at(-1)?.outcome}`,
  );
  const words = steps.map(({ answer }) => inLine(answer.text, shown.line)).filter((text) => text !== '');
  const carrier = { ...call, arguments: read(call).short };
  return [
    { ...first.answer, text: words.join('\n'), toolCalls: [carrier] },
    { role: 'tool', callId: call.id, name: call.name, text: [header, ...lines].join('\n') },
  ];
}

function describeCall(step: Step, call: ToolCall, changes: Changes, toolKind: (name: string) => ToolKind) {
  const { path, line } = read(call);
  const kind = toolKind(call.name);
  const result = step.results.find(({ callId }) => callId === call.id)?.text;
  const isRead = kind === 'read' || kind === 'edit';
  const described = `${call.name} ${isRead && path !== undefined ? path : line}`;
  if (kind === 'ask') return { call: described, outcome: `: ${result ?? ''}` };
  const isTakenBack = path !== undefined && (changes.takenBack.get(path) ?? 0) >= step.number;
  const isChanged = path !== undefined && (changes.at.get(path) ?? 0) > step.number;
  const since = kind === 'edit' && isTakenBack ? ' (taken back by the user)' : isChanged ? ' (changed since)' : '';
  if (result === undefined) return { call: described, outcome: ' (not carried out)' };
  return { call: described, outcome: since + (isRead ? '' : `: ${inLine(result, shown.outcome)}`) };
}

const read = once((call: ToolCall): { path?: string; line: string; short: string } => {
  const texts: string[] = [];
  let args: unknown;
  try {
    args = JSON.parse(call.arguments, (_key, value: unknown) => {
      if (typeof value === 'string' || typeof value === 'number') texts.push(String(value));
      return typeof value === 'string' ? start(value, shown.cut) : value;
    });
  } catch {
    // The arguments are no JSON; the normalizer reports that to the model.
    texts.push(call.arguments);
  }
  const short = call.arguments.length <= shown.cut ? call.arguments : JSON.stringify(args ?? {});
  const line = inLine(texts.join(' '), shown.line);
  if (typeof args !== 'object' || args === null || !('path' in args)) return { line, short };
  return { path: String(args.path).replace(/^\.\//, ''), line, short };
});

function start(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).toWellFormed()}…`;
}

function inLine(text: string, max: number): string {
  return start(
    text
      .slice(0, max * 4)
      .trim()
      .replace(/\s+/g, ' '),
    max,
  );
}

function nameOldImages(messages: readonly HistoryMessage[]): HistoryMessage[] {
  let later = messages.filter(({ role }) => role === 'user').length;
  return messages.map((message) => {
    if (message.role !== 'user') return message;
    later -= 1;
    if (message.images === undefined || later < imageMessages) return message;
    const { images, ...rest } = message;
    return { ...rest, text: [...images.map((image) => imageNote(image, 'earlier')), message.text].join('\n\n') };
  });
}

function demandsReasoning({ model, facts = { parameters: {} } }: EconomyOptions): boolean {
  const probe: HistoryMessage[] = [{ role: 'assistant', text: 'a', reasoning: 'b', model, toolCalls: [] }];
  return normaliseHistory(probe, model, facts, { strength: 'normal' }).some(
    (message) => 'reasoning_content' in message,
  );
}

const withoutReasoning = once((message: HistoryMessage): HistoryMessage => {
  if (message.role !== 'assistant' || message.reasoning === undefined) return message;
  const { reasoning: _reasoning, ...rest } = message;
  return rest;
});

const stepTokens = (answer: Answer, results: readonly Result[]) => allTokens([answer, ...results]);

const tokensOf = once((message: HistoryMessage) => estimatePromptTokens({ messages: [message] }));

function allTokens(messages: readonly HistoryMessage[]): number {
  return messages.reduce((sum, message) => sum + tokensOf(message), 0);
}
