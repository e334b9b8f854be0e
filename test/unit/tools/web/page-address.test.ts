import assert from 'node:assert/strict';
import { isIP } from 'node:net';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { ToolError } from '../../../../src/agent/tool.ts';
import { pageAddress, shownAddress } from '../../../../src/tools/web/page-address.ts';

const refused = (written: string) => assert.throws(() => pageAddress(written), ToolError, written);

const byte = fc.integer({ min: 0, max: 255 });
const numeral = (value: number) =>
  fc.constantFrom(
    `${value}`,
    `0${value.toString(8)}`,
    `0x${value.toString(16)}`,
    `0X${value.toString(16)}`,
    `00${value.toString(8)}`,
  );

/** One IPv4 as inet_aton and browsers read it: one to four numerals to three bases. */
const spelled4 = fc.tuple(byte, byte, byte, byte, fc.integer({ min: 1, max: 4 })).chain(([a, b, c, d, count]) => {
  const bytes = [a, b, c, d];
  const last = bytes.slice(count - 1).reduce((sum, value) => sum * 256 + value, 0);
  return fc.tuple(...[...bytes.slice(0, count - 1), last].map(numeral)).map((parts) => parts.join('.'));
});
const fullWidth = (text: string) =>
  text.replace(/[0-9.]/g, (sign) => (sign === '.' ? '。' : String.fromCharCode(sign.charCodeAt(0) + 0xfee0)));
const escaped = (text: string) => text.replace(/[0-9]/g, (sign) => `%3${sign}`);
const dressed = fc.constantFrom(
  (text: string) => text,
  (text: string) => `${text}.`,
  fullWidth,
  escaped,
  (text: string) => `${text}:443`,
  (text: string) => `user@${text}`,
);
const mapped = fc
  .tuple(byte, byte, byte, byte)
  .map((bytes) => bytes.join('.'))
  .chain((address) =>
    fc.constantFrom(`[::ffff:${address}]`, `[0:0:0:0:0:FFFF:${address}]`, `[::${address}]`, `[64:ff9b::${address}]`),
  );

describe('the address of a page', () => {
  it('X53 an IP address is refused in every spelling', () => {
    fc.assert(
      fc.property(spelled4, dressed, fc.constantFrom('http', 'https', 'HTTPS'), (host, dress, scheme) =>
        refused(`${scheme}://${dress(host)}/a`),
      ),
      { numRuns: 5000 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.ipV6().map((address) => `[${address}]`),
          mapped,
        ),
        (host) => refused(`https://${host}/`),
      ),
      { numRuns: 5000 },
    );
    for (const host of [
      '[fe80::1%25eth0]',
      '[::1%lo]',
      '0',
      '1',
      '2130706433',
      '0x7f.1',
      '①②⑦.0.0.1',
      '127.1',
      '[v1.x]',
    ]) {
      refused(`https://${host}/`);
    }
  });

  it('X53 names that are local, or nobody’s, are refused', () => {
    const hosts = [
      'localhost printer router.local db.internal nas.lan svc.corp.internal git.corp x.home router.home.arpa 1.168.192.in-addr.arpa',
      'a.localhost LOCALHOST localhost. a.local. x.onion a.test a.invalid a.example intranet wpad a.localdomain ip6-localhost',
      'localhoſt ⓛocalhost a.ｌocal .com a..com com. -a.com a-.com',
    ].flatMap((line) => line.split(' '));
    for (const host of hosts) refused(`https://${host}/`);
    refused(`https://${'a'.repeat(64)}.com/`);
    refused(`https://${'a.'.repeat(126)}com/`);
  });

  it('X53 names and passwords, keys, other ports and other schemes are refused', () => {
    const addresses = [
      'https://me@example.com/ https://me:pw@example.com/ https://:pw@example.com/ https://example.com:8443/ http://example.com:443/',
      'ftp://example.com/ file:///etc/passwd data:text/html,x javascript:alert(1) //example.com/ https:// about:blank',
      'https://example.com/?k=sk-svc-abcd https://example.com/%73k-svc-abcd https://sk-svc-abcd.example.com/ ws://example.com/',
    ].flatMap((line) => line.split(' '));
    for (const address of ['', ...addresses]) refused(address);
    refused(`https://example.com/${'a'.repeat(2000)}`);
  });

  it('F38 is https, without a fragment, with the name in the letters that are resolved', () => {
    const read = (written: string) => pageAddress(written).href;
    assert.equal(read(' https://Example.COM/a?b=1#c '), 'https://example.com/a?b=1');
    assert.equal(read('http://example.com'), 'https://example.com/');
    assert.equal(read('http://example.com:80/x'), 'https://example.com/x');
    assert.equal(read('https://example.com.:443/x'), 'https://example.com/x');
    assert.equal(read('https://bücher.example.org/ü'), 'https://xn--bcher-kva.example.org/%C3%BC');
    // Cyrillic.
    assert.equal(read('https://аpple.com/'), 'https://xn--pple-43d.com/');
    assert.equal(read('https://exam\tple.com/\n'), 'https://example.com/');
    assert.equal(read('https://a_b.example.org/'), 'https://a_b.example.org/');
  });

  it('X53 whatever is written: what comes out is a public name at the usual port, or nothing does', () => {
    const sign = fc.constantFrom(...'a.1:@/?#[]%\\ \u200b。ａ①-_x0');
    const written = fc.oneof(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: sign, maxLength: 30 }).map((host) => `https://${host}`),
      fc
        .tuple(fc.domain(), fc.string({ unit: sign, maxLength: 10 }))
        .map(([domain, more]) => `http://${domain}${more}`),
    );
    fc.assert(
      fc.property(written, (text) => {
        let url: URL;
        try {
          url = pageAddress(text);
        } catch (error) {
          assert.ok(error instanceof ToolError);
          assert.equal(shownAddress(text), text);
          return;
        }
        assert.equal(`https://${shownAddress(text)}`, url.href);
        assert.equal(pageAddress(url.href).href, url.href);
        assert.match(url.href, /^https:\/\/[a-z0-9_-]+(?:\.[a-z0-9_-]+)+\/[!-~]*$/);
        assert.deepEqual([url.port, url.username, url.password, url.hash, isIP(url.hostname)], ['', '', '', '', 0]);
      }),
      { numRuns: 5000 },
    );
  });
});
