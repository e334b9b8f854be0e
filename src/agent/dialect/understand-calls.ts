import type { ReplyCall } from '../../service/contract.ts';
import type { PlanItem } from '../../shared/approval.ts';
import type { HistoryMessage, ToolCall } from '../../shared/messages.ts';
import { inSchemaForm } from '../parse-arguments.ts';
import type { Tool } from '../tool.ts';
import type { Dialect } from './dialect.ts';

export interface UnderstandDeps {
  tools: readonly Tool[];
  dialect?: Dialect;
  newCallId(): string;
}

export interface UnderstoodCalls {
  calls: ToolCall[];
  verdicts: ReadonlyMap<string, { refusal: string } | { note: string }>;
  /** Lists the ids of calls that the model wrote as one. */
  wholes: readonly (readonly string[])[];
  ending?: string;
}

const notYet = 'Not now: other calls were made in the same reply. Say it when they are done.';

/**
 * `namesTold` are names that the model was corrected about in this turn; new ones are added. `before` are the
 * messages with the last plan.
 */
export function understandCalls(
  { tools, dialect, newCallId }: UnderstandDeps,
  written: readonly ReplyCall[],
  { namesExplained, before }: { namesExplained: Set<string>; before: readonly HistoryMessage[] },
): UnderstoodCalls {
  const calls: ToolCall[] = [];
  const verdicts = new Map<string, { refusal: string } | { note: string }>();
  const wholes: string[][] = [];
  const add = (call: ReplyCall): string => {
    const id = newCallId();
    calls.push({ ...inSchemaForm(tools, call), id });
    return id;
  };
  const isPlan = (name: string) => tools.some((tool) => tool.name === name && tool.kind === 'plan');
  const made = () => [
    ...before.flatMap((message) => (message.role === 'assistant' ? message.toolCalls : [])),
    ...calls,
  ];
  const lastPlan = () => planOf(made().findLast(({ name }) => isPlan(name)));
  for (const call of written) {
    const understood = dialect?.understand(call, tools, lastPlan) ?? { kind: 'calls' as const, calls: [call] };
    if (understood.kind === 'ending' && written.length === 1)
      return { calls: [], verdicts, wholes, ending: understood.text };
    if (understood.kind !== 'calls') {
      verdicts.set(add(call), { refusal: understood.kind === 'ending' ? notYet : understood.sentence });
      continue;
    }
    const ids = understood.calls.map(add);
    if (understood.isWhole) wholes.push(ids);
    const [first] = ids;
    const { note } = understood;
    if (note === undefined || first === undefined || namesExplained.has(call.name)) continue;
    namesExplained.add(call.name);
    verdicts.set(first, { note });
  }
  return { calls, verdicts, wholes };
}

function planOf(call: ToolCall | undefined): PlanItem[] {
  const { items } = JSON.parse(call?.arguments ?? '{}') as { items?: unknown };
  return Array.isArray(items) ? items : [];
}
