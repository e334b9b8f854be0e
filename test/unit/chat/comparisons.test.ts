import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createComparisons } from '../../../src/chat/comparisons.ts';
import { createMemento } from '../vscode/memento.ts';

describe('comparisons', () => {
  it('U15 knows after a reload which conversations stand side by side, until one of them is kept', () => {
    const memento = createMemento();
    createComparisons(memento).begin('o', [
      { id: 'a', model: 'svc/kimi-k3' },
      { id: 'b', model: 'svc/glm-5.3' },
    ]);
    const comparisons = createComparisons(memento);
    assert.deepEqual(comparisons.of('a'), { other: 'b', otherModel: 'svc/glm-5.3' });
    assert.deepEqual(comparisons.of('b'), { other: 'a', otherModel: 'svc/kimi-k3' });
    let told = 0;
    comparisons.onDidChange(() => told++);
    comparisons.end('b');
    comparisons.end('b');
    assert.equal(told, 1);
    assert.deepEqual([comparisons.of('a'), comparisons.of('b')], [undefined, undefined]);
    assert.deepEqual(memento.keys(), ['svc.sharedLimits']);
  });

  it('U4 lets an origin and its copies share one limit, also after one answer was kept and compared again', () => {
    const memento = createMemento();
    const comparisons = createComparisons(memento);
    const pair = (one: string, other: string) =>
      [
        { id: one, model: 'svc/kimi-k3' },
        { id: other, model: 'svc/glm-5.3' },
      ] as const;
    comparisons.begin('o', pair('a', 'b'));
    comparisons.begin('x', pair('y', 'z'));
    comparisons.end('a');
    comparisons.begin('a', pair('c', 'd'));
    const again = createComparisons(memento);
    for (const id of ['o', 'a', 'b', 'c', 'd'])
      assert.deepEqual([...again.sharingLimit(id)].sort(), ['a', 'b', 'c', 'd', 'o']);
    assert.deepEqual([...again.sharingLimit('x')].sort(), ['x', 'y', 'z']);
    assert.deepEqual(again.sharingLimit('fork'), ['fork']);
    assert.deepEqual(again.sharingLimit('constructor'), ['constructor']);
  });

  it('of many comparisons the newest are remembered', () => {
    const comparisons = createComparisons(createMemento());
    for (let at = 0; at < 400; at++) {
      comparisons.begin(`o${at}`, [
        { id: `a${at}`, model: 'm' },
        { id: `b${at}`, model: 'n' },
      ]);
    }
    assert.deepEqual(comparisons.sharingLimit('o0'), ['o0']);
    assert.deepEqual([...comparisons.sharingLimit('b399')].sort(), ['a399', 'b399', 'o399']);
  });

  it('takes no name of an object for a conversation', () => {
    assert.equal(createComparisons(createMemento()).of('constructor'), undefined);
  });
});
