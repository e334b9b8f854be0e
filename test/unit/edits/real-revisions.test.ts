import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, it } from 'mocha';
import { applyEdits } from '../../../src/edits/match/apply-edits.ts';
import type { Case } from '../../bench/edits/case.ts';
import { generate } from '../../bench/edits/generate.ts';
import { checkResult } from './check-result.ts';

/** Source files, a style sheet and documents as they were and as their authors changed them; tabs and Chinese among them. */
const folder = path.resolve(import.meta.dirname, '../../fixtures/revisions');

describe('applyEdits, for what authors changed and models got wrong', () => {
  it('writes what was meant or nothing, and refuses what cannot be told', () => {
    const read = (side: string, name: string) => readFileSync(path.join(folder, side, name), 'utf8');
    const corpus = readdirSync(path.join(folder, 'before'))
      .sort()
      .map((name) => ({ name, before: read('before', name), after: read('after', name) }));
    // In this draw none is written wrongly; others have up to four of 2,200. It notices what gets worse, the bench says how good it is.
    const cases = generate(2, corpus, { perDamage: 24, pairs: 300, perRefusal: 24, tries: 10 });
    const refused: Case[] = [];
    for (const one of cases) {
      const result = applyEdits(one.text, one.blocks);
      const shown = () => `${one.kind}, ${one.source}: ${JSON.stringify(one.blocks, undefined, 1)}`;
      if (result.ok) assert.equal(result.text, one.expected, shown());
      // Of many that were reported elsewhere nobody can tell what was meant: those may be refused.
      else if (one.expected !== undefined && !one.kind.startsWith('reported:')) refused.push(one);
      checkResult(one, result);
    }
    const meant = cases.filter(({ expected }) => expected !== undefined).length;
    assert.ok(meant >= 1700 && cases.length - meant >= 450, `${meant} of ${cases.length}`);
    const kinds = refused.map(({ kind, source }) => `${kind}, ${source}`);
    assert.ok(refused.length <= 8, `${refused.length} refused:\n${kinds.join('\n')}`);
  });
});
