import type { Clock } from '../../base/clock.ts';
import { assertServed } from '../check/capabilities.ts';
import { isServed } from '../check/served-requests.ts';
import type { HttpResponse } from './http-response.ts';
import type { Transport } from './transport.ts';

export interface Outgoing {
  method: 'GET' | 'POST';
  path: string;
  key?: string;
  body?: string;
  accept?: string;
  signal: AbortSignal;
}

/**
 * All requests of the product leave through this function. It refuses paths that are not served before anything is
 * sent, and it follows no redirect, so the key goes nowhere else.
 */
export async function send(transport: Transport, baseUrl: string, outgoing: Outgoing): Promise<HttpResponse> {
  const { method, path, key, body, signal } = outgoing;
  if (!isServed(method, path)) assertServed(method, path);
  const headers: Record<string, string> = { accept: outgoing.accept ?? 'application/json' };
  if (body !== undefined) headers['content-type'] = 'application/json';
  if (key !== undefined) headers.authorization = `Bearer ${key}`;
  const response = await transport(`${baseUrl}${path}`, { method, headers, body, signal, redirect: 'manual' });
  // Browser-like stacks hide the status and the address of a redirect that they did not follow.
  if (response.type === 'opaqueredirect') throw new TypeError('unexpected redirect');
  return response;
}

const maxBytes = 64 * 1024;
const bodyTimeoutMs = 15_000;

/** Returns the beginning of a body as text. A body that stalls, breaks or is too long is cut there. Never rejects. */
export async function readStart(response: HttpResponse, clock: Clock, limit = maxBytes): Promise<string> {
  if (response.body === null) return '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const giveUp = () => {
    // The body is being thrown away: that it cannot be cancelled any more changes nothing.
    reader.cancel().catch(() => undefined);
  };
  const cancel = clock.after(bodyTimeoutMs, giveUp);
  try {
    while (bytes < limit) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return text + decoder.decode();
      const piece = value.subarray(0, limit - bytes);
      bytes += piece.length;
      text += decoder.decode(piece, { stream: true });
    }
    giveUp();
    return text;
  } catch {
    // A broken error body says less, but the status still stands.
    return text;
  } finally {
    cancel();
  }
}
