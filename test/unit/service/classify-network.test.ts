import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyNetworkError } from '../../../src/service/failure/classify-network.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

const input = {
  model: 'svc/kimi-k3',
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text.replace(/sk-svc-\S+/g, 'sk-svc-…'),
};

function coded(code: string, message = 'x'): Error {
  return Object.assign(new Error(message), { code });
}

function fetchFailed(cause: unknown): Failure {
  return classifyNetworkError(new TypeError('fetch failed', { cause }), input);
}

describe('classifyNetworkError', () => {
  const codes: [string, FailureKind, string | undefined][] = [
    ['ENOTFOUND', 'unreachable', 'dns'],
    ['EAI_AGAIN', 'unreachable', 'dns'],
    ['ECONNREFUSED', 'unreachable', 'refused'],
    ['ECONNRESET', 'unreachable', 'reset'],
    ['UND_ERR_SOCKET', 'unreachable', 'reset'],
    ['ENETUNREACH', 'unreachable', 'no-route'],
    ['EHOSTUNREACH', 'unreachable', 'no-route'],
    ['ETIMEDOUT', 'unreachable', 'connect-timeout'],
    ['UND_ERR_CONNECT_TIMEOUT', 'unreachable', 'connect-timeout'],
    ['UND_ERR_HEADERS_TIMEOUT', 'timeout', undefined],
    ['UND_ERR_BODY_TIMEOUT', 'timeout', undefined],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'certificate', 'tls'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'certificate', 'tls'],
    ['CERT_HAS_EXPIRED', 'certificate', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'certificate', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'wrong-address', 'tls'],
    ['HPE_INVALID_CONSTANT', 'protocol', undefined],
    ['ERR_INVALID_URL', 'wrong-address', undefined],
  ];
  for (const [code, kind, cause] of codes) {
    it(`N14 N04 N08 ${code} below "fetch failed" is ${kind}${cause === undefined ? '' : ` (${cause})`}`, () => {
      const failure = fetchFailed(coded(code));
      assert.equal(failure.kind, kind);
      assert.equal(failure.facts?.cause, cause);
      assert.equal(failure.facts?.code, code);
      assert.equal(failure.status, undefined);
    });
  }

  const messages: [string, FailureKind, string | undefined][] = [
    ['net::ERR_NAME_NOT_RESOLVED', 'unreachable', 'dns'],
    ['net::ERR_CERT_AUTHORITY_INVALID', 'certificate', 'tls'],
    ['net::ERR_SSL_PROTOCOL_ERROR', 'wrong-address', 'tls'],
    ['write EPROTO 80:error:0A00010B:SSL routines:ssl3_get_record:wrong version number:1:', 'wrong-address', 'tls'],
    ['write EPROTO 80:error:100000f7:SSL routines:OPENSSL_internal:WRONG_VERSION_NUMBER', 'wrong-address', 'tls'],
    ['write EPROTO 80:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure', 'certificate', 'tls'],
    ['net::ERR_CONNECTION_REFUSED', 'unreachable', 'refused'],
    ['net::ERR_TUNNEL_CONNECTION_FAILED', 'unreachable', 'proxy'],
    ['Proxy response (407) !== 200 when HTTP Tunneling', 'proxy-sign-in', undefined],
    ['unexpected redirect', 'redirected', undefined],
    ['other side closed', 'unreachable', 'reset'],
    ['fetch failed', 'unreachable', 'unknown'],
  ];
  for (const [message, kind, cause] of messages) {
    it(`N11 N13 N14 W77 "${message}" is ${kind}`, () => {
      const failure = fetchFailed(new Error(message));
      assert.equal(failure.kind, kind);
      assert.equal(failure.facts?.cause, cause);
    });
  }

  it('N14 looks into an aggregate of one error per address', () => {
    const failure = fetchFailed(new AggregateError([coded('ECONNREFUSED'), coded('ENETUNREACH')]));
    assert.equal(failure.facts?.cause, 'refused');
  });

  it('N14 a cycle of causes ends, and a cause below the fifth is not looked for', () => {
    const first = new Error('a');
    const second = new Error('b', { cause: first });
    first.cause = second;
    assert.equal(classifyNetworkError(first, input).kind, 'internal');
    let deep: Error = coded('ENOTFOUND');
    for (let depth = 0; depth < 5; depth++) deep = new Error('wrapped', { cause: deep });
    assert.equal(classifyNetworkError(deep, input).kind, 'unreachable');
    assert.equal(classifyNetworkError(new Error('wrapped', { cause: deep }), input).kind, 'internal');
  });

  it('N14 what no network says is a fault of ours', () => {
    assert.equal(classifyNetworkError(new TypeError("reading 'x' of undefined"), input).kind, 'internal');
    assert.equal(classifyNetworkError(undefined, input).kind, 'internal');
  });

  it('X15 a key in an error text is redacted', () => {
    const failure = classifyNetworkError(new TypeError('"Bearer sk-svc-canary-1" is an invalid header value'), input);
    assert.doesNotMatch(JSON.stringify(failure), /canary/);
  });

  it('N10 facts about the proxy settings come along', () => {
    const failure = classifyNetworkError(new Error('fetch failed'), { ...input, facts: { proxy: 'http.proxy' } });
    assert.equal(failure.facts?.proxy, 'http.proxy');
  });
});
