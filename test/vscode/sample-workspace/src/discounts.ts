const percentByVoucher: Record<string, number> = {
  WELCOME: 10,
  STAFF: 25,
};

/** The voucher's part of the amount, rounded to whole cents. An unknown voucher gives nothing. */
export function discountCents(amountCents: number, voucher?: string): number {
  const percent = voucher === undefined ? 0 : (percentByVoucher[voucher] ?? 0);
  return Math.round((amountCents * percent) / 100);
}
