import { parseJson } from '../base/parse-json.ts';
import type { ReplyCall } from '../service/contract.ts';
import { canonicalJson } from './canonical-json.ts';
import { inOneLine } from './invisible.ts';
import type { Tool } from './tool.ts';

export interface CallOutcome {
  call: ReplyCall;
  tool?: Pick<Tool, 'kind' | 'access'>;
  state: 'done' | 'failed' | 'cancelled';
  text: string;
  durationMs: number;
}

export interface ProgressJudge {
  /** Must be called once a step with all of its calls. `hint` is returned once in a stall, `stop` at its end. */
  judge(outcomes: readonly CallOutcome[]): 'goes-on' | 'hint' | 'stop';
  repeated(): string;
  steps(): number;
}

const hintAt = 3;
const stopAt = 7;
/** Text that was seen more steps ago counts as new, because requests may not hold it any more. */
const rememberedSteps = 24;
const minNewLines = 3;
const minNewShare = 0.1;
const waitMs = 10_000;

const little = 1 / 3;

const maxReported = 4;
const maxReportedLength = 60;

type News = 'new' | 'little' | 'nothing' | 'waited';

/**
 * A step brings something new by unseen lines, another outcome of a command, a change that neither undoes nor repeats
 * one, or an answer of the user, but not by one question after another. New wording does not count: a plan, a failed
 * edit, an unknown tool, and what a command prints of its own line are nothing new.
 */
export function createProgressJudge(): ProgressJudge {
  const seen = createMemory(rememberedSteps);
  const failures = new Map<string, number>();
  let stalled: (readonly CallOutcome[])[] = [];
  let questions = 0;
  let planned = 0;
  let judged = 0;
  let size = 0;
  let isHinted = false;
  let hasActed = false;

  const isNewChange = (call: CallOutcome['call']): boolean => {
    const changes = changesIn(call);
    const isNew = changes.some(({ done, undone }) => !seen.has(done) && !seen.has(undone));
    for (const { done } of changes) seen.add(done);
    return isNew;
  };

  /** Some make their plan step by step, and tick it off so: that ends. */
  const newsInPlan = ({ call }: CallOutcome): News => {
    const { items } = parsed(call.arguments);
    const size = Array.isArray(items) ? items.length + items.filter((item) => item?.state === 'done').length : 0;
    const isMore = size > planned;
    planned = Math.max(planned, size);
    return isMore ? 'little' : 'nothing';
  };

  const newsInText = ({ call, tool, state, text }: CallOutcome): News => {
    const key = keyOf(call);
    const isRepeated = seen.has(key);
    seen.add(key);
    const spoken = spokenIn(call);
    const all = linesOf(text);
    // What a command repeats of its own line is no outcome, unless the line does much else.
    const said = all.filter((line) => !spoken.includes(line));
    const echoed = all.filter((line) => spoken.includes(line)).join('').length;
    if (echoed > little * spoken.length && said.length <= 1) return 'nothing';
    const lines = [...new Set(said.map(isRepeated ? withoutNumbers : withoutTimes))];
    const fresh = lines.filter((line) => !seen.has(line));
    for (const line of said) {
      seen.add(withoutTimes(line));
      seen.add(withoutNumbers(line));
    }
    // A call with other words may have done something although it shows nothing new.
    const acts = tool?.access === 'execute';
    if (state === 'failed' && !acts) return 'nothing';
    const isNew =
      fresh.length > Math.max(minNewLines - 1, minNewShare * lines.length) ||
      (fresh.length > 0 && fresh.length >= lines.length / 2) ||
      (acts && fresh.some((line) => showsOutcome.test(line))) ||
      // Who prints next to nothing has done something.
      (acts && !isRepeated && state === 'done' && lines.length <= 2);
    return isNew ? 'new' : acts && !isRepeated ? 'little' : 'nothing';
  };

  const newsOf = (outcome: CallOutcome): News => {
    const { call, tool, state, durationMs } = outcome;
    if (tool === undefined || state === 'cancelled') return 'nothing';
    if (tool.kind === 'plan') return newsInPlan(outcome);
    if (tool.kind === 'ask') return state === 'done' && questions <= 1 ? 'new' : 'nothing';
    if (tool.access === 'write') return state === 'done' && isNewChange(call) ? 'new' : 'nothing';
    const news = newsInText(outcome);
    return news === 'nothing' && tool.kind === 'other' && durationMs >= waitMs ? 'waited' : news;
  };

  /** Whatever else a step does, a call that was refused again and again in the same way is not going to succeed. */
  const repeatedFailure = (outcomes: readonly CallOutcome[]) => {
    const failed = outcomes.filter(({ tool, state }) => state === 'failed' && tool?.access !== 'execute');
    const counted = new Map(failed.map((outcome) => [failureKey(outcome), outcome]));
    const counts = [...counted].map(([key, outcome]) => {
      const count = (failures.get(key) ?? 0) + 1;
      failures.set(key, count);
      return { count, outcome };
    });
    return counts.toSorted((one, other) => other.count - one.count)[0];
  };

  return {
    judge(outcomes) {
      questions = outcomes.every(({ tool }) => tool?.kind === 'ask') ? questions + 1 : 0;
      const news = new Set(outcomes.map(newsOf));
      seen.nextStep();
      if (++judged % rememberedSteps === 0) failures.clear();
      if (news.has('new')) [stalled, size, isHinted, hasActed] = [[], 0, false, false];
      const lost = repeatedFailure(outcomes);
      if (lost !== undefined && lost.count >= hintAt) {
        stalled = Array.from({ length: lost.count }, () => [lost.outcome]);
        size = lost.count;
        isHinted ||= lost.count > hintAt;
      } else if (news.has('new') || news.has('waited')) return 'goes-on';
      else {
        const looked = new Set(stalled.flat().map(({ call }) => keyOf(call)));
        stalled.push(outcomes);
        hasActed ||= news.has('little');
        // Who was told and does the same once more, after nothing that could have changed it, goes in a circle.
        const isAgain = outcomes.every(({ call, durationMs }) => durationMs < waitMs && looked.has(keyOf(call)));
        size += news.has('little') ? little : isHinted && !hasActed && isAgain ? 2 : 1;
      }
      if (size >= stopAt) return 'stop';
      if (isHinted || size < hintAt) return 'goes-on';
      isHinted = true;
      return 'hint';
    },
    repeated: () => [...new Set(stalled.flat().map(({ call }) => inShort(call)))].slice(0, maxReported).join('; '),
    steps: () => stalled.length,
  };
}

function createMemory(steps: number) {
  let recent = new Set<string>();
  let older = new Set<string>();
  let count = 0;
  return {
    has: (what: string) => recent.has(what) || older.has(what),
    add: (what: string) => void recent.add(what),
    nextStep() {
      if (++count % steps !== 0) return;
      older = recent;
      recent = new Set();
    },
  };
}

const showsOutcome = /\b(?:error|fail|pass|assert|exception|expected|ok\b|not found|warning)/i;

function linesOf(text: string): string[] {
  const [first = '', ...rest] = text.split('\n').map((line) => line.trim());
  return [withoutNumbers(first), ...rest].filter((line) => /[\p{L}\p{N}]/u.test(line));
}

function withoutTimes(line: string): string {
  return line.replaceAll(varying, '0');
}

const varying = new RegExp(
  [
    /\d{1,9}(?:[.,]\d{1,9})?\s?(?:[mµun]?s|sec|seconds?|min|minutes?)\b/,
    /\d{4}-\d\d-\d\d|\d{1,2}:\d\d(?::\d\d)?(?:\.\d{1,9})?/,
    /\b(?:0x)?[\da-f]{7,64}\b|\d{5,20}/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gi',
);

function withoutNumbers(line: string): string {
  return withoutTimes(line).replaceAll(/\d[\d.,]*/g, '0');
}

function failureKey({ call, tool }: CallOutcome): string {
  return tool === undefined ? call.name : keyOf(call);
}

function spokenIn({ arguments: args }: CallOutcome['call']): string {
  return Object.values(parsed(args))
    .filter((value) => typeof value === 'string')
    .join('\n');
}

function keyOf({ name, arguments: args }: CallOutcome['call']): string {
  return `${name} ${canonicalJson(args)}`;
}

function changesIn(call: CallOutcome['call']): { done: string; undone: string }[] {
  const { path, edits } = parsed(call.arguments);
  if (!Array.isArray(edits)) return [{ done: keyOf(call), undone: '' }];
  return edits.map(({ search, replace }: { search?: unknown; replace?: unknown }) => {
    const [before, after] = [search, replace].map((text) => String(text).replaceAll(/\s+/g, ' '));
    return { done: `${path}\n${before}\n${after}`, undone: `${path}\n${after}\n${before}` };
  });
}

function parsed(args: string): { path?: unknown; edits?: unknown; items?: unknown } {
  return parseJson(args) ?? {};
}

function inShort({ name, arguments: args }: CallOutcome['call']): string {
  const { path, ...rest } = parsed(args);
  const [said = ''] = [path, ...Object.values(rest)].filter((value) => typeof value === 'string');
  return `${name} ${inOneLine(said).slice(0, maxReportedLength).toWellFormed()}`.trim();
}
