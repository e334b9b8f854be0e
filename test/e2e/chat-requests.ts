import assert from 'node:assert/strict';
import { type ChatRequest, messageText, parseChatRequest } from '../service/chat-request.ts';
import type { Session } from './session.ts';

/** The chat requests that the service received since its last reset, oldest first. */
export function chatRequests({ service }: Session): ChatRequest[] {
  return service.requests
    .filter(({ method, path }) => method === 'POST' && path.endsWith('/chat/completions'))
    .map(({ json }) => {
      const parsed = parseChatRequest(json);
      assert.ok('request' in parsed, JSON.stringify(parsed));
      return parsed.request;
    });
}

/** Texts of the results that a request carries, in order. */
export function toolResults(request: ChatRequest | undefined): string[] {
  return (request?.messages ?? []).filter(({ role }) => role === 'tool').map(messageText);
}

/** The text of the system message. */
export function systemText(request: ChatRequest | undefined): string {
  return (request?.messages ?? [])
    .filter(({ role }) => role === 'system')
    .map(messageText)
    .join('\n');
}
