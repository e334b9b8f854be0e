/** Escapes text that came over the network and puts it on one line, so that it is no markup on our pages. */
export function plainCell(text: string): string {
  return text.replace(/[\r\n]+/g, ' ').replace(/[\\`*_[\]<>|!#&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
