/** Holds for every failure of a kind. No member may be left out: what has a default is forgotten. */
interface Kind {
  /** For the request: `none` was sent; `maybe-if-silent`: maybe, unless a status came. */
  charge: 'none' | 'no' | 'maybe' | 'yes' | 'maybe-if-silent';
  /** Whether the same request may be sent once more on its own. Never after a refusal. */
  again: 'no' | 'yes' | 'if-status';
  /** The shown part of the reply can be gone on with: it broke, and not because of what was in it or in the request. */
  goesOn: boolean;
  /** `capacity`: the model, or all of the service, has no room. `network`: nothing on the other side was reached. */
  about: 'capacity' | 'network' | 'other';
}

/**
 * Every way a request, a reply or a turn can fail. A new one does not compile until it has its sentences
 * (`failure-sentences.ts`) and its line in the log (`describe-failure.ts`). Stop is an outcome, not a failure.
 */
const entries = {
  // before anything is sent
  'no-address': { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  'no-key': { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  'over-budget': { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  'not-served': { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  'unknown-model-id': { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  // the address, the key, the way there
  'key-rejected': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'wrong-address': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'wrong-method': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'browser-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  redirected: { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'not-the-service': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  unreachable: { charge: 'no', again: 'yes', goesOn: true, about: 'network' },
  certificate: { charge: 'no', again: 'no', goesOn: false, about: 'network' },
  'proxy-sign-in': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  forbidden: { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'origin-down': { charge: 'no', again: 'yes', goesOn: true, about: 'network' },
  timeout: { charge: 'maybe-if-silent', again: 'if-status', goesOn: false, about: 'network' },
  // the service is busy or ill
  'capacity-model': { charge: 'no', again: 'yes', goesOn: true, about: 'capacity' },
  'capacity-service': { charge: 'no', again: 'yes', goesOn: true, about: 'capacity' },
  'rate-limited': { charge: 'no', again: 'yes', goesOn: false, about: 'other' },
  'server-error': { charge: 'no', again: 'yes', goesOn: true, about: 'other' },
  // the service refuses this request
  balance: { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'context-length': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'unknown-model': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'images-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'tools-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'history-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'parameter-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'bad-request': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'too-large': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  // the reply is not whole
  'empty-reply': { charge: 'no', again: 'no', goesOn: false, about: 'other' },
  'cut-off': { charge: 'maybe', again: 'no', goesOn: true, about: 'other' },
  stalled: { charge: 'maybe', again: 'no', goesOn: true, about: 'other' },
  'content-filter': { charge: 'maybe', again: 'no', goesOn: false, about: 'other' },
  repetition: { charge: 'maybe', again: 'no', goesOn: false, about: 'other' },
  'malformed-tool-calls': { charge: 'yes', again: 'no', goesOn: false, about: 'other' },
  'no-progress': { charge: 'yes', again: 'no', goesOn: false, about: 'other' },
  protocol: { charge: 'maybe', again: 'no', goesOn: false, about: 'other' },
  // on this machine
  storage: { charge: 'none', again: 'no', goesOn: false, about: 'other' },
  internal: { charge: 'none', again: 'no', goesOn: false, about: 'other' },
} satisfies Record<string, Kind>;

export type FailureKind = keyof typeof entries;

export const kinds: Readonly<Record<FailureKind, Kind>> = entries;

export const failureKinds = Object.keys(kinds) as FailureKind[];
