import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { defaultModel, displayName, knownModels, nearestModelId, parseModelList } from '../../../src/service/models.ts';

const ids = knownModels.map(({ id }) => id);

describe('model ids', () => {
  it('has the default among the known models', () => {
    assert.ok(ids.includes(defaultModel));
    assert.equal(ids.length, 7);
  });

  const mistakes: [string, string, string][] = [
    ['a missing prefix', 'deepseek-v4.1-flash', 'svc/deepseek-v4.1-flash'],
    ['a hyphen for a dot', 'svc/deepseek-v4-1-flash', 'svc/deepseek-v4.1-flash'],
    ['a dot for a hyphen', 'svc/deepseek.v4.pro', 'svc/deepseek-v4-pro'],
    ['capitals', 'svc/GLM-5.3', 'svc/glm-5.3'],
    ['the prefix of another provider', 'moonshotai/kimi-k3', 'svc/kimi-k3'],
    ['a suffix of another provider', 'z-ai/glm-5.3-flash:free', 'svc/glm-5.3-flash'],
    ['the display name', 'DeepSeek V4-Pro', 'svc/deepseek-v4-pro'],
    ['a typing mistake', 'svc/qwen-3.8-72b', 'svc/qwen-3.8-27b'],
    ['the id itself', 'svc/kimi-k3-fast', 'svc/kimi-k3-fast'],
  ];
  for (const [what, typed, meant] of mistakes) {
    it(`S3 a model id is recognised despite ${what}`, () => assert.equal(nearestModelId(typed, ids), meant));
  }

  it('S3 offers nothing for an id that is nowhere near', () => {
    for (const typed of ['gpt-4o', '', '/', 'svc/', 'claude-opus', 'x'.repeat(10_000)]) {
      assert.equal(nearestModelId(typed, ids), undefined, typed.slice(0, 20));
    }
  });

  it('S3 finds the nearest of up to two typing mistakes, as the definition of the distance says', () => {
    // The definition itself, which knows no limit.
    const distance = (a: string, b: string): number => {
      if (a === '' || b === '') return a.length + b.length;
      const [one, other] = [a.slice(1), b.slice(1)];
      if (a[0] === b[0]) return distance(one, other);
      return 1 + Math.min(distance(one, b), distance(a, other), distance(one, other));
    };
    const id = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 6, maxLength: 8 });
    fc.assert(
      fc.property(id, fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), (typed, list) => {
        const nearest = nearestModelId(typed, list);
        const fewest = Math.min(...list.map((one) => distance(typed, one)));
        if (fewest > 2) assert.equal(nearest, undefined);
        else assert.equal(distance(typed, nearest ?? ''), fewest);
      }),
      { numRuns: 500 },
    );
    assert.equal(nearestModelId('abcd', ['abxd']), 'abxd');
    assert.equal(nearestModelId('abcd', ['axxd']), undefined, 'one mistake in a short id');
  });

  it('S3 only ids of the list are offered for a wrong one', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string(), { maxLength: 5 }), (typed, list) => {
        const nearest = nearestModelId(typed, list);
        assert.ok(nearest === undefined || list.includes(nearest));
      }),
    );
  });

  it('names known models as published and others readably', () => {
    assert.equal(displayName('svc/glm-5.3-flash'), 'GLM-5.3 Flash');
    assert.equal(displayName('svc/deepseek-v4-pro'), 'DeepSeek V4-Pro');
    assert.equal(displayName('svc/qwen-4-72b'), 'Qwen 4 72B');
    assert.equal(displayName('glm-6'), 'GLM 6');
    assert.equal(displayName('svc/'), 'svc/');
  });
});

describe('the model list', () => {
  it('S2 of the model list only ids are read', () => {
    const data = [
      { id: 'svc/glm-5.3', object: 'model', created: 1, owned_by: 'svc', name: '<img src=x>' },
      { id: 'svc/new-model' },
    ];
    assert.deepEqual(parseModelList({ object: 'list', data }), [
      { id: 'svc/glm-5.3', name: 'GLM 5.3' },
      { id: 'svc/new-model', name: 'New Model' },
    ]);
  });

  it('X31 leaves out ids that are none, doubles and what is too much', () => {
    const odd = ['<img src=x onerror=1>', '\u001b[31mred', 'x'.repeat(101), '', 'a b', 'a\n', 7, null, { id: 'a' }];
    assert.deepEqual(parseModelList({ data: [...odd.map((id) => ({ id })), null, 'a', { id: 'ok' }, { id: 'ok' }] }), [
      { id: 'ok', name: 'Ok' },
    ]);
    const many = Array.from({ length: 500 }, (_, index) => ({ id: `m${index}` }));
    assert.equal(parseModelList({ data: many })?.length, 200);
  });

  it('X31 a body of another shape is no model list', () => {
    for (const body of [null, undefined, 'x', [], {}, { data: {} }, { data: 'x' }, { data: [{ id: '<b>' }] }]) {
      assert.equal(parseModelList(body), undefined);
    }
    fc.assert(
      fc.property(fc.anything(), (body) => {
        for (const { id } of parseModelList(body) ?? []) assert.match(id, /^[A-Za-z0-9._/-]{1,100}$/);
      }),
    );
  });
});
