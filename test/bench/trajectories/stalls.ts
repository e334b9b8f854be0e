import { understandCalls } from '../../../src/agent/dialect/understand-calls.ts';
import { type CallOutcome, createProgressJudge } from '../../../src/agent/progress.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolDialect, toolSpecs } from '../../../src/tools/all-tools.ts';
import type { Trajectory } from './read.ts';

const offered = toolSpecs as readonly Tool[];

export interface Stalls {
  steps: number;
  hints: number;
  /** Turns that would have been ended; each of them went on in the recording. */
  stops: number;
}

/** Judges each turn of a session as it was recorded: who worked on afterwards was not at an end. */
export function judgeProgress({ messages, failed }: Trajectory): Stalls {
  const found: Stalls = { steps: 0, hints: 0, stops: 0 };
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.callId, one.text] as const] : [])));
  const before: HistoryMessage[] = [];
  let judge = createProgressJudge();
  let count = 0;
  for (const message of messages) {
    if (message.role === 'user') judge = createProgressJudge();
    if (message.role !== 'assistant' || message.toolCalls.length === 0) continue;
    const outcomes = message.toolCalls.flatMap((written): CallOutcome[] => {
      const deps = { tools: offered, dialect: toolDialect, newCallId: () => `o${++count}` };
      const { calls, verdicts } = understandCalls(deps, [written], { namesExplained: new Set(), before });
      before.push({ role: 'assistant', text: '', model: '', toolCalls: calls });
      // What nothing here can do is no step of ours: the model would have heard so, and gone another way.
      if (calls.some(({ id }) => 'refusal' in (verdicts.get(id) ?? {}))) return [];
      const isFailed = failed.has(written.id);
      return calls.map((call, at) => {
        const tool = offered.find(({ name }) => name === call.name);
        const said = at === 0 ? (results.get(written.id) ?? '') : '';
        const text = call.name === 'run_command' ? asOurs(said, isFailed) : said;
        return { call, ...(tool && { tool }), state: isFailed ? 'failed' : 'done', text, durationMs: 0 };
      });
    });
    if (outcomes.length === 0) continue;
    found.steps += 1;
    const verdict = judge.judge(outcomes);
    if (verdict === 'hint') found.hints += 1;
    if (verdict !== 'stop') continue;
    found.stops += 1;
    judge = createProgressJudge();
  }
  return found;
}

function asOurs(output: string, isFailed: boolean): string {
  return `Exit code ${isFailed ? 1 : 0} after 1 s.\n${output.trimEnd() || '[no output]'}`;
}
