import type { ChatRequest } from '../service/contract.ts';
import type { ModelFacts } from '../service/step/learned.ts';
import { estimateTokens } from '../service/tokens.ts';
import type { WireMessage, WirePart } from '../service/wire/normalise-history.ts';
import { buildRequestBody } from '../service/wire/request.ts';

interface Body {
  messages: WireMessage[];
  tools?: { function: { name: string; description: string; parameters: unknown } }[];
}

/**
 * Shows a request as text, made from the body itself, so that nothing can be sent that is not shown. The key is in a
 * header and never part of it. `request.messages` must be economized already.
 */
export function sentPreview(request: ChatRequest, facts: ModelFacts = { parameters: {} }): string {
  return toText(bodyOf(request, facts));
}

export type PriceRow = readonly [name: string, tokens: string, price: string];

export interface NextPreview {
  request: ChatRequest;
  facts: ModelFacts;
  baseUrl: string;
  prices: readonly PriceRow[];
  notes: readonly string[];
}

/**
 * Shows the request that Send would make now: the address, the price by part, the request as text, and on the last
 * line the body byte for byte, except for the bytes of images. The key is in a header and not shown.
 */
export function nextPreview({ request, facts, baseUrl, prices, notes }: NextPreview): string {
  const body = bodyOf(request, facts);
  const head = [
    `POST ${baseUrl}/chat/completions`,
    'Authorization: Bearer sk-svc-… (your key, not shown)',
    'Content-Type: application/json',
  ];
  const parts = [notes.join('\n'), head.join('\n'), table(prices), ...toParts(body)];
  return `${parts.join('\n\n')}\n\n${'─'.repeat(8)} Body, exactly as sent: ${Buffer.byteLength(body)} bytes\n${body}\n`;
}

function table(rows: readonly PriceRow[]): string {
  const width = (column: 0 | 1 | 2) => Math.max(0, ...rows.map((row) => row[column].length));
  return rows
    .map(
      ([name, tokens, price]) => `${name.padEnd(width(0))}  ${tokens.padStart(width(1))}  ${price.padStart(width(2))}`,
    )
    .join('\n');
}

function bodyOf(request: ChatRequest, facts: ModelFacts): string {
  return buildRequestBody(request, facts, {
    stream: facts.streaming?.works !== false,
    strength: 'normal',
    // A page of base64 shows nobody anything.
    imageUrl: ({ mediaType, bytes }) => `data:${mediaType};base64,… (${bytes} bytes)`,
  });
}

function toText(json: string): string {
  const { messages }: Body = JSON.parse(json);
  return `${[`About ${estimateTokens(json)} tokens in ${messages.length} messages`, ...toParts(json)].join('\n\n')}\n`;
}

function toParts(json: string): string[] {
  const { messages, tools = [], ...rest }: Body & Record<string, unknown> = JSON.parse(json);
  const parts = [
    `Parameters: ${JSON.stringify(rest)}`,
    ...messages.map((message, index) => `${'─'.repeat(8)} ${index + 1} ${headOf(message)}\n${contentOf(message)}`),
  ];
  if (tools.length > 0) {
    const listed = tools.map(({ function: { name, description, parameters } }) => {
      return `${name}: ${description}\n  ${JSON.stringify(parameters)}`;
    });
    parts.push(
      `${'─'.repeat(8)} ${tools.length} tools, about ${estimateTokens(JSON.stringify(tools))} tokens\n${listed.join('\n')}`,
    );
  }
  return parts;
}

function headOf(message: WireMessage): string {
  const tokens = estimateTokens(JSON.stringify(message));
  const of = message.role === 'tool' ? ` result of ${message.tool_call_id}` : '';
  return `${message.role}${of}, about ${tokens} tokens`;
}

function contentOf(message: WireMessage): string {
  switch (message.role) {
    case 'system':
    case 'tool':
      return message.content;
    case 'user':
      return typeof message.content === 'string' ? message.content : partsText(message.content);
    case 'assistant':
      return assistantText(message);
  }
}

function assistantText(message: Extract<WireMessage, { role: 'assistant' }>): string {
  const reasoning = message.reasoning_content ? [`(reasoning) ${message.reasoning_content}`] : [];
  const calls = (message.tool_calls ?? []).map(
    ({ id, function: { name, arguments: args } }) => `→ ${id} ${name} ${args}`,
  );
  return [...reasoning, ...(message.content ? [message.content] : []), ...calls].join('\n');
}

function partsText(parts: readonly WirePart[]): string {
  return parts.map((part) => (part.type === 'text' ? part.text : `(image) ${part.image_url.url}`)).join('\n');
}
