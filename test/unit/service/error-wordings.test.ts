import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { classifyErrorBody, classifyResponse } from '../../../src/service/failure/classify.ts';
import { displayName, knownModels } from '../../../src/service/models.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import type { FailureKind } from '../../../src/shared/failure/kinds.ts';
import { type Wording, wordings } from './error-wordings.ts';

const modelIds = knownModels.map(({ id }) => id);
const asked = 'svc/kimi-k3';
const context = {
  model: asked,
  modelIds,
  endpoint: 'POST /chat/completions',
  at: '2026-11-20T10:00:00.000+01:00',
  redact: (text: string) => text,
};

/** How servers wrap what they say. `about` is the model as a field of its own, where there is one. */
const shapes: Record<string, (text: string, code: string | undefined, status: number, about?: string) => unknown> = {
  openai: (message, code, _, model) => ({
    error: { message, type: 'server_error', param: null, code: code ?? null, model },
  }),
  interface: (message, code, status, model) => ({ error: { code: status, message, type: code ?? 'error', model } }),
  flat: (message, code, status, model) => ({ status: code ?? status, message, model }),
  detail: (detail, code, _, model) => ({ detail, code, model }),
  text: (error, code, _, model) => ({ error, error_type: code ?? 'generation', model }),
  vllm: (message, code, status, model) => ({ object: 'error', message, type: code ?? 'Error', code: status, model }),
  google: (message, code, status, model) => ({
    error: { code: status, message, status: 'X', details: [{ reason: code ?? 'ERROR', metadata: { model } }] },
  }),
  openrouter: (raw, code, status, model) => ({
    error: {
      message: 'Provider returned error',
      code: status,
      type: code,
      metadata: { raw, provider_name: 'P', model },
    },
  }),
  list: (message, code, _, model) => ({ errors: [{ message, code, model }] }),
  wrapped: (message, code, _, model) => ({ success: false, data: { error: { message, type: code, model } } }),
};

const endings = [
  '',
  ' No credits were charged.',
  ' You were not charged for this request.',
  ' (request id: 20250423020142)',
  ' Please contact support if it persists.',
];

/** Statuses on which each meaning has been seen, or might be. */
const statuses: Partial<Record<FailureKind, readonly number[]>> = {
  'capacity-service': [
    400, 403, 404, 408, 409, 422, 423, 425, 429, 451, 498, 500, 502, 503, 504, 507, 520, 522, 529, 530, 599,
  ],
  balance: [400, 402, 403, 429],
  'context-length': [400, 403, 413, 422, 500],
  'history-refused': [400, 422, 500],
  'tools-refused': [400, 404, 422, 500],
  'images-refused': [400, 404, 422, 500],
  'rate-limited': [400, 403, 413, 429, 503],
  'unknown-model': [400, 404, 422],
  'server-error': [500, 502, 504],
};

interface Case {
  wording: Wording;
  shape: string;
  status: number;
  ending: string;
  /** The id that is named, if any, and how. */
  names?: string;
  how: 'id' | 'bare' | 'shown' | 'field' | 'none';
}

const caseOf = (pool: readonly Wording[]): fc.Arbitrary<Case> =>
  fc
    .record({
      wording: fc.constantFrom(...pool),
      shape: fc.constantFrom(...Object.keys(shapes)),
      ending: fc.constantFrom(...endings),
      names: fc.constantFrom(...modelIds),
      how: fc.constantFrom('id', 'bare', 'shown', 'field', 'none'),
    })
    .chain((made) =>
      fc.constantFrom(...(statuses[made.wording.means] ?? [500])).map((status) => ({ ...made, status }) as Case),
    );

function named({ names = asked, how }: Case): string {
  if (how === 'id') return names;
  if (how === 'bare') return names.slice('svc/'.length);
  return how === 'shown' ? displayName(names) : 'it';
}

function judge(made: Case): Failure {
  const { wording, shape, status, ending, how, names } = made;
  const text = wording.text.replace('{m}', named(made)) + ending;
  const body = JSON.stringify(shapes[shape]?.(text, wording.code, status, how === 'field' ? names : undefined));
  return classifyResponse({ ...context, status, contentType: 'application/json', body, headers: new Headers() });
}

/** The label: what was meant, and whether a live id was named in it. */
function meant({ wording, how, names }: Case): { kind: FailureKind; namedModel?: string } {
  const names_ = how === 'field' || (how !== 'none' && wording.text.includes('{m}'));
  if (wording.means !== 'capacity-service') return { kind: wording.means };
  return names_ ? { kind: 'capacity-model', namedModel: names } : { kind: 'capacity-service' };
}

const isCapacity = (kind: FailureKind) => kind === 'capacity-model' || kind === 'capacity-service';

describe('what errors mean, whatever their status, shape and wording', () => {
  const inPool = wordings.filter(({ heldOut }) => heldOut !== true);
  const heldOut = wordings.filter((wording) => wording.heldOut === true);

  for (const [name, pool] of [
    ['known', inPool],
    ['held-out', heldOut],
  ] as const) {
    it(`W88 W89 B2 reads every ${name} wording as what it means`, () => {
      fc.assert(
        fc.property(caseOf(pool), (made) => {
          const { kind, namedModel } = judge(made);
          assert.deepEqual({ kind, ...(isCapacity(kind) && namedModel ? { namedModel } : {}) }, meant(made));
        }),
        { numRuns: 4000 },
      );
    });
  }

  it('W88 raises no false alarm of capacity on any status', () => {
    const others = wordings.filter(({ means }) => means !== 'capacity-service');
    fc.assert(
      fc.property(caseOf(others), fc.integer({ min: 400, max: 599 }), (made, status) => {
        // A 503 that names a model is one (B2), and 498 and 529 stand for nothing else.
        if (status === 503 || status === 498 || status === 529) return;
        assert.ok(!isCapacity(judge({ ...made, status }).kind), JSON.stringify(made));
      }),
      { numRuns: 4000 },
    );
  });

  it('W88 401, 402 and 405 mean what they mean whatever they say', () => {
    const wanted = { 401: 'key-rejected', 402: 'balance', 405: 'wrong-method' } as const;
    for (const wording of wordings) {
      for (const [status, kind] of Object.entries(wanted)) {
        assert.equal(judge({ wording, shape: 'openai', status: Number(status), ending: '', how: 'id' }).kind, kind);
      }
    }
  });

  it('W88 want of room is read the same inside a 200', () => {
    for (const wording of wordings.filter(({ means }) => isCapacity(means))) {
      const text = wording.text.replace('{m}', asked);
      const { kind, namedModel } = classifyErrorBody({
        ...context,
        body: { error: { message: text, type: wording.code } },
      });
      assert.deepEqual([kind, namedModel], ['capacity-model', asked], text);
    }
  });
});
