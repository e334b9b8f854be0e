import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { unknownNames } from '../../../../src/features/inline/core/needs-reading.ts';

const known = 'src/cart.ts\nimport { Item } from "./item";\nfunction total(items: Item[]) {\n  return items.length;\n}';

describe('what an instruction names and nothing shows', () => {
  for (const [instruction, files, symbols] of [
    ['Use the rounding from src/money.ts', ['src/money.ts'], []],
    ['Same as in price_list.py, please.', ['price_list.py'], []],
    ['Call formatPrice for each item', [], ['formatPrice']],
    ['Use `round` here', [], ['round']],
    ['Throw a CartError when it is empty', [], ['CartError']],
    ['Log with write_log()', [], ['write_log']],
    ['Ruf formatPrice auf', [], ['formatPrice']],
  ] as const) {
    it(`F23 is looked for after ${JSON.stringify(instruction)}`, () => {
      assert.deepEqual(unknownNames(instruction, known), { files, symbols });
    });
  }

  for (const instruction of [
    'Handle an empty list',
    'Rename total to sumOfItems',
    'Rename it to `sum_all`',
    'Extract the loop into a function addPrices',
    'Add types',
    'Translate the comments to German',
    'Add a comment, e.g. about items.length',
    'Sort them like `items`',
    'Convert it from JavaScript to TypeScript, as Node.js does',
    'Turn total() into an arrow function',
    'As src/cart.ts says at its top',
    'Nenne total in sumOfItems um',
  ]) {
    it(`F23 nothing is, after ${JSON.stringify(instruction)}`, () => {
      assert.deepEqual(unknownNames(instruction, known), { files: [], symbols: [] });
    });
  }
});
