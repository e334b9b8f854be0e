import { understandCalls } from '../../../src/agent/dialect/understand-calls.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { toolDialect, toolSpecs } from '../../../src/tools/all-tools.ts';

const offered = toolSpecs as readonly Tool[];

/** The messages of another agent as they would stand in a history of ours. Of a call that becomes several, the first has the result. */
export function inOwnWords(messages: readonly HistoryMessage[]): HistoryMessage[] {
  let count = 0;
  const namesExplained = new Set<string>();
  const deps = { tools: offered, dialect: toolDialect, newCallId: () => `o${++count}` };
  const own = new Map<string, { id: string; name: string }[]>();
  const made: HistoryMessage[] = [];
  for (const message of messages) made.push(...translated(message));
  return made;

  function translated(message: HistoryMessage): HistoryMessage[] {
    if (message.role === 'tool') {
      const calls = own.get(message.callId) ?? [];
      return calls.map(({ id, name }, at) => ({ ...message, callId: id, name, text: at === 0 ? message.text : '' }));
    }
    if (message.role !== 'assistant') return [message];
    const endings: string[] = [];
    const toolCalls = message.toolCalls.flatMap((call) => {
      const { calls, ending } = understandCalls(deps, [call], { namesExplained, before: made });
      if (ending !== undefined) endings.push(ending);
      own.set(call.id, calls);
      return calls;
    });
    return [{ ...message, text: [message.text, ...endings].filter(Boolean).join('\n\n'), toolCalls }];
  }
}
