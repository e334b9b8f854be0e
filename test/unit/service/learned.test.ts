import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createLearned, type Fact, type ModelFacts } from '../../../src/service/step/learned.ts';

const glm = 'svc/glm-5.3';
const yes: Fact = { works: true, at: '2026-11-20T10:00:00Z', evidence: 'answered' };
const no: Fact = { ...yes, works: false, evidence: 'refused' };

function create(stored?: unknown): { learned: ReturnType<typeof createLearned>; saved: Record<string, ModelFacts>[] } {
  const saved: Record<string, ModelFacts>[] = [];
  return { learned: createLearned(stored, (facts) => saved.push(structuredClone(facts))), saved };
}

const asStored = (facts: unknown): unknown => JSON.parse(JSON.stringify(facts));

describe('learned facts', () => {
  it('U11 merges what is learned, parameters by name, and saves it', () => {
    const { learned, saved } = create();
    learned.learn(glm, { streaming: yes, parameters: { temperature: no } });
    learned.learn(glm, { tools: no, contextTokens: 131_072, parameters: { seed: no } });
    const wanted = { streaming: yes, tools: no, contextTokens: 131_072, parameters: { temperature: no, seed: no } };
    assert.deepEqual(learned.get(glm), wanted);
    assert.deepEqual(saved.at(-1), { [glm]: wanted });
  });

  it('U11 learned facts come back as they were saved', () => {
    const { learned, saved } = create();
    const from = { at: yes.at, evidence: 'must be passed back' };
    const streamEnd = { how: 'close', ...from } as const;
    learned.learn(glm, { images: yes, streamEnd, reasoningEcho: 'required', reasoningEchoFrom: from, parameters: {} });
    const again = create(JSON.parse(JSON.stringify(saved.at(-1)))).learned;
    assert.deepEqual([...again.all()], [...learned.all()]);
  });

  it('U11 forgets a fact, a model or everything', () => {
    const { learned, saved } = create();
    learned.learn(glm, { streaming: yes, tools: yes });
    learned.learn(glm, { streaming: undefined });
    assert.deepEqual(asStored(learned.get(glm)), { tools: yes, parameters: {} });
    learned.learn('svc/kimi-k3', { tools: no });
    learned.reset(glm);
    assert.deepEqual([...learned.all().keys()], ['svc/kimi-k3']);
    learned.reset();
    assert.deepEqual(saved.at(-1), {});
  });

  it('learned facts are told to listeners until they leave', () => {
    const { learned } = create();
    let told = 0;
    const listening = learned.onDidChange(() => {
      told += 1;
    });
    learned.learn(glm, { tools: no });
    listening.dispose();
    learned.reset();
    assert.equal(told, 1);
  });

  it('knows nothing about an unknown model and shares nothing between two of them', () => {
    const { learned } = create();
    assert.deepEqual(learned.get('toString'), { parameters: {} });
    learned.get('a').parameters.seed = no;
    assert.deepEqual(learned.get('b'), { parameters: {} });
  });

  it('X32 keeps a model called __proto__ apart from every other object', () => {
    const { learned, saved } = create(JSON.parse('{"__proto__":{"tools":{"works":false,"at":"","evidence":""}}}'));
    assert.equal(learned.get('__proto__').tools?.works, false);
    learned.learn('__proto__', { parameters: JSON.parse('{"__proto__":{"works":true,"at":"","evidence":""}}') });
    assert.deepEqual(Object.keys(saved.at(-1) ?? {}), ['__proto__']);
    assert.equal('tools' in {}, false);
  });

  it('takes anything that was stored without throwing, and keeps only facts', () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.anything(), fc.dictionary(fc.string(), fc.dictionary(fc.string(), fc.anything()))),
        (stored) => {
          for (const facts of create(stored).learned.all().values()) {
            for (const fact of [facts.streaming, facts.tools, ...Object.values(facts.parameters)]) {
              if (fact !== undefined) assert.equal(typeof fact.works, 'boolean');
            }
          }
        },
      ),
    );
    const odd = { a: { tools: 'yes', contextTokens: -1, reasoningEcho: 'x', streaming: { works: true } }, b: 7 };
    assert.deepEqual(asStored([...create(odd).learned.all()]), [
      ['a', { streaming: { works: true, at: '', evidence: '' }, parameters: {} }],
    ]);
  });

  it('learned facts stay small however many models there were', () => {
    const { learned, saved } = create();
    for (let index = 0; index < 300; index++) {
      learned.learn(`m${index}`, { tools: { ...no, evidence: 'x'.repeat(10_000) } });
    }
    assert.equal(learned.all().size, 200);
    assert.ok(JSON.stringify(saved.at(-1)).length < 60_000);
    assert.deepEqual(learned.get('m0'), { parameters: {} });
  });
});
