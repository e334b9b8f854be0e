/**
 * Gives each number of a palette its class. The style sheet is made by script, so the page's policy need not allow
 * styles.
 */
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
