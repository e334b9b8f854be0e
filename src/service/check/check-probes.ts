import * as l10n from '@vscode/l10n';
import { parseJson } from '../../base/parse-json.ts';
import { parseModelList } from '../models.ts';
import type { CheckFault } from './check-diagnosis.ts';
import { unreadableBody } from './key-check.ts';

export interface CheckAnswer {
  status: number;
  contentType: string;
  body: string;
  location?: string;
}

export interface Judgement {
  /** `differs` means that something answered, but not as promised; `failed` means that it cannot work like this. */
  verdict: 'ok' | 'differs' | 'failed' | 'skipped';
  diagnosis: string;
  fault?: CheckFault;
}

export interface Probe {
  name(): string;
  request: string;
  /** The note is for support, so it is in English like all of a report. */
  note?: string;
  expected: string;
  method: 'GET' | 'POST' | 'OPTIONS';
  url(baseUrl: string): string | undefined;
  headers?: Record<string, string>;
  body?: string;
  needsKey?: boolean;
  judge(answer: CheckAnswer): Judgement;
}

const ok = (diagnosis: string): Judgement => ({ verdict: 'ok', diagnosis });
const differs = (diagnosis: string): Judgement => ({ verdict: 'differs', diagnosis });
const failed = (fault: CheckFault, diagnosis: string): Judgement => ({ verdict: 'failed', diagnosis, fault });

/** The most important probes come first. None of them can become a completion, so none can cost anything. */
export const probes: readonly Probe[] = [
  {
    name: () => l10n.t('Model list'),
    request: 'GET /models',
    expected: '200, JSON',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/models`,
    judge: judgeList,
  },
  {
    name: () => l10n.t('Your key'),
    request: 'POST /chat/completions',
    note: 'with the key and an unreadable body',
    expected: '≠ 401',
    method: 'POST',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    body: unreadableBody,
    needsKey: true,
    judge: judgeKey,
  },
  {
    name: () => l10n.t('No key'),
    request: 'POST /chat/completions',
    note: 'without a key',
    expected: '401, JSON (invalid_auth)',
    method: 'POST',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    body: unreadableBody,
    judge: judgeMissingKey,
  },
  {
    name: () => l10n.t('Wrong method'),
    request: 'GET /chat/completions',
    expected: '405',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    judge: ({ status }) =>
      status === 405
        ? ok(l10n.t('The path exists and accepts only POST.'))
        : differs(l10n.t('Something other than the service might be answering for this path.')),
  },
  {
    name: () => l10n.t('Trailing slash'),
    request: 'GET /models/',
    expected: '404',
    method: 'GET',
    url: (baseUrl) => `${baseUrl}/models/`,
    judge: ({ status }) =>
      status === 404
        ? ok(l10n.t('Paths must match exactly.'))
        : differs(l10n.t('A gateway might be rewriting paths. This alone does no harm.')),
  },
  {
    name: () => l10n.t('Missing /v1'),
    request: 'GET /models',
    note: 'outside /v1',
    expected: '404',
    method: 'GET',
    url: (baseUrl) => (baseUrl.endsWith('/v1') ? `${baseUrl.slice(0, -'/v1'.length)}/models` : undefined),
    judge: ({ status }) =>
      status === 404
        ? ok(l10n.t('Only addresses with /v1 are served.'))
        : differs(l10n.t('Something else answers outside /v1. This alone does no harm.')),
  },
  {
    name: () => l10n.t('Calls from browsers'),
    request: 'OPTIONS /chat/completions',
    note: 'from a foreign origin',
    expected: '400',
    method: 'OPTIONS',
    url: (baseUrl) => `${baseUrl}/chat/completions`,
    headers: {
      origin: 'https://example.invalid',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type',
    },
    judge: ({ status }) =>
      status === 400
        ? ok(l10n.t("Web pages can't call the service. VS Code can."))
        : differs(l10n.t("The answer to web pages differs. This doesn't affect VS Code.")),
  },
];

function judgeList({ status, body, location }: CheckAnswer): Judgement {
  if (status === 404) {
    return failed(
      'not-found',
      l10n.t('Nothing is served at this address. It must end in /v1, without a slash after it.'),
    );
  }
  if (status === 407) return failed('proxy-sign-in', l10n.t('A proxy requires a sign-in (407).'));
  if (status >= 520 && status <= 530) {
    return failed('down', l10n.t("The service's servers don't answer. Try again later."));
  }
  if (status >= 300 && status < 400) {
    const text =
      location === undefined
        ? l10n.t('The address redirects elsewhere.')
        : l10n.t('The address redirects to {0}.', location);
    return failed('redirected', text);
  }
  if (/^\s*</.test(body)) {
    return failed('web-page', l10n.t('A web page answered. Sign in to the network first, or correct the address.'));
  }
  if (status !== 200) return failed('list-refused', l10n.t("The list isn't available, so the service might be down."));
  const models = parseModelList(parseJson(body));
  if (models === undefined) return failed('no-list', l10n.t("This isn't a model list, so this isn't the service."));
  if (models.length > 0 && !models.some(({ id }) => id.startsWith('svc/'))) {
    return failed('other-models', l10n.t("These are another provider's models: no ID begins with svc/."));
  }
  return ok(l10n.t('The address is right and the service is up. Models listed: {0}.', models.length));
}

export function listedIds({ status, body }: CheckAnswer): string[] {
  return status === 200 ? (parseModelList(parseJson(body)) ?? []).map(({ id }) => id) : [];
}

function judgeKey({ status, body }: CheckAnswer): Judgement {
  if (status === 401) return failed('key-rejected', l10n.t('The key was not accepted. Enter a new one.'));
  const isPage = /^\s*</.test(body);
  if (!isPage && (status === 400 || status === 422)) {
    return ok(l10n.t('The key was accepted. Only the unreadable body was refused.'));
  }
  if (status === 402) {
    return {
      ...differs(l10n.t('The key was accepted, but the service reports that credit is used up.')),
      fault: 'no-credit',
    };
  }
  if (status === 404) return failed('other-service', l10n.t('Nothing is served at this path. Check the address.'));
  return { ...differs(l10n.t("The answer doesn't show whether the key is valid.")), fault: 'key-unclear' };
}

function judgeMissingKey({ status, body }: CheckAnswer): Judgement {
  if (status !== 401) {
    const judgement = differs(l10n.t("A missing key isn't refused as specified, so this might not be the service."));
    return status >= 500 ? judgement : { ...judgement, fault: 'other-service' };
  }
  const error = field(parseJson(body), 'error');
  return field(error, 'type') === 'invalid_auth'
    ? ok(l10n.t('A request without a key is refused before it is read.'))
    : differs(l10n.t('It is refused, but not in the specified form.'));
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}
