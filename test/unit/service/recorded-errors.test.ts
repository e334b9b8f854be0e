import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { type RecordedError, recordedErrors } from './recorded-errors.ts';
import { fourthRecordedErrors } from './recorded-errors-fourth.ts';
import { lastRecordedErrors, laterRecordedErrors } from './recorded-errors-later.ts';

const context = {
  model: 'svc/kimi-k3',
  modelIds: knownModels.map(({ id }) => id),
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text,
};

function classify({ status, body }: RecordedError): Failure {
  if (status === 200) return classifyErrorBody({ ...context, body });
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const contentType = text.startsWith('<') ? 'text/html' : typeof body === 'string' ? 'text/plain' : 'application/json';
  return classifyResponse({ ...context, status, contentType, body: text, headers: new Headers() });
}

describe('refusals that services really sent', () => {
  const all = [...recordedErrors, ...laterRecordedErrors, ...lastRecordedErrors, ...fourthRecordedErrors];
  for (const [index, error] of all.entries()) {
    it(`W88 W89 reads ${index} as ${error.means.join(' or ')}: ${error.source}`, () => {
      const { kind } = classify(error);
      assert.ok(error.means.includes(kind), `${kind}: ${JSON.stringify(error.body)}`);
    });
  }

  it('W89 learns the length that a refusal names', () => {
    const learned = laterRecordedErrors
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
      assert.equal(classify({ means: [], source: 'near miss', status: 403, body: { error: { message } } }).kind, kind);
    });

  it('C lowers max_tokens to what a refusal names', () => {
    const lowered = recordedErrors.map((error) => classify(error).facts?.maxTokensLimit).filter(Boolean);
    assert.deepEqual(lowered, [131_072, 32_768, 28_672]);
  });
});
