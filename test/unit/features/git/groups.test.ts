import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { readGroups } from '../../../../src/features/git/core/groups.ts';

const read = (answer: string, count = 4) => readGroups(answer, count).map(({ message, units }) => [message, ...units]);

describe('groups that a model answers', () => {
  it('F42 hold each number once: the first time counts, others count for nothing, and what is missing is left over', () => {
    assert.deepEqual(read('[{"message":"A","hunks":[2,1,2,9,0,-1]},{"message":"B","hunks":[1,4]}]'), [
      ['A', 0, 1],
      ['B', 3],
      ['', 2],
    ]);
  });

  it('F42 a group whose numbers are all taken is none', () => {
    assert.deepEqual(read('[{"message":"A","hunks":[1,2,3,4]},{"message":"B","hunks":[1]}]'), [['A', 0, 1, 2, 3]]);
  });

  const readings: Record<string, string> = {
    'in a block with words around it':
      'Two commits:\n```json\n[{"message":"A","hunks":[1,2]},{"message":"B","hunks":[3,4]}]\n```\nDone {really}.',
    'as an object with a list': '{"commits":[{"message":"A","hunks":[1,2]},{"message":"B","hunks":[3,4]}]}',
    'one object a line': '{"message":"A","hunks":[1,2]}\n{"message":"B","hunks":[3,4]}',
    'under other names': '[{"title":"A","numbers":[1,2]},{"title":"B","changes":[3,4]}]',
    'as words and ranges': '[{"message":"A","hunks":["1-2"]},{"message":"B","hunks":["#3","[4]"]}]',
    'with commas at the end': '[{"message":"A","hunks":[1,2,],},{"message":"B","hunks":[3,4]},]',
    'without the end of the list': '[{"message":"A","hunks":[1,2]},{"message":"B","hunks":[3,4]}',
  };
  for (const [how, answer] of Object.entries(readings)) {
    it(`F42 are read ${how}`, () => {
      assert.deepEqual(read(answer), [
        ['A', 0, 1],
        ['B', 2, 3],
      ]);
    });
  }

  it('F42 an answer that breaks off has the groups that came whole; the rest is left over', () => {
    assert.deepEqual(read('[{"message":"A","hunks":[1,2]},{"message":"B","hu'), [
      ['A', 0, 1],
      ['', 2, 3],
    ]);
  });

  it('F42 quotes inside of a message that were not escaped do not cost its numbers', () => {
    assert.deepEqual(read('[{"message": "Call it "total" now", "hunks": [1, 2]}, {"message": "B", "hunks": [3, 4]}]'), [
      ['Call it "total" now', 0, 1],
      ['B', 2, 3],
    ]);
  });

  it('F42 messages keep their body, lose blanks at ends of lines, and show what nobody would see', () => {
    const [group] = readGroups('[{"message":"A\\r\\n\\r\\nWhy.  \\n","hunks":[1]}]', 1);
    assert.equal(group?.message, 'A\n\nWhy.');
    const [hidden] = readGroups('[{"message":"A\\u200bB","hunks":[1]}]', 1);
    assert.doesNotMatch(hidden?.message ?? '', /\u200b/);
  });

  it('F42 an answer without a group has none, whatever else it holds', () => {
    for (const answer of [
      '',
      'I cannot do that.',
      '{}',
      '[]',
      '[1,2]',
      '{"message":"A"}',
      '{"message":"A","hunks":[]}',
    ]) {
      assert.deepEqual(read(answer), [], answer);
    }
  });
});
