import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEarlierTexts } from '../../../../src/features/next-places/core/earlier-texts.ts';

describe('texts of some minutes ago', () => {
  const minute = 60_000;
  const open = () => {
    let now = 0;
    const texts = createEarlierTexts({ now: () => now });
    const pass = (minutes: number) => {
      now += minutes * minute;
    };
    return { ...texts, pass };
  };

  it('F41 give the one of five minutes ago, or the first since', () => {
    const texts = open();
    assert.equal(texts.before('a'), undefined);
    for (const text of ['0', '2', '4', '6', '8']) {
      texts.record('a', text);
      texts.pass(2);
    }
    assert.equal(texts.before('a'), '4');
    texts.pass(60);
    assert.equal(texts.before('a'), '8');
  });

  it('F41 begin with a change of this moment, which is no recent one five minutes later', () => {
    const texts = open();
    texts.begin('a', 'before', 'now');
    texts.begin('a', 'now', 'later');
    assert.equal(texts.before('a'), 'before');
    texts.pass(5);
    assert.equal(texts.before('a'), 'now');
  });

  it('F41 stay few: twenty files, one text a minute, none of a long file', () => {
    const texts = open();
    texts.record('long', 'x'.repeat(200_001));
    assert.equal(texts.before('long'), undefined);
    for (let at = 0; at < 25; at++) texts.record(`f${at}`, 'x');
    assert.deepEqual([texts.before('f4'), texts.before('f5')], [undefined, 'x']);
    texts.record('f5', 'typed at once');
    texts.pass(6);
    assert.equal(texts.before('f5'), 'x');
  });
});
