import assert from 'node:assert/strict';
import { test } from 'node:test';
import { totalOf } from '../src/cart.ts';

test('adds shipping to a small order', () => {
  const total = totalOf([{ name: 'Tea', priceCents: 350, quantity: 2 }]);
  assert.equal(total.totalCents, 700 + 490);
});

test('takes the voucher off before shipping is added', () => {
  const total = totalOf([{ name: 'Kettle', priceCents: 4000, quantity: 1 }], 'WELCOME');
  assert.equal(total.totalCents, 4000 - 400 + 490);
});
