import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { hunksOf, type PendingText } from '../../../../src/edits/pending/hunks.ts';
import { currentText, settledText, withWritten } from '../../../../src/edits/pending/pending-text.ts';
import { createTextHistory } from '../../../../src/edits/pending/text-history.ts';

const by = { conversationId: 'a', turnId: 'turn', callId: 'call' };
const go = (history: ReturnType<typeof createTextHistory>, direction: 'undo' | 'redo', line: string) => {
  const found = history.go(direction, [line]);
  return found && currentText(found);
};

describe('edits/pending/text-history', () => {
  /** At the last of them. */
  const historyOf = (...lines: string[]) => {
    const [first = '', ...others] = lines;
    const history = createTextHistory(settledText(first));
    for (const line of others) history.add(settledText(line));
    return history;
  };

  it('U19 leads back and forth through the texts that were there', () => {
    const history = historyOf('one', 'two', 'three');
    assert.equal(go(history, 'redo', 'one'), undefined);
    assert.equal(go(history, 'undo', 'two'), 'two');
    assert.equal(currentText(history.now()), 'two');
    assert.equal(go(history, 'undo', 'one'), 'one');
    assert.equal(go(history, 'undo', 'three'), undefined);
    assert.equal(currentText(history.now()), 'one');
    assert.equal(go(history, 'redo', 'three'), 'three');
    assert.equal(go(history, 'redo', 'three'), undefined);
  });

  it('U19 of texts that read alike leads to the nearest', () => {
    const edited = withWritten(settledText('one'), 'same', by);
    const history = createTextHistory(settledText('same'));
    for (const text of [edited, settledText('last')]) {
      history.add(settledText('between'));
      history.add(text);
    }
    const found = history.go('undo', ['same']);
    assert.equal(found && hunksOf(found).length, 1);
    assert.equal(hunksOf(history.go('undo', ['same']) ?? edited).length, 0);
  });

  it('U19 where the text stays and its edits change, the later ones count', () => {
    const history = historyOf('zero', 'one');
    history.add(withWritten(settledText('old'), 'one', by));
    assert.equal(hunksOf(history.now()).length, 1);
    history.add(settledText('two'));
    const found = history.go('undo', ['one']);
    assert.equal(found && hunksOf(found).length, 1);
    assert.equal(go(history, 'undo', 'zero'), 'zero');
  });

  it('U19 what was taken back cannot be done again after another change', () => {
    const history = historyOf('one', 'two', 'three');
    go(history, 'undo', 'one');
    history.add(settledText('other'));
    assert.equal(go(history, 'redo', 'two'), undefined);
    assert.equal(go(history, 'redo', 'three'), undefined);
    assert.equal(go(history, 'undo', 'two'), undefined);
    assert.equal(go(history, 'undo', 'one'), 'one');
  });

  it('U19 begins anew after a decision', () => {
    const history = historyOf('one', 'two');
    history.reset(settledText('kept'));
    assert.equal(currentText(history.now()), 'kept');
    assert.equal(go(history, 'undo', 'two'), undefined);
    history.add(settledText('three'));
    assert.equal(go(history, 'undo', 'kept'), 'kept');
  });

  it('U19 remembers two hundred texts', () => {
    const history = historyOf(...Array.from({ length: 201 }, (_, at) => `${at}`));
    assert.equal(go(history, 'undo', '0'), undefined);
    assert.equal(go(history, 'undo', '1'), '1');
  });

  it('U19 remembers a million lines, and always the text there is now', () => {
    const long = (name: string, lines: number): PendingText => ({ rows: [name, ...Array(lines - 1).fill('')] });
    const [first, second, third] = [long('first', 500_000), long('second', 500_000), long('third', 1)];
    const linesIn = ({ rows }: PendingText) => rows.map(String);
    const history = createTextHistory(first);
    history.add(second);
    assert.equal(history.go('undo', linesIn(first)), first);
    assert.equal(history.go('redo', linesIn(second)), second);
    history.add(third);
    assert.equal(history.go('undo', linesIn(first)), undefined);
    assert.equal(history.go('undo', linesIn(second)), second);
    // What is there no more does not count.
    history.add(long('fourth', 500_000));
    assert.equal(history.go('undo', linesIn(second)), second);
    history.reset(long('whole', 1_000_001));
    assert.equal(history.now().rows.length, 1_000_001);
    history.add(third);
    assert.equal(history.now(), third);
    history.add(long('fifth', 999_999));
    assert.equal(history.go('undo', ['third']), third);
  });
});
