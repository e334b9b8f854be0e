import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineTotal, total } from './src/cart.js';
import { receipt } from './src/receipt.js';

test('a discount is in percent of the line', () => {
  assert.equal(lineTotal({ price: 1000, quantity: 3, discount: 10 }), 2700);
  assert.equal(lineTotal({ price: 999, quantity: 1, discount: 15 }), 849);
  assert.equal(lineTotal({ price: 250, quantity: 2 }), 500);
  assert.equal(total([{ price: 200, quantity: 1, discount: 50 }, { price: 5, quantity: 1 }]), 105);
});

test('the receipt stays as it was', () => {
  assert.equal(receipt([{ name: 'Tea', price: 450, quantity: 2 }]), 'Tea: 9.00\nTotal: 9.00');
});
