import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { matchIndentation } from '../../../src/inline/match-indentation.ts';

describe('inline/match-indentation', () => {
  it('F23 an answer at the margin gets the indentation of the part, and its blank lines stay empty', () => {
    const part = ['    if (x) {', '', '      y();', '    }'];
    const answer = ['if (z) {', '', '  ', '  y();', '}'];
    assert.deepEqual(matchIndentation(answer, part, []), ['    if (z) {', '', '  ', '      y();', '    }']);
  });

  it('F23 blank lines of the part say nothing about its indentation', () => {
    assert.deepEqual(matchIndentation(['z();'], ['', '    y();', ' '], []), ['    z();']);
  });

  it('F23 blank lines of an answer say nothing about its indentation or its style', () => {
    assert.deepEqual(matchIndentation([' ', '    z();'], ['', '    y();'], []), [' ', '    z();']);
    assert.deepEqual(matchIndentation(['if (z) {', '\t', '  y();', '}'], ['if (x) {', '\ty();', '}'], []), [
      'if (z) {',
      '\t',
      '\ty();',
      '}',
    ]);
  });

  it('F23 an answer in spaces is turned into the tabs of the part, else of the lines around it', () => {
    const answer = ['if (z) {', '    y();', '        w();', '     // more', '}'];
    const inTabs = ['if (z) {', '\ty();', '\t\tw();', '\t // more', '}'];
    assert.deepEqual(
      matchIndentation(answer.toSpliced(3, 1), ['if (x) {', '\ty();'], ['    a();']),
      inTabs.toSpliced(3, 1),
    );
    assert.deepEqual(matchIndentation(answer.toSpliced(3, 1), ['x();'], ['\ta();']), inTabs.toSpliced(3, 1));
    assert.deepEqual(matchIndentation(inTabs.toSpliced(3, 1), ['x();'], ['    a();']), answer.toSpliced(3, 1));
  });

  it('F23 the second line of a block comment is no step of an indentation', () => {
    const answer = ['if (z) {', '    /*', '     * Says.', '     */', '    y();', '}'];
    const inTabs = ['if (z) {', '\t/*', '\t * Says.', '\t */', '\ty();', '}'];
    assert.deepEqual(matchIndentation(answer, ['if (x) {', '\ty();', '}'], []), inTabs);
  });

  it('F23 an answer that mixes both styles stays as it is', () => {
    const answer = ['if (z) {', '\ty();', '    w();', '}'];
    assert.deepEqual(matchIndentation(answer, ['if (x) {', '\ty();', '}'], []), answer);
  });
});
