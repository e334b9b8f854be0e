import { discountCents } from './discounts.ts';
import { shippingCents } from './shipping.ts';

export interface Item {
  name: string;
  priceCents: number;
  quantity: number;
}

export interface Total {
  itemsCents: number;
  discountCents: number;
  shippingCents: number;
  totalCents: number;
}

/** What the customer pays. Shipping depends on what the items cost before the voucher. */
export function totalOf(items: readonly Item[], voucher?: string): Total {
  const itemsCents = items.reduce((sum, item) => sum + item.priceCents * item.quantity, 0);
  const discount = discountCents(itemsCents, voucher);
  const shipping = shippingCents(itemsCents);
  return {
    itemsCents,
    discountCents: discount,
    shippingCents: shipping,
    totalCents: itemsCents - discount + shipping,
  };
}
