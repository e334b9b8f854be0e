import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createComparisons } from '../../../src/vscode/comparisons.ts';
import { createMemento } from './memento.ts';

describe('comparisons', () => {
  it('U15 knows after a reload which conversations stand side by side, until one of them is kept', () => {
    const memento = createMemento();
    createComparisons(memento).begin([
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
    assert.deepEqual(memento.keys(), []);
  });

  it('takes no name of an object for a conversation', () => {
    assert.equal(createComparisons(createMemento()).of('constructor'), undefined);
  });
});
