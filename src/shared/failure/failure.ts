import type * as z from 'zod/mini';
import type * as schema from '../event-schema.ts';

/**
 * Every way a request, a reply or a turn can fail. `failure-text.ts` switches over it exhaustively, so a new
 * kind does not compile until it has a sentence and a button. Stop is an outcome, not a failure.
 */
export const failureKinds = [
  // before anything is sent
  'no-address',
  'no-key',
  'over-budget',
  'not-served',
  'unknown-model-id',
  // the address, the key, the way there
  'key-rejected',
  'wrong-address',
  'wrong-method',
  'browser-refused',
  'redirected',
  'not-the-service',
  'unreachable',
  'certificate',
  'proxy-sign-in',
  'forbidden',
  'origin-down',
  'timeout',
  // the service is busy or ill
  'capacity-model',
  'capacity-service',
  'rate-limited',
  'server-error',
  // the service refuses this request
  'balance',
  'context-length',
  'unknown-model',
  'images-refused',
  'tools-refused',
  'history-refused',
  'parameter-refused',
  'bad-request',
  'too-large',
  // the reply is not whole
  'empty-reply',
  'cut-off',
  'stalled',
  'content-filter',
  'repetition',
  'malformed-tool-calls',
  'protocol',
  // on this machine
  'storage',
  'internal',
] as const;

export type FailureKind = (typeof failureKinds)[number];

/** A failure as it is shown, stored and reported. Plain JSON; holds no key (redacted where it is made). */
export interface Failure extends z.output<typeof schema.failure> {}
