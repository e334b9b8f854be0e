const freeFromCents = 4900;
const standardCents = 490;

/** Shipping is free from 49 euros on; an empty cart ships nothing. */
export function shippingCents(itemsCents: number): number {
  if (itemsCents === 0 || itemsCents >= freeFromCents) return 0;
  return standardCents;
}
