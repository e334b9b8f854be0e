import type { Charge } from '../messages.ts';

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
export interface Failure {
  kind: FailureKind;
  /** One English line for the log and the report; the card's sentence comes from `failure-text.ts`. */
  message: string;
  /** What the service itself said, plain text, redacted, at most 4 KB; absent when the body was HTML or empty. */
  serverMessage?: string;
  /** HTTP status, when a response arrived. */
  status?: number;
  /** The model id that the failed request asked for. */
  model?: string;
  /** For capacity errors: the model id that the error names. */
  namedModel?: string;
  /** `POST /chat/completions` style, relative to the base address. */
  endpoint?: string;
  /** ISO 8601 with zone offset. */
  at: string;
  retryAfterMs?: number;
  /** What the request that failed means for money; absent when none was sent. */
  charge?: Charge;
  /** Free facts for the card: corrected address, redirect host, page title, learned limit, nearest model id … */
  facts?: Record<string, string | number>;
}
