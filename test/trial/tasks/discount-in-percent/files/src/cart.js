import { roundCents } from './money.js';

/** A line has a price in cents, a quantity, and perhaps a discount in percent. */
export function total(lines) {
  return lines.reduce((sum, line) => sum + lineTotal(line), 0);
}

export function lineTotal({ price, quantity, discount = 0 }) {
  return roundCents(price * quantity - discount);
}
