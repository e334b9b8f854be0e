import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';
import { readJsonLines } from '../../support/json-lines.ts';

/**
 * A refusal as a service sent it: status and body from recorded tests and from public reports, with their source. Labelled by what
 * a person who reads it understands, before it was given to the classifier. Long ids and texts are shortened.
 */
interface RecordedError {
  /** Each was labelled before any of it was looked at while the ones before were mended. */
  gathering: 'first' | 'second' | 'third' | 'fourth';
  /** Every kind that does right by the user; mostly one. */
  means: readonly FailureKind[];
  status: number;
  /** JSON as an object, everything else as text. */
  body: object | string;
  source: string;
}

const all = readJsonLines<RecordedError>(new URL('recorded-errors.jsonl', import.meta.url));
const of = (gathering: RecordedError['gathering']) => all.filter((error) => error.gathering === gathering);

const context = {
  model: 'svc/kimi-k3',
  modelIds: knownModels.map(({ id }) => id),
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text,
};

function classify({ status, body }: Pick<RecordedError, 'status' | 'body'>): Failure {
  if (status === 200) return classifyErrorBody({ ...context, body });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const contentType = text.startsWith('<') ? 'text/html' : typeof body === 'string' ? 'text/plain' : 'application/json';
  return classifyResponse({ ...context, status, contentType, body: text, headers: new Headers() });
}

describe('refusals that services really sent', () => {
  for (const [index, error] of all.entries()) {
    it(`W88 W89 reads ${index} as ${error.means.join(' or ')}: ${error.source}`, () => {
      const { kind } = classify(error);
      assert.ok(error.means.includes(kind), `${kind}: ${JSON.stringify(error.body)}`);
    });
  }

  it('W89 learns the length that a refusal names', () => {
    const learned = of('second')
      .map((error) => classify(error))
      .filter(({ kind }) => kind === 'context-length')
      .map(({ facts }) => facts?.limit);
    assert.deepEqual(learned.filter(Boolean), [8000, 7424, 2048, 4096, 4096]);
  });

  for (const [message, kind] of [
    ['The request signature we calculated does not match the signature you provided', 'forbidden'],
    ['All requests to this project are limited to members', 'forbidden'],
    ['Invalid `signature` in `thinking` block', 'history-refused'],
  ] as const)
    it(`C reads as ${kind}: ${message}`, () => {
      assert.equal(classify({ status: 403, body: { error: { message } } }).kind, kind);
    });

  it('C lowers max_tokens to what a refusal names', () => {
    const lowered = of('first')
      .map((error) => classify(error).facts?.maxTokensLimit)
      .filter(Boolean);
    assert.deepEqual(lowered, [131_072, 32_768, 28_672]);
  });
});
