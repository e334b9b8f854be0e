import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';

interface Refusal {
  means: readonly FailureKind[];
  status: number;
  body: object | string;
  source: string;
  limit?: number;
  trap?: true;
}

const folder = new URL('../../fixtures/error-bodies/', import.meta.url);
const read = (name: string): Refusal[] => JSON.parse(readFileSync(new URL(name, folder), 'utf8'));

const context = {
  model: 'svc/kimi-k3',
  modelIds: knownModels.map(({ id }) => id),
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text,
};

function classify({ status, body }: Pick<Refusal, 'status' | 'body'>): Failure {
  if (status === 200) return classifyErrorBody({ ...context, body });
  const isText = typeof body === 'string';
  const text = isText ? body : JSON.stringify(body);
  const contentType = isText ? (text.startsWith('<') ? 'text/html' : 'text/plain') : 'application/json';
  return classifyResponse({ ...context, status, contentType, body: text, headers: new Headers() });
}

const wordsOf = ({ body }: Refusal) => JSON.stringify(body).slice(0, 90);

describe('error bodies: words are evidence', () => {
  for (const name of ['known.json', 'apart.json', 'later.json', 'traps.json']) {
    for (const refusal of read(name)) {
      it(`S9 S26 W88 W89 in ${name} ${wordsOf(refusal)} is ${refusal.means.join(' or ')}`, () => {
        const { kind, facts } = classify(refusal);
        assert.ok(refusal.means.includes(kind), kind);
        if (refusal.limit !== undefined) assert.equal(facts?.limit, refusal.limit);
      });
    }
  }

  for (const [what, isTrap, all, atMost] of [
    ['38 of 40 wordings', false, 40, 2],
    ['19 of 20 traps', true, 20, 1],
  ] as const)
    it(`S26 W88 of what was gathered and labelled last, at least ${what} are read as what they mean`, () => {
      const rows = read('labelled.json').filter(({ trap = false }) => trap === isTrap);
      const misread = rows.flatMap((refusal) => {
        const { kind, facts } = classify(refusal);
        const isRight = refusal.means.includes(kind) && (refusal.limit ?? facts?.limit) === facts?.limit;
        return isRight ? [] : [`${refusal.source}: ${kind}`];
      });
      assert.equal(rows.length, all);
      assert.ok(misread.length <= atMost, misread.join('\n'));
    });

  it('S9 W88 what a refusal quotes of the request changes nothing about what it means', () => {
    const said = [
      'all servers are overloaded',
      'insufficient balance',
      'rate_limit',
      'maximum context length exceeded',
    ];
    for (const quotation of said) {
      for (const [open, close] of ['""', "''", '``', '“”']) {
        const message = `The value ${open}${quotation}${close} of messages is no text.`;
        assert.equal(classify({ status: 400, body: { error: { message } } }).kind, 'bad-request', message);
      }
    }
  });

  it('S26 what is not understood stays so, and shows what the service said', () => {
    const message = 'The flux of the request is out of phase.';
    const failure = classify({ status: 400, body: { error: { message } } });
    assert.deepEqual([failure.kind, failure.serverMessage], ['bad-request', message]);
  });

  it('S26 W88 says the same of an answer that a gateway put into its message as of the answer itself', () => {
    for (const refusal of read('apart.json')) {
      if (typeof refusal.body === 'string' || refusal.status === 200) continue;
      const message = JSON.stringify(refusal.body);
      assert.ok(refusal.means.includes(classify({ ...refusal, body: { error: { message } } }).kind), message);
    }
  });
});
