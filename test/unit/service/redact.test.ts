import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createKeyMask, createRedactor, createSecretMask } from '../../../src/service/redact.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const key = 'sk-svc-AbCd1234EfGh5678IjKl';
const redact = createRedactor(() => [key]);
const blind = createRedactor(() => []);

describe('redaction', () => {
  it('S15 keeps only the first characters of the key', () => {
    assert.equal(redact(`key ${key}.`), 'key sk-svc-AbCd….');
  });

  it('S15 knows the shape of a key that it was not told', () => {
    assert.equal(blind(`{"key":"${key}"}`), '{"key":"sk-svc-AbCd…"}');
    assert.equal(blind(`${key.toUpperCase()}`), 'sk-svc-ABCD…');
    assert.equal(blind('sk-svc-short'), 'sk-svc-…');
  });

  it('S15 knows the whole of it in other spellings, and what follows it', () => {
    const ofAddresses = ['%2F', '%2f', '%2B', '%3D', '%7E', '%252F', '%25252f', '%65%66'];
    const ofPages = ['&#x2F;', '&#X2F;', '&#47;', '&#047;', '&#126;', '&sol;', '&plus;'];
    const ofJson = ['\\/', '\\\\/', '\\u002f', '\\u002F', '\\\\u002f', '\\x2f'];
    for (const sign of [...ofAddresses, ...ofPages, ...ofJson]) {
      const written = `sk-svc-abcd12345678${sign}efgh1234${sign}ijkl`;
      for (const rest of ['&model=a', '&amp;model=a', '"}'])
        for (const redactor of [blind, createKeyMask(() => [])])
          assert.equal(redactor(`?key=${written}${rest}`), `?key=sk-svc-abcd…${rest}`, sign);
    }
    assert.equal(blind('sk-svc-abcd1234efgh5678%20and more'), 'sk-svc-abcd…%20and more');
  });

  it('S15 takes out credentials of other shapes', () => {
    assert.equal(blind('Authorization: Bearer abcdef123456'), 'Authorization: Bearer [redacted]');
    assert.equal(blind('"x-api-key": "abcdef123456"'), '"x-api-key": "[redacted]"');
    assert.equal(blind('authorization: Basic dXNlcjpwYXNz'), 'authorization: [redacted]');
    assert.equal(blind('https://user:secret@example.com/v1'), 'https://[redacted]@example.com/v1');
  });

  it('S15 takes out a secret without the usual shape, also as it is written in addresses and JSON', () => {
    const odd = 'p&ss "word"/9';
    const clean = createRedactor(() => [odd])(`${odd} ${encodeURIComponent(odd)} ${JSON.stringify(odd)}`);
    assert.equal(clean, '[redacted] [redacted] "[redacted]"');
  });

  it('finds a key in which control characters are hidden', () => {
    assert.equal(blind('sk-svc-AbCd\u200b1234\u001b[31mEfGh5678'), 'sk-svc-AbCd…');
  });

  it('takes out control characters and characters that turn the direction of writing', () => {
    assert.equal(blind('a\u001b[2Jb\u0000c\u202ed\r\n\te\ufeff'), 'abcd\n\te');
  });

  it('E19 takes known keys out of a record that is stored, and gives every other record back as it is', () => {
    const mask = createSecretMask(() => ['sk-svc-AbCdEfGh12345678']);
    const clean = { type: 'userMessage', text: 'a\u200b "b" \\', attachments: [] };
    assert.equal(mask(clean), clean);
    assert.deepEqual(mask({ ...clean, text: 'key sk-svc-AbCdEfGh12345678, "sk-svc-AbCdEfGh12345678"' }), {
      ...clean,
      text: 'key sk-svc-AbCd…, "sk-svc-AbCd…"',
    });
    const split = { ...clean, text: 'key sk-svc-AbCdEfGh\n  12345678' };
    assert.deepEqual(mask(split), { ...clean, text: 'key sk-svc-AbCd…' });
  });

  const rich = 'sk-svc-AbCd.12+34/EfGh~56_78-IjKlMn==';

  it('S15 S17 covers all of a key with every sign that a bearer token may have', () => {
    assert.equal(blind(`key ${rich}, and "${rich}".`), 'key sk-svc-AbCd…, and "sk-svc-AbCd…".');
    assert.equal(blind('Begins with sk-svc-. Ends.'), 'Begins with sk-svc-. Ends.');
  });

  it('S15 S17 covers a key whose signs JSON has escaped', () => {
    const escaped = rich.replaceAll('/', '\\/').replaceAll('+', '\\u002b').replaceAll('=', '\\u003d');
    for (const redactor of [blind, createRedactor(() => [rich])]) {
      const clean = redactor(`{"key":"${escaped}"}`);
      for (const part of ['12', 'EfGh', 'IjKl']) assert.ok(!clean.includes(part), clean);
      assert.equal(typeof JSON.parse(clean), 'object');
    }
  });

  it('S15 S17 covers a key that is split by a line end, known or not, plain or escaped', () => {
    for (const end of ['\n', '\r\n', '\n    ', '\\n']) {
      const split = `${rich.slice(0, 16)}${end}${rich.slice(16)}`;
      for (const redactor of [blind, createRedactor(() => [rich])]) {
        const clean = redactor(`curl -H "Bearer ${split}"`);
        assert.ok(!clean.includes('Gh~56') && !clean.includes('IjKlMn'), clean);
      }
    }
    assert.equal(blind(`${key}\nThanks\nand more`), 'sk-svc-AbCd…\nThanks\nand more');
  });

  it('S15 S17 covers a key in hexadecimal digits and in base64, wherever in a text it stood', () => {
    const bytes = [...Buffer.from(key)].map((byte) => byte.toString(16));
    const written = [
      ...['', ' ', ':', '%', '\\x', '\n'].map((between) => bytes.join(between)),
      Buffer.from(key).toString('hex').toUpperCase(),
      ...['', 'a', 'ab', 'abc', 'user:'].flatMap((before) =>
        (['base64', 'base64url'] as const).map((form) => Buffer.from(`${before}${key}?>~ and more`).toString(form)),
      ),
    ];
    const own = Buffer.from(`${'x'.repeat(40)}${key}`).toString('base64');
    for (const text of [
      ...written,
      `${own.slice(0, 76)}\n${own.slice(76)}`,
      `${own.slice(0, 64)}\r\n  ${own.slice(64)}`,
    ]) {
      assert.match(redact(`<${text}>`), /sk-svc-AbCd…/, text);
      assert.match(createKeyMask(() => [key])(text), /sk-svc-AbCd…/, text);
      assert.match(createSecretMask(() => [key])({ text }).text, /sk-svc-AbCd…/, text);
    }
  });

  it('X33 what looks like many keys takes no time', async () => {
    for (const text of [
      'sk-svc-'.repeat(9000),
      'sk-svc-a.'.repeat(7000),
      `sk-svc-${'a1'.repeat(30_000)}`,
      'sk-svc-a\n'.repeat(7000),
    ]) {
      const spent = await cpuMs(() => redact(text));
      assert.ok(spent < 5000, `${spent} ms`);
    }
  });

  it('X33 a long text without a blank takes no time', async () => {
    const spent = await cpuMs(() => assert.equal(redact('a.'.repeat(32_000)), 'a.'.repeat(32_000)));
    assert.ok(spent < 5000, `${spent} ms`);
  });

  it('redaction leaves ordinary text as it is', () => {
    for (const text of [
      'Bearer of bad news',
      'Basic authentication, 500 at /v1/models',
      'sk-svc-',
      'Grüße 世界 👩‍💻'.replaceAll('\u200d', ''),
    ]) {
      assert.equal(redact(text), text);
    }
  });

  it('never lets a key through, wherever it stands, and does no harm the second time', () => {
    const secret = fc
      .stringMatching(/^[A-Za-z0-9._~+/-]{11,40}[A-Za-z0-9_~+/-]={0,2}$/)
      .map((rest) => `sk-svc-${rest}`);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), secret, fc.string({ unit: 'binary' }), (before, one, after) => {
        for (const redactor of [createRedactor(() => [one]), blind]) {
          const clean = redactor(`${before}${one}${after}`);
          assert.ok(!clean.includes(one));
          assert.ok(!clean.includes(one.slice('sk-svc-'.length + 4)));
          assert.equal(redactor(clean), clean);
        }
      }),
    );
  });
});
