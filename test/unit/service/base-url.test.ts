import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { hostOf, isLoopback, normaliseBaseUrl } from '../../../src/service/base-url.ts';

const wanted = 'https://api.example.com/v1';

function url(typed: string): string {
  const result = normaliseBaseUrl(typed);
  assert.ok('url' in result, `${typed}: ${JSON.stringify(result)}`);
  return result.url;
}

describe('the service address', () => {
  for (const typed of [
    wanted,
    `${wanted}/`,
    `${wanted}//`,
    `  ${wanted}\n`,
    `"${wanted}"`,
    'api.example.com/v1',
    'api.example.com',
    '//api.example.com/v1',
    'https://api.example.com',
    'https://API.example.com/',
    'https://api.example.com/V1',
    'https://api.example.com//v1',
    `${wanted}/chat/completions`,
    `${wanted}/chat/completions/`,
    `${wanted}/models`,
    `${wanted}?key=1#top`,
    'HTTPS://api.example.com:443/v1',
  ]) {
    it(`N18 reads ${JSON.stringify(typed)} as it was meant`, () => assert.equal(url(typed), wanted));
  }

  it('keeps a path in front of the version', () => {
    assert.equal(url('https://example.com/llm/v1/'), 'https://example.com/llm/v1');
    assert.equal(url('https://example.com/llm'), 'https://example.com/llm/v1');
  });

  it('takes plain http for this machine only', () => {
    assert.equal(url('http://localhost:8080/v1'), 'http://localhost:8080/v1');
    assert.equal(url('localhost:8080'), 'http://localhost:8080/v1');
    assert.equal(url('127.0.0.1:8080/v1'), 'http://127.0.0.1:8080/v1');
    assert.equal(url('[::1]:8080/v1'), 'http://[::1]:8080/v1');
    assert.ok('error' in normaliseBaseUrl('http://api.example.com/v1'));
    assert.ok('error' in normaliseBaseUrl('http://127.0.0.1.example.com/v1'));
  });

  it('S17 takes no credentials and no key in an address', () => {
    for (const typed of [
      'https://user:secret@api.example.com/v1',
      'https://api.example.com/v1?key=sk-svc-abcdef',
      'sk-svc-abcdefghijkl',
    ]) {
      const result = normaliseBaseUrl(typed);
      assert.ok('error' in result, typed);
      assert.doesNotMatch(result.error, /secret|abcdef/);
    }
  });

  it('a text that is no service address is refused', () => {
    for (const typed of [
      '',
      '   ',
      'ftp://example.com/v1',
      'javascript:alert(1)',
      'file:///etc/passwd',
      'https://',
      'https:/api.example.com/v1',
      'https:api.example.com/v1',
      'a b',
      'https://a\nb',
    ]) {
      assert.ok('error' in normaliseBaseUrl(typed), typed);
    }
  });

  it('S1 S27 asks about another version instead of completing it', () => {
    for (const typed of [
      'https://api.example.com/v2',
      'https://api.example.com/v2/',
      'https://h.example/x/V3/chat/completions',
    ]) {
      const result = normaliseBaseUrl(typed);
      assert.ok('error' in result && /\/v[23]\b/i.test(result.error), typed);
    }
    assert.deepEqual(normaliseBaseUrl('https://h.example/v2/v1'), { url: 'https://h.example/v2/v1' });
  });

  it('gives the same address again for an address that it gave', () => {
    fc.assert(
      fc.property(fc.oneof(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.string()), (typed) => {
        const first = normaliseBaseUrl(typed);
        if ('error' in first) return;
        assert.match(first.url, /\/v1$/);
        assert.deepEqual(normaliseBaseUrl(first.url), { url: first.url });
      }),
    );
  });

  it('the address of this machine is known by all its names', () => {
    for (const host of ['localhost', 'LOCALHOST', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]'])
      assert.ok(isLoopback(host), host);
    for (const host of ['example.com', '10.0.0.1', '0.0.0.0', 'localhost.example.com', '127.0.0.1.nip.io']) {
      assert.ok(!isLoopback(host), host);
    }
  });

  it('letters outside ASCII stay letters of an address, however often it is looked at', () => {
    for (let look = 0; look < 20_000; look++)
      assert.equal(hostOf('https://bücher.example/v1'), 'xn--bcher-kva.example');
  });
});
