/** An amount as a customer reads it, such as `€ 9.50`. */
export function formatPrice(cents: number): string {
  return `€ ${cents / 100}`;
}
