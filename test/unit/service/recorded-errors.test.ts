import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { type RecordedError, recordedErrors } from './recorded-errors.ts';

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
  for (const [index, error] of recordedErrors.entries()) {
    it(`W88 W89 reads ${index} as ${error.means.join(' or ')}: ${error.source}`, () => {
      const { kind } = classify(error);
      assert.ok(error.means.includes(kind), `${kind}: ${JSON.stringify(error.body)}`);
    });
  }

  it('C lowers max_tokens to what a refusal names', () => {
    const lowered = recordedErrors.map((error) => classify(error).facts?.maxTokensLimit).filter(Boolean);
    assert.deepEqual(lowered, [131_072, 32_768, 28_672]);
  });
});
