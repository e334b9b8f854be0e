import type { ChatRequest } from '../service/contract.ts';
import type { ModelFacts } from '../service/learned.ts';
import type { WireMessage } from '../service/normalise-history.ts';
import { buildRequestBody } from '../service/request.ts';
import { estimateTokens } from '../spend/estimate.ts';

interface Body {
  messages: WireMessage[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
}

/**
 * What a request carries, as text to read (U16): made from the body itself, so nothing can be sent that is not shown. The
 * key is in a header and never comes near. `request.messages` are the economised ones.
 */
export function sentPreview(request: ChatRequest, facts: ModelFacts = { parameters: {} }): string {
  const json = buildRequestBody(request, facts, { stream: facts.streaming?.works !== false, strength: 'normal' });
  const { messages, tools = [], ...rest }: Body & Record<string, unknown> = JSON.parse(json);
  const parts = [
    `About ${estimateTokens(json)} tokens in ${messages.length} messages`,
    `Parameters: ${JSON.stringify(rest)}`,
    ...messages.map((message, index) => `${'─'.repeat(8)} ${index + 1} ${headOf(message)}\n${contentOf(message)}`),
  ];
  if (tools.length > 0) {
    const told = tools.map(({ function: { name, description, parameters } }) => {
      return `${name}: ${description}\n  ${JSON.stringify(parameters)}`;
    });
    parts.push(
      `${'─'.repeat(8)} ${tools.length} tools, about ${estimateTokens(JSON.stringify(tools))} tokens\n${told.join('\n')}`,
    );
  }
  return `${parts.join('\n\n')}\n`;
}

function headOf(message: WireMessage): string {
  const tokens = estimateTokens(JSON.stringify(message));
  const of = message.role === 'tool' ? ` result of ${message.tool_call_id}` : '';
  return `${message.role}${of}, about ${tokens} tokens`;
}

function contentOf(message: WireMessage): string {
  if (message.role !== 'assistant') return message.content;
  const reasoning = message.reasoning_content ? [`(reasoning) ${message.reasoning_content}`] : [];
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: args } }) => `→ ${id} ${name} ${args}`,
  );
  return [...reasoning, ...(message.content ? [message.content] : []), ...calls].join('\n');
}
