import type { FailureKind } from '../../shared/failure/kinds.ts';

const phrases: Record<FailureKind, string> = {
  'no-address': 'no service address is set',
  'no-key': 'no API key is set',
  'over-budget': 'the spending limit is reached',
  'not-served': 'the service does not serve this',
  'unknown-model-id': 'no such model id',
  'key-rejected': 'the API key was not accepted',
  'wrong-address': 'nothing is served at this address',
  'wrong-method': 'the path does not take this method',
  'browser-refused': 'calls from browsers are refused',
  redirected: 'the address redirects elsewhere; redirects are not followed',
  'not-the-service': 'a web page answered instead of the service',
  unreachable: 'the service could not be reached',
  certificate: 'the certificate of the service was not trusted',
  'proxy-sign-in': 'the proxy asks for a sign-in',
  forbidden: 'access was refused',
  'origin-down': 'the servers behind the proxy of the service did not answer',
  timeout: 'no answer came in time',
  'capacity-model': 'the model is at capacity',
  'capacity-service': 'the service is at capacity',
  'rate-limited': 'too many requests',
  'server-error': 'the service failed',
  balance: 'the service reports that credit is used up',
  'context-length': 'the conversation is too long for the model',
  'unknown-model': 'the service does not know the model',
  'images-refused': 'the model takes no images',
  'tools-refused': 'the model takes no tools',
  'history-refused': 'the service refused the form of the conversation',
  'parameter-refused': 'the model refused a parameter',
  'bad-request': 'the service refused the request',
  'too-large': 'the request is too large',
  'empty-reply': 'the reply was empty',
  'cut-off': 'the reply ended early',
  stalled: 'the reply stopped arriving',
  'content-filter': 'the reply was withheld by a content filter',
  repetition: 'the reply repeated itself without end and was stopped',
  'malformed-tool-calls': 'the tool calls were malformed',
  'no-progress': 'the turn brought nothing new any more',
  protocol: 'the answer does not follow the format',
  storage: 'storing failed',
  internal: 'something failed inside the extension',
};

export function describeFailure(
  kind: FailureKind,
  about: { endpoint?: string; status?: number; model?: string; detail?: string } = {},
): string {
  const { endpoint, status, model, detail } = about;
  const answered = status === undefined ? '' : ` answered ${status}`;
  const subject = endpoint === undefined ? '' : `${endpoint}${answered}: `;
  const which = model === undefined ? '' : ` (${model})`;
  return `${subject}${phrases[kind]}${which}${detail === undefined ? '' : `: ${detail}`}`;
}
