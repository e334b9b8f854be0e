import type { Page } from 'playwright-core';

/** What the active editor shows of a line: its text, and whether it is drawn as added, or as the one below removed lines. */
export interface DrawnLine {
  text: string;
  mark?: 'added' | 'removed above';
}

/** The lines that are in view, from the top, with the colours that an extension gave them, as the page computed them. */
export function drawnLines(page: Page): Promise<DrawnLine[]> {
  return page.evaluate(() => {
    const editor = document.querySelector('.editor-group-container.active .monaco-editor');
    const topOf = (node: Element) => (node instanceof HTMLElement ? node.style.top : '');
    const markOf = (overlay: Element | undefined) => {
      const own = [...(overlay?.querySelectorAll('[class*="TextEditorDecorationType"]') ?? [])].map((node) =>
        getComputedStyle(node),
      );
      if (own.some(({ borderTopWidth }) => borderTopWidth !== '0px')) return 'removed above' as const;
      return own.some(({ backgroundColor }) => !/^(?:transparent|rgba\(0, 0, 0, 0\))$/.test(backgroundColor))
        ? ('added' as const)
        : undefined;
    };
    const overlays = new Map(
      [...(editor?.querySelectorAll('.view-overlays > div') ?? [])].map((overlay) => [topOf(overlay), overlay]),
    );
    const pixels = (top: string) => Number.parseFloat(top);
    return [...(editor?.querySelectorAll('.view-line') ?? [])]
      .sort((one, other) => pixels(topOf(one)) - pixels(topOf(other)))
      .map((line) => {
        const mark = markOf(overlays.get(topOf(line)));
        return { text: (line.textContent ?? '').replaceAll('\u00a0', ' '), ...(mark && { mark }) };
      });
  });
}
