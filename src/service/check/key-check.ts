import type { Clock } from '../../base/clock.ts';
import type { KeyCheck } from '../contract.ts';
import { classifyPage, classifyResponse, type FailureContext } from '../failure/classify.ts';
import { classifyNetworkError } from '../failure/classify-network.ts';
import type { HttpResponse } from '../wire/http-response.ts';
import { readStart, send } from '../wire/send.ts';
import type { Transport } from '../wire/transport.ts';

/** This body cannot be a request. The service reads the key before the body, so it tests the key only. */
export const unreadableBody = '{';

export interface KeyCheckDeps {
  transport: Transport;
  baseUrl: string;
  clock: Clock;
  context: FailureContext;
  networkFacts?: Record<string, string | number>;
}

/**
 * Checks a key free of charge: 401 means no, an answer about the unreadable body means yes, and anything else leaves
 * it open. Never rejects. Sends no content.
 */
export async function checkKey(deps: KeyCheckDeps, key: string, signal: AbortSignal): Promise<KeyCheck> {
  const { context } = deps;
  let response: HttpResponse;
  let body: string;
  try {
    response = await send(deps.transport, deps.baseUrl, {
      method: 'POST',
      path: '/chat/completions',
      key,
      body: unreadableBody,
      signal,
    });
    body = await readStart(response, deps.clock);
  } catch (error) {
    return { state: 'unknown', failure: classifyNetworkError(error, { ...context, facts: deps.networkFacts }) };
  }
  const { status, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  if (status >= 200 && status < 300) return { state: 'unknown', failure: classifyPage(context) };
  const failure = classifyResponse({ ...context, status, headers, contentType, body });
  if (failure.kind === 'key-rejected') return { state: 'rejected' };
  const accepted = failure.kind === 'balance' || isAboutTheBody(status, body, contentType);
  return accepted ? { state: 'accepted' } : { state: 'unknown', failure };
}

const bodyStatuses = [400, 406, 409, 411, 413, 415, 422];

/** The service can only give these refusals after it accepted the key. A page comes from something in between. */
function isAboutTheBody(status: number, body: string, contentType: string): boolean {
  const isPage = /html/i.test(contentType) || /^\s*<(?:!doctype|html)/i.test(body);
  return bodyStatuses.includes(status) && !isPage && !/disallowed cors origin/i.test(body);
}
