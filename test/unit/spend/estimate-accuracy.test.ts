import assert from 'node:assert/strict';
import { encode as cl100k } from 'gpt-tokenizer/encoding/cl100k_base';
import { encode as o200k } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, it } from 'mocha';
import { estimateTokens } from '../../../src/service/tokens.ts';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import { createEstimator } from '../../../src/spend/estimate.ts';
import { createRandom } from '../../bench/seeded-random.ts';
import { pasted, prose } from '../../support/prose.ts';
import { textKinds } from '../../support/text-kinds.ts';

const scripts = Object.values(prose);
const kinds = Object.values(pasted);

/** Counts line by line what a public vocabulary makes of a text, each line once. */
function tokenizer(encode: (text: string) => readonly number[]): (text: string) => number {
  const known = new Map<string, number>();
  return (text) =>
    text.split('\n').reduce((sum, line) => {
      const count = known.get(line) ?? encode(`${line}\n`).length;
      known.set(line, count);
      return sum + count;
    }, 0);
}

const vocabularies = { o200k: tokenizer(o200k), cl100k: tokenizer(cl100k) };

/** Errors, relative, and whether the ± held, one for each request of a conversation that changes its language half-way. */
function converse(seed: number, count: (text: string) => number) {
  const random = createRandom(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] ?? assert.fail();
  const model = pick(['svc/glm-5.3', 'svc/kimi-k3']);
  const estimator = createEstimator(undefined);
  const [first, second] = [pick(scripts), pick(scripts)];
  const messages: HistoryMessage[] = [{ role: 'system', text: 'You are a careful assistant. '.repeat(20) }];
  const requests: { error: number; held: boolean }[] = [];
  for (let n = 0; n < 24; n++) {
    const lines = random() < 0.3 ? pick(kinds) : n < 12 ? first : second;
    const text = Array.from({ length: 1 + Math.floor(random() * 12) }, () => pick(lines)).join('\n');
    const calls = { model, toolCalls: [] };
    messages.push(n % 2 === 0 ? { role: 'user', text } : { role: 'assistant', text, ...calls });
    if (n % 2 === 1) continue;
    const real = messages.reduce((sum, message) => sum + count(message.text) + 4, 3);
    const { tokens, error } = estimator.prompt({ model, messages });
    requests.push({ error: Math.abs(tokens / real - 1), held: Math.abs(tokens - real) <= error * tokens + 1 });
    assert.equal(estimator.learn({ model, messages }, real), undefined, 'nothing was cut');
  }
  return requests;
}

const share = <T>(list: readonly T[], holds: (one: T) => boolean): number => list.filter(holds).length / list.length;

const converseWith = (count: (text: string) => number, conversations: number) =>
  Array.from({ length: conversations }, (_, seed) => converse(seed + 1, count));

interface Told {
  error: number;
  held: boolean;
}

/** Ten messages of one kind of text, then one request with some pages of another. */
function changeKind(names: readonly [string, string], pages: number, count: (text: string) => number) {
  const [before, after] = names.map((name) => textKinds[name] ?? assert.fail());
  const model = 'svc/glm-5.3';
  const estimator = createEstimator(undefined);
  const messages: HistoryMessage[] = [{ role: 'system', text: 'You are a careful assistant. '.repeat(3) }];
  const tell = (): Told => {
    const real = messages.reduce((sum, message) => sum + count(message.text) + 4, 3);
    const { tokens, error } = estimator.prompt({ model, messages });
    estimator.learn({ model, messages }, real);
    return { error, held: Math.abs(tokens - real) <= error * tokens + 1 };
  };
  const known: Told[] = [];
  for (let n = 0; n < 10; n++) {
    const text = before?.(n + 1) ?? '';
    messages.push(n % 2 === 0 ? { role: 'user', text } : { role: 'assistant', text, model, toolCalls: [] });
    if (n % 2 === 0) known.push(tell());
  }
  for (let page = 0; page < pages; page++) messages.push({ role: 'user', text: after?.(50 + page) ?? '' });
  return { known: known.slice(1), changed: tell() };
}

describe('the estimate beside real vocabularies', () => {
  const conversations = converseWith(vocabularies.o200k, 1000);

  it('U2 the ± holds in 19 of 20 cases of a thousand conversations, at every length', () => {
    for (const at of conversations[0]?.keys() ?? []) {
      const held = share(conversations, (requests) => requests[at]?.held ?? false);
      assert.ok(held >= 0.95, `request ${at + 1}: ${held}`);
    }
  });

  it('U2 H22 is within 5 % after ten messages, also after the language has changed', () => {
    for (const at of [5, 6, 7, 8, 11]) {
      const near = share(conversations, (requests) => (requests[at]?.error ?? 1) <= 0.05);
      assert.ok(near >= 0.95, `request ${at + 1}: ${near}`);
    }
  });

  it('U2 learns a vocabulary that needs twice the tokens for most scripts', () => {
    const requests = converseWith(vocabularies.cl100k, 300);
    for (const at of [5, 11]) {
      assert.ok(share(requests, (one) => one[at]?.held ?? false) >= 0.95, `request ${at + 1}`);
      assert.ok(share(requests, (one) => (one[at]?.error ?? 1) <= 0.05) >= 0.95, `request ${at + 1}`);
    }
  });

  it('U1 counts prose and what is pasted within 15 % before anything was learned, where vocabularies agree', () => {
    const { devanagari: _, ...agreed } = { ...prose, ...pasted };
    for (const [name, lines] of Object.entries(agreed)) {
      const text = lines.join('\n');
      const off = estimateTokens(text) / vocabularies.o200k(text) - 1;
      assert.ok(Math.abs(off) <= 0.15, `${name}: ${off}`);
    }
  });

  for (const [name, count] of Object.entries(vocabularies)) {
    it(`U2 P21 the ± holds in 19 of 20 changes of the kind of text, and stays narrow on known kinds, with ${name}`, () => {
      const names = Object.keys(textKinds);
      const changes = names.flatMap((before) =>
        names.flatMap((after) =>
          before === after ? [] : [1, 4].map((pages) => changeKind([before, after], pages, count)),
        ),
      );
      const held = share(changes, ({ changed }) => changed.held);
      assert.ok(held >= 0.95, `${held} of ${changes.length}`);
      const known = changes.flatMap((change) => change.known);
      assert.ok(share(known, (told) => told.held) >= 0.95);
      const widths = known.map(({ error }) => error).toSorted((left, right) => left - right);
      assert.ok((widths[Math.floor(widths.length / 2)] ?? 1) <= 0.05, String(widths[Math.floor(widths.length / 2)]));
    });
  }
});
