/** Gives each number of a palette its class. The sheet is made by script, so no style needs to be allowed in the page. */
export function createPalette(): (colors: readonly string[]) => void {
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  let current = '';
  return (colors) => {
    const rules = colors
      .map((color, number) => (color === '' ? '' : `.color-${number} { color: ${color}; }`))
      .join('\n');
    if (rules === current) return;
    current = rules;
    sheet.replaceSync(rules);
  };
}
