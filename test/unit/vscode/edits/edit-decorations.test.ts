import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { removedBeside } = await importWithVscodeStub<typeof import('../../../../src/vscode/edits/edit-decorations.ts')>(
  new URL('../../../../src/vscode/edits/edit-decorations.ts', import.meta.url),
);

describe('what stands behind changed lines', () => {
  const long = 'x'.repeat(200);
  for (const [what, removed, count, shown] of [
    ['one line for one', ['  let a = 1;'], 1, ['4 let a = 1;']],
    ['each line beside its own', ['a', '', 'c'], 3, ['4 a', '6 c']],
    ['the first, and how many more', ['', 'a', 'b'], 1, ['4 a … +2']],
    ['what was taken out', ['a'], 0, ['4 a']],
    ['nothing where blank lines went', ['', ' '], 0, []],
    ['nothing where nothing was', [], 2, []],
    ['the beginning of a long line', [long], 1, [`4 ${long.slice(0, 80)}`]],
  ] as const) {
    it(`F14 is ${what}`, () => {
      const behind = removedBeside({ after: { start: 4, count }, removed });
      assert.deepEqual(
        behind.map(({ line, text }) => `${line} ${text}`),
        shown,
      );
    });
  }
});
