import type { Failure } from '../../shared/failure/failure.ts';
import type { FailureKind } from '../../shared/failure/kinds.ts';
import type { FailureContext } from './classify.ts';
import { describeFailure } from './describe-failure.ts';

type NetworkCause = 'dns' | 'refused' | 'reset' | 'no-route' | 'connect-timeout' | 'tls' | 'proxy' | 'unknown';

export interface NetworkInput extends Omit<FailureContext, 'modelIds'> {
  facts?: Record<string, string | number>;
}

type Verdict = { kind: FailureKind; cause?: NetworkCause };

const deepest = 5;

const byCode: ReadonlyMap<string, Verdict> = new Map([
  ...listed({ kind: 'unreachable', cause: 'dns' }, 'ENOTFOUND EAI_AGAIN EAI_NODATA EAI_FAIL ENODATA'),
  ...listed({ kind: 'unreachable', cause: 'refused' }, 'ECONNREFUSED'),
  ...listed({ kind: 'unreachable', cause: 'reset' }, 'ECONNRESET EPIPE ECONNABORTED UND_ERR_SOCKET UND_ERR_CLOSED'),
  ...listed(
    { kind: 'unreachable', cause: 'no-route' },
    'ENETUNREACH EHOSTUNREACH ENETDOWN EHOSTDOWN EADDRNOTAVAIL EACCES EPERM',
  ),
  ...listed({ kind: 'unreachable', cause: 'connect-timeout' }, 'UND_ERR_CONNECT_TIMEOUT ETIMEDOUT ESOCKETTIMEDOUT'),
  ...listed({ kind: 'timeout' }, 'UND_ERR_HEADERS_TIMEOUT UND_ERR_BODY_TIMEOUT'),
  ...listed(
    { kind: 'certificate', cause: 'tls' },
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE UNABLE_TO_GET_ISSUER_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY SELF_SIGNED_CERT_IN_CHAIN',
  ),
  ...listed(
    { kind: 'certificate', cause: 'tls' },
    'DEPTH_ZERO_SELF_SIGNED_CERT ERR_TLS_CERT_ALTNAME_INVALID HOSTNAME_MISMATCH INVALID_CA',
  ),
  ...listed({ kind: 'wrong-address' }, 'ERR_INVALID_URL'),
]);

const byCodeShape: readonly [RegExp, Verdict][] = [
  [/^CERT_/, { kind: 'certificate', cause: 'tls' }],
  // What answered is no TLS at all.
  [/^ERR_SSL_(?:WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST|UNKNOWN_PROTOCOL)/, { kind: 'wrong-address', cause: 'tls' }],
  [/^ERR_(?:SSL|TLS)_/, { kind: 'certificate', cause: 'tls' }],
  [/^HPE_/, { kind: 'protocol' }],
];

const byMessage: readonly [RegExp, Verdict][] = [
  [/unexpected redirect|redirect was cancell?ed|redirect mode is set to error/i, { kind: 'redirected' }],
  [/proxy.{0,40}\b407\b|ERR_PROXY_AUTH/i, { kind: 'proxy-sign-in' }],
  [/ERR_(?:PROXY|TUNNEL)|proxy response|http tunneling/i, { kind: 'unreachable', cause: 'proxy' }],
  [/ERR_NAME_NOT_RESOLVED|getaddrinfo/i, { kind: 'unreachable', cause: 'dns' }],
  [/ERR_SSL_PROTOCOL_ERROR|wrong.version.number|packet.length.too.long/i, { kind: 'wrong-address', cause: 'tls' }],
  [/EPROTO/, { kind: 'certificate', cause: 'tls' }],
  [/ERR_CERT|self-signed certificate|unable to verify/i, { kind: 'certificate', cause: 'tls' }],
  [/ERR_CONNECTION_REFUSED/i, { kind: 'unreachable', cause: 'refused' }],
  [
    /ERR_CONNECTION_(?:RESET|CLOSED)|socket hang up|other side closed|^terminated$/i,
    { kind: 'unreachable', cause: 'reset' },
  ],
  [/ERR_(?:INTERNET_DISCONNECTED|ADDRESS_UNREACHABLE|NETWORK)/i, { kind: 'unreachable', cause: 'no-route' }],
  [/ERR_(?:CONNECTION_)?TIMED_OUT/i, { kind: 'unreachable', cause: 'connect-timeout' }],
  [/fetch failed|failed to fetch|network ?error|net::ERR/i, { kind: 'unreachable', cause: 'unknown' }],
];

/**
 * Errors of a rejected fetch arrive as `TypeError: fetch failed`. The reason is in `cause`, at most five deep,
 * possibly in a cycle or in an aggregate of one error per address. An error that no network stack makes is a fault of
 * the extension.
 */
export function classifyNetworkError(error: unknown, input: NetworkInput): Failure {
  const chain = causes(error);
  const verdict: Verdict = judgeCodes(chain) ?? judgeMessages(chain) ?? { kind: 'internal' };
  const code = chain.map(codeOf).find((value) => value !== undefined);
  const words = chain.map(messageOf).findLast((text) => text !== '') ?? '';
  const facts: Record<string, string | number> = { ...input.facts };
  if (verdict.cause !== undefined) facts.cause = verdict.cause;
  if (code !== undefined) facts.code = code;
  if (chain.some((item) => typeof item === 'object' && item !== null && 'unread' in item && item.unread === true))
    facts.unread = 'yes';
  const detail = input
    .redact([code, words].filter((part) => part !== undefined && part !== '').join(' '))
    .slice(0, 300);
  return {
    kind: verdict.kind,
    message: describeFailure(verdict.kind, { endpoint: input.endpoint, detail: detail === '' ? undefined : detail }),
    model: input.model,
    endpoint: input.endpoint,
    at: input.at,
    facts: Object.keys(facts).length === 0 ? undefined : facts,
  };
}

function listed(verdict: Verdict, codes: string): [string, Verdict][] {
  return codes.split(' ').map((code) => [code, verdict]);
}

function judgeCodes(chain: readonly unknown[]): Verdict | undefined {
  for (const code of chain.map(codeOf)) {
    if (code === undefined) continue;
    const verdict = byCode.get(code) ?? byCodeShape.find(([shape]) => shape.test(code))?.[1];
    if (verdict !== undefined) return verdict;
  }
  return undefined;
}

/** The most specific words win at any depth, because the outermost ones are nearly always `fetch failed`. */
function judgeMessages(chain: readonly unknown[]): Verdict | undefined {
  const texts = chain.map(messageOf);
  return byMessage.find(([pattern]) => texts.some((text) => pattern.test(text)))?.[1];
}

function causes(error: unknown): unknown[] {
  const found: unknown[] = [];
  let level: unknown[] = [error];
  for (let depth = 0; depth <= deepest && level.length > 0; depth++) {
    const fresh = level.filter((item) => item !== undefined && item !== null && !found.includes(item)).slice(0, 10);
    found.push(...fresh);
    level = fresh.flatMap((item) => [
      item instanceof Error ? item.cause : undefined,
      ...(item instanceof AggregateError ? (item.errors as unknown[]) : []),
    ]);
  }
  return found;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' && error.code.length <= 80 ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.slice(0, 1000) : typeof error === 'string' ? error.slice(0, 1000) : '';
}
