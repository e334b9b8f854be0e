// Forwards chat requests to another chat-completions server and streams its answer back.

import { answerHtml, writeHead } from './answers.ts';
import { createBodyWriter } from './body-writer.ts';
import type { ChatRequest } from './chat-request.ts';
import { type Exchange, parseJson } from './exchange.ts';
import { connectionTimedOutPage } from './pages.ts';
import { countTokens } from './tokens.ts';

export interface UpstreamOptions {
  /** Base address of the other server, with its version segment. */
  baseUrl: string;
  apiKey?: string;
  /** Sent instead of the requested model id. */
  model?: string;
}

interface UpstreamUsage {
  /** As reported; undefined when the other server reports none. */
  promptTokens?: number;
  completionTokens: number;
}

export interface Upstream {
  /** Answers the exchange. Resolves what to charge, or undefined for a failed or empty call. */
  forward(exchange: Exchange, request: ChatRequest): Promise<UpstreamUsage | undefined>;
}

export function createUpstream({ baseUrl, apiKey, model }: UpstreamOptions): Upstream {
  const address = `${baseUrl.replace(/\/+$/, '')}/chat/completions`;
  const forward = async (exchange: Exchange, request: ChatRequest): Promise<UpstreamUsage | undefined> => {
    const headers = { 'content-type': 'application/json', ...(apiKey ? { authorization: `Bearer ${apiKey}` } : {}) };
    const body = JSON.stringify(model ? { ...request, model } : request);
    const { signal } = exchange;
    const answer = await fetch(address, { method: 'POST', headers, body, signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    if (!answer) {
      answerHtml(exchange, 522, connectionTimedOutPage);
      return undefined;
    }
    const received = await relay(exchange, answer);
    return answer.ok ? readUsage(received) : undefined;
  };
  return { forward };
}

/** Copies status, the headers that carry meaning, and the body as it comes. Resolves the text that went through. */
async function relay(exchange: Exchange, answer: Response): Promise<string> {
  const names = ['content-type', 'retry-after', 'x-request-id'];
  const headers = names.flatMap((name) => {
    const value = answer.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  writeHead(exchange, answer.status, Object.fromEntries(headers));
  exchange.response.flushHeaders();
  const writer = createBodyWriter(exchange);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of answer.body ?? []) {
      text += decoder.decode(bytes, { stream: true });
      if (!(await writer.write(bytes))) break;
    }
    await writer.end();
  } catch {
    await writer.cut(); // the other server broke off, or the client left: pass it on as it is
  }
  return text;
}

/** Usage of a whole reply or of the last event that has one; without it, generated text is counted. */
function readUsage(received: string): UpstreamUsage | undefined {
  const events = received
    .split(/\r?\n/)
    .flatMap((line) => (line.startsWith('data:') ? [parseJson(line.slice('data:'.length))] : []));
  const replies = events.length > 0 ? events : [parseJson(received)];
  const usages = replies.flatMap((reply) => (isRecord(reply) && isRecord(reply.usage) ? [reply.usage] : []));
  const usage = usages.at(-1);
  const completion = usage?.completion_tokens;
  const prompt = usage?.prompt_tokens;
  const completionTokens = typeof completion === 'number' ? completion : countTokens(replies.map(strings).join(''));
  if (completionTokens === 0) return undefined;
  return { promptTokens: typeof prompt === 'number' ? prompt : undefined, completionTokens };
}

function strings(reply: unknown): string {
  if (!isRecord(reply) || !Array.isArray(reply.choices)) return '';
  const choice: unknown = reply.choices[0];
  const source = isRecord(choice) ? (choice.delta ?? choice.message) : undefined;
  if (!isRecord(source)) return '';
  const { content, reasoning_content: reasoning, tool_calls: calls } = source;
  return (
    [content, reasoning].filter((value) => typeof value === 'string').join('') + (calls ? JSON.stringify(calls) : '')
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
