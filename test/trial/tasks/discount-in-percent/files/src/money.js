/** Half a cent is rounded up. */
export function roundCents(cents) {
  return Math.floor(cents + 0.5);
}

export function formatCents(cents) {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
}
