import type { HistoryMessage } from '../../shared/messages.ts';
import type { TextLine } from './lines.ts';
import { takenAwayBy } from './records.ts';
import { type Step, type StepCall, shortText } from './steps.ts';

/** Shorter runs stay: a sentence in their place is no shorter. */
const fewestLines = 5;

/**
 * A step as it is, except for lines of its reads that a later step, sent whole as well, shows again: they are told by their
 * numbers. `later`: the steps after it.
 */
export function wholeStep(step: Step, later: readonly Step[]): { messages: HistoryMessage[]; superseded: number } {
  let superseded = 0;
  const results = step.calls.flatMap((call): HistoryMessage[] => {
    if (call.result === undefined) return [];
    const text = withoutShownAgain(call, call.result, later);
    superseded += call.result.length - text.length;
    return [{ role: 'tool', callId: call.call.id, name: call.call.name, text }];
  });
  return { messages: [step.message, ...results], superseded };
}

function withoutShownAgain(call: StepCall, result: string, later: readonly Step[]): string {
  if (call.kind !== 'read' || call.path === undefined || result.length <= shortText) return result;
  const calls = later.flatMap((step) => step.calls).filter(({ path }) => path === call.path);
  const shown = calls.filter(({ kind }) => kind === 'read').map((read) => joined(read.lines().filter(isNumbered)));
  if (shown.length === 0) return result;
  const gone = new Set(calls.flatMap(takenAwayBy));
  const lines = call.lines();
  const raw = result.split('\n');
  const kept: string[] = [];
  for (let at = 0; at < raw.length; ) {
    const count = runAt(lines, at, shown, gone);
    const numbers = [lines[at]?.number, lines[at + count - 1]?.number];
    if (count >= fewestLines) kept.push(`[lines ${numbers.join('–')}: shown again or changed below]`);
    else kept.push(...raw.slice(at, at + Math.max(count, 1)));
    at += Math.max(count, 1);
  }
  return kept.length < raw.length ? kept.join('\n') : result;
}

/** How many lines from here on a later read shows one after another, with those between them that an edit took away. */
function runAt(lines: readonly TextLine[], at: number, shown: readonly string[], gone: ReadonlySet<string>): number {
  let end = at;
  let from = at;
  for (let line = lines[end]; line !== undefined && isNumbered(line); line = lines[end]) {
    const run = joined(lines.slice(from, end + 1));
    const again = shown.some((text) => text.includes(run));
    if (!again && !gone.has(line.text)) break;
    end++;
    if (!again) from = end;
  }
  return end - at;
}

/** Each line between two line ends, so that only whole lines are found. */
function joined(lines: readonly TextLine[]): string {
  return lines.length === 0 ? '' : `\n${lines.map(({ text }) => text).join('\n')}\n`;
}

function isNumbered({ number }: TextLine): boolean {
  return number !== undefined;
}
