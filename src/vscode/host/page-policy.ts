/**
 * The policy allows nothing to be fetched, framed or submitted. Only the script with the nonce runs; images come from
 * our own folder (`own`) or from data that the host sent.
 */
export function pagePolicy(own: string, nonce: string): string {
  return [
    "default-src 'none'",
    `img-src ${own} data:`,
    `style-src ${own} 'nonce-${nonce}'`,
    `font-src ${own}`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
  ].join('; ');
}
