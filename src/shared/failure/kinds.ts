export type HelpSection =
  | 'key-and-address'
  | 'network'
  | 'capacity'
  | 'refused-requests'
  | 'incomplete-answers'
  | 'money'
  | 'this-machine';

interface Kind {
  /**
   * Says whether the service charges for the request. `none` means that none was sent, and `maybe-if-silent` means
   * `maybe` unless a status arrived.
   */
  charge: 'none' | 'no' | 'maybe' | 'yes' | 'maybe-if-silent';
  /** Says whether the same request may be sent once more automatically, which it never may after a refusal. */
  again: 'no' | 'yes' | 'if-status';
  /** Says whether an answer that broke off may be continued with another request. */
  goesOn: boolean;
  about: 'capacity' | 'network' | 'other';
  help: HelpSection;
}

/**
 * Lists every way a request, a reply or a turn can fail. A new kind does not compile until it has its sentences
 * (`failure-sentences.ts`) and its line in the log (`describe-failure.ts`). Stop is an outcome, not a failure.
 */
const entries = {
  // before anything is sent
  'no-address': { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'no-key': { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'over-budget': { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'money' },
  'not-served': { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'unknown-model-id': { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  // the address, the key, the way there
  'key-rejected': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'wrong-address': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'wrong-method': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'this-machine' },
  'browser-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'network' },
  redirected: { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'not-the-service': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  unreachable: { charge: 'no', again: 'yes', goesOn: true, about: 'network', help: 'network' },
  certificate: { charge: 'no', again: 'no', goesOn: false, about: 'network', help: 'network' },
  'proxy-sign-in': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'network' },
  forbidden: { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'key-and-address' },
  'origin-down': { charge: 'no', again: 'yes', goesOn: true, about: 'network', help: 'capacity' },
  timeout: { charge: 'maybe-if-silent', again: 'if-status', goesOn: false, about: 'network', help: 'network' },
  // the service is busy or ill
  'capacity-model': { charge: 'no', again: 'yes', goesOn: true, about: 'capacity', help: 'capacity' },
  'capacity-service': { charge: 'no', again: 'yes', goesOn: true, about: 'capacity', help: 'capacity' },
  'rate-limited': { charge: 'no', again: 'yes', goesOn: false, about: 'other', help: 'capacity' },
  'server-error': { charge: 'no', again: 'yes', goesOn: true, about: 'other', help: 'capacity' },
  // the service refuses this request
  balance: { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'money' },
  'context-length': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'unknown-model': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'images-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'tools-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'history-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'parameter-refused': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'bad-request': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  'too-large': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'refused-requests' },
  // the reply is not whole
  'empty-reply': { charge: 'no', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  'cut-off': { charge: 'maybe', again: 'no', goesOn: true, about: 'other', help: 'incomplete-answers' },
  stalled: { charge: 'maybe', again: 'no', goesOn: true, about: 'other', help: 'incomplete-answers' },
  'content-filter': { charge: 'maybe', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  repetition: { charge: 'maybe', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  'malformed-tool-calls': { charge: 'yes', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  'no-progress': { charge: 'yes', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  protocol: { charge: 'maybe', again: 'no', goesOn: false, about: 'other', help: 'incomplete-answers' },
  // on this machine
  storage: { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'this-machine' },
  internal: { charge: 'none', again: 'no', goesOn: false, about: 'other', help: 'this-machine' },
} satisfies Record<string, Kind>;

export type FailureKind = keyof typeof entries;

export const kinds: Readonly<Record<FailureKind, Kind>> = entries;

export const failureKinds = Object.keys(kinds) as FailureKind[];
