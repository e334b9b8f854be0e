import { parseJson } from '../../base/parse-json.ts';
import { parseModelList } from '../models.ts';
import type { CheckFault } from './check-diagnosis.ts';
import { unreadableBody } from './key-check.ts';

export interface CheckAnswer {
  status: number;
  contentType: string;
  /** At most 64 KB. */
  body: string;
  /** The origin that a redirect leads to. */
  location?: string;
}

export interface Judgement {
  /** `differs`: something answered, but not as promised. `failed`: it cannot work like this. */
  verdict: 'ok' | 'differs' | 'failed' | 'skipped';
  /** One sentence for a person. */
  diagnosis: string;
  /** Set when it matters for whether anything works. */
  fault?: CheckFault;
}

export interface Probe {
  name: string;
  request: string;
  promised: string;
  method: 'GET' | 'POST' | 'OPTIONS';
  /** Undefined when the address does not allow this probe. */
  url(baseUrl: string): string | undefined;
  headers?: Record<string, string>;
  body?: string;
  needsKey?: boolean;
  judge(answer: CheckAnswer): Judgement;
}

const ok = (diagnosis: string): Judgement => ({ verdict: 'ok', diagnosis });
const differs = (diagnosis: string): Judgement => ({ verdict: 'differs', diagnosis });
const failed = (fault: CheckFault, diagnosis: string): Judgement => ({ verdict: 'failed', diagnosis, fault });

/** In this order: what matters most first. Nothing in here can become a completion, so nothing can cost. */
export const probes: readonly Probe[] = [
  {
    name: 'Model list',
    request: 'GET /models',
    promised: '200 with the list, no key needed',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/models`,
    judge: judgeList,
  },
  {
    name: 'Your key',
    request: 'POST /chat/completions with the key and an unreadable body',
    promised: 'any status except 401, at no charge',
    method: 'POST',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    body: unreadableBody,
    needsKey: true,
    judge: judgeKey,
  },
  {
    name: 'No key',
    request: 'POST /chat/completions without a key',
    promised: '401 with a JSON error of type invalid_auth',
    method: 'POST',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    body: unreadableBody,
    judge: judgeMissingKey,
  },
  {
    name: 'Wrong method',
    request: 'GET /chat/completions',
    promised: '405',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    judge: ({ status }) =>
      status === 405
        ? ok('The path exists and takes POST only.')
        : differs('Something other than the service may be answering for this path.'),
  },
  {
    name: 'Trailing slash',
    request: 'GET /models/',
    promised: '404',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/models/`,
    judge: ({ status }) =>
      status === 404
        ? ok('Paths must match exactly.')
        : differs('A gateway might be rewriting paths. This alone does no harm.'),
  },
  {
    name: 'Missing /v1',
    request: 'GET /models outside /v1',
    promised: '404',
    method: 'GET',
    url: (baseUrl) => (baseUrl.endsWith('/v1') ? `${baseUrl.slice(0, -'/v1'.length)}/models` : undefined),
    judge: ({ status }) =>
      status === 404
        ? ok('Only addresses with /v1 are served.')
        : differs('Something else answers outside /v1. This alone does no harm.'),
  },
  {
    name: 'Calls from browsers',
    request: 'OPTIONS /chat/completions from a foreign origin',
    promised: '400, Disallowed CORS origin',
    method: 'OPTIONS',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    headers: {
      origin: 'https://example.invalid',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
    judge: ({ status }) =>
      status === 400
        ? ok('Web pages cannot call the service. The editor can.')
        : differs('The answer to web pages differs. The editor is not affected.'),
  },
];

function judgeList({ status, body, location }: CheckAnswer): Judgement {
  if (status === 404) {
    return failed('not-found', 'Nothing is served at this address. It must end in /v1, without a slash after it.');
  }
  if (status === 407) return failed('proxy-sign-in', 'The proxy asks for a sign-in.');
  if (status >= 520 && status <= 530) {
    return failed('down', 'The servers of the service do not answer. Try again later.');
  }
  if (status >= 300 && status < 400) {
    const where = location === undefined ? 'elsewhere' : `to ${location}`;
    return failed('redirected', `The address redirects ${where}.`);
  }
  if (/^\s*</.test(body)) {
    return failed('web-page', 'A web page answered. Sign in to the network first, or correct the address.');
  }
  if (status !== 200) return failed('list-refused', "The list isn't available, so the service might be down.");
  const models = parseModelList(parseJson(body));
  if (models === undefined) return failed('no-list', "This isn't a model list, so this isn't the service.");
  if (models.length > 0 && !models.some(({ id }) => id.startsWith('svc/'))) {
    return failed('other-models', "These are another provider's models: no ID begins with svc/.");
  }
  return ok(`The address is right and the service is up. It lists ${models.length} models.`);
}

/** The ids of a list that was judged good. */
export function listedIds({ status, body }: CheckAnswer): string[] {
  return status === 200 ? (parseModelList(parseJson(body)) ?? []).map(({ id }) => id) : [];
}

function judgeKey({ status, body }: CheckAnswer): Judgement {
  if (status === 401) return failed('key-rejected', 'The key was not accepted. Enter a new one.');
  const isPage = /^\s*</.test(body);
  if (!isPage && (status === 400 || status === 422)) {
    return ok('The key was accepted. Only the unreadable body was refused.');
  }
  if (status === 402) {
    return {
      ...differs('The key was accepted, but the service reports that credit is used up.'),
      fault: 'no-credit',
    };
  }
  if (status === 404) return failed('other-service', 'Nothing is served at this path. Check the address.');
  return { ...differs("The answer doesn't show whether the key is valid."), fault: 'key-unclear' };
}

function judgeMissingKey({ status, body }: CheckAnswer): Judgement {
  if (status !== 401) {
    const judgement = differs("A missing key isn't refused as specified, so this might not be the service.");
    return status >= 500 ? judgement : { ...judgement, fault: 'other-service' };
  }
  const error = field(parseJson(body), 'error');
  return field(error, 'type') === 'invalid_auth'
    ? ok('A request without a key is refused before it is read.')
    : differs('It is refused, but not in the specified form.');
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
