import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import {
  assertServed,
  capabilities,
  capabilitiesMarkdown,
  FeatureNotServed,
} from '../../../src/service/check/capabilities.ts';
import { factsMarkdown } from '../../../src/service/check/facts-page.ts';
import { createLearned } from '../../../src/service/step/learned.ts';

const source = join(import.meta.dirname, '../../../src');

function sourceFiles(): { name: string; text: string }[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ name: name.replaceAll('\\', '/'), text: readFileSync(join(source, name), 'utf8') }));
}

describe('the guard', () => {
  it('S21 lets two pairs of method and path through', () => {
    assertServed('GET', '/models');
    assertServed('POST', '/chat/completions');
  });

  const refused: [string, string][] = [
    ['POST', '/completions'],
    ['POST', '/embeddings'],
    ['POST', '/responses'],
    ['POST', '/messages'],
    ['GET', '/models/svc/kimi-k3'],
    ['POST', '/fine_tuning/jobs'],
    ['POST', '/audio/speech'],
    ['POST', '/images/generations'],
    ['GET', '/chat/completions'],
    ['POST', '/models'],
    ['GET', '/models/'],
    ['GET', '/models?x=1'],
    ['POST', '/chat/completions/'],
    ['POST', '/../v2/chat/completions'],
    ['GET', ''],
  ];
  for (const [method, path] of refused) {
    it(`S21 refuses ${method} ${path}`, () => assert.throws(() => assertServed(method, path), FeatureNotServed));
  }

  it('S21 says why and what to use instead', () => {
    assert.throws(() => assertServed('POST', '/embeddings'), /no embeddings endpoint.*Text search/);
    assert.throws(() => assertServed('GET', '/models/x'), /no endpoint for one model/);
  });
});

describe('the source', () => {
  // A path that starts a string, or one that follows an interpolated base address.
  const endpointLike =
    /['"`}]\/(?:v\d\/)?(?:models?|chat|completions|embeddings|responses|messages|fine_tuning|audio|images|moderations|rerank|files|batches|balance|credits|keys|user|usage|account)(?:\/[\w{}$./-]*)?(?=['"`?])/g;
  // The last one takes such paths off an address that was pasted with them.
  const mayNamePaths = ['service/check/capabilities.ts', 'service/check/check-probes.ts', 'service/base-url.ts'];

  it('S21 builds no path other than the two that are served', () => {
    const found = sourceFiles()
      .filter(({ name }) => !mayNamePaths.includes(name))
      .flatMap(({ name, text }) => [...text.matchAll(endpointLike)].map((match) => `${name}: ${match[0].slice(1)}`));
    const paths = new Set(found.map((line) => line.split(': ')[1]));
    assert.deepEqual([...paths].sort(), ['/chat/completions', '/models'], found.join('\n'));
  });

  it('S21 the search above finds what it is meant to find', () => {
    for (const text of ["'/embeddings'", '}/v1/responses`', '"/models/x"', '}/models/x`']) {
      assert.equal([...text.matchAll(endpointLike)].length, 1, text);
    }
  });

  it('S21 only the guarded sender and the service check use the transport', () => {
    const callers = sourceFiles()
      .filter(({ text }) => /\btransport\(/.test(text))
      .map(({ name }) => name);
    assert.deepEqual(callers.sort(), ['service/check/check.ts', 'service/wire/send.ts']);
  });
});

describe('the table', () => {
  it('S21 serves exactly two operations, and names each feature once', () => {
    assert.equal(capabilities.filter((row) => row.status === 'served').length, 2);
    assert.equal(new Set(capabilities.map((row) => row.feature)).size, capabilities.length);
  });

  it('S21 every absence has a reason and a substitute', () => {
    for (const row of capabilities.filter((entry) => entry.status === 'not-served')) {
      // What is served instead is the substitute.
      const substitute = row.substitute?.() ?? row.reason().match(/^Only chat completions are served\.$/)?.[0];
      assert.ok(row.reason().endsWith('.') && substitute?.endsWith('.'), row.feature);
    }
  });

  it('S21 the page lists every row', () => {
    const page = capabilitiesMarkdown();
    for (const row of capabilities) assert.ok(page.includes(`| **${row.name()}**`), row.feature);
    assert.doesNotMatch(page, /Learned/);
  });

  it('ux 2.19 the page has two columns, so that it can be read beside a chat', () => {
    for (const row of capabilitiesMarkdown()
      .split('\n')
      .filter((line) => line.startsWith('|'))) {
      assert.equal(row.split(/(?<!\\)\|/).length, 4, row);
    }
  });

  it('S16 the page says what is stated about data and what is not', () => {
    const page = capabilitiesMarkdown();
    for (const said of [
      /account email address/,
      /doesn't say: whether prompts and replies are logged/,
      /no telemetry/,
    ]) {
      assert.match(page, said);
    }
  });

  it('S21 docs/service.md is the same page', () => {
    const file = join(source, '../docs/service.md');
    const page = `${capabilitiesMarkdown().trimEnd()}\n`;
    if (process.env.UPDATE_DOCS === '1') writeFileSync(file, page);
    assert.equal(readFileSync(file, 'utf8'), page, 'UPDATE_DOCS=1 npm run test:unit -- --grep docs/service.md');
  });

  it('U11 X31 the page shows what was learned, as plain text', () => {
    const learned = createLearned(undefined, () => undefined);
    assert.match(factsMarkdown(learned).join('\n'), /Nothing has been learned yet/);
    learned.learn('svc/kimi-k3', {
      tools: { works: false, at: '2026-11-20T10:00:00Z', evidence: 'no | <img src=x> [link](command:x)' },
      contextTokens: 8192,
      contextTokensFrom: { at: '2026-11-19T10:00:00Z', evidence: 'maximum is 8192' },
      reasoningEcho: 'refused',
      reasoningEchoFrom: { at: '2026-11-18T10:00:00Z', evidence: 'unknown field' },
    });
    learned.learn('svc/glm-5.3', {
      parameters: { top_p: { works: false, at: '2026-11-17T10:00:00Z', evidence: 'unknown parameter: top_p' } },
    });
    const page = factsMarkdown(learned).join('\n');
    assert.match(page, /\| \*\*svc\/glm-5\.3\*\*<br>top\S*p \| no, 2026-11-17<br>unknown parameter/);
    assert.match(page, /\| \*\*svc\/kimi-k3\*\*<br>tool calling \| no, 2026-11-20<br>/);
    assert.match(page, /8192 tokens, 2026-11-19<br>maximum is 8192 \|/);
    assert.match(page, /refused, 2026-11-18<br>unknown field \|/);
    assert.doesNotMatch(page, /<img|\[link\]/);
  });
});
