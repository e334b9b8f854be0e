/** Text that came over the network, as one line that is no markup on our pages. */
export function plainCell(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_[\]<>|!#&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
