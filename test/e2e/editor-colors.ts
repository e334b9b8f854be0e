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

/** What a line is marked with besides a background, as the page computed it: high contrast has none. */
export interface LineMark {
  /** Sides with a border that is to be seen. */
  borders: readonly string[];
  /** Whether a sign of ours is in the margin. */
  isInMargin: boolean;
}

/** Of the first line in view that says this. */
export function markOfLine(page: Page, text: string): Promise<LineMark | undefined> {
  return page.evaluate((wanted) => {
    const editor = document.querySelector('.editor-group-container.active .monaco-editor');
    const topOf = (node: Element | undefined) => (node instanceof HTMLElement ? node.style.top : '');
    const line = [...(editor?.querySelectorAll('.view-line') ?? [])].find((one) =>
      (one.textContent ?? '').replaceAll('\u00a0', ' ').startsWith(wanted),
    );
    if (line === undefined) return undefined;
    const rows = [...(editor?.querySelectorAll('.view-overlays > div') ?? [])];
    const row = rows.find((one) => topOf(one) === topOf(line));
    const own = [...(row?.querySelectorAll('[class*="TextEditorDecorationType"]') ?? [])];
    const styles = own.map((node) => getComputedStyle(node));
    const isSeen = (color: string) => !/^(?:transparent|rgba\(.*, 0\))$/.test(color);
    const sides = ['top', 'right', 'bottom', 'left'].filter((side) =>
      styles.some(
        (style) =>
          style.getPropertyValue(`border-${side}-width`) !== '0px' &&
          style.getPropertyValue(`border-${side}-style`) !== 'none' &&
          isSeen(style.getPropertyValue(`border-${side}-color`)),
      ),
    );
    const middle = ({ top, bottom }: DOMRect) => (top + bottom) / 2;
    const { top, bottom } = line.getBoundingClientRect();
    const icons = [...(editor?.querySelectorAll('.margin [class*="TextEditorDecorationType"]') ?? [])]
      .filter((node) => middle(node.getBoundingClientRect()) > top && middle(node.getBoundingClientRect()) < bottom)
      .map((node) => getComputedStyle(node).backgroundImage);
    return { borders: sides, isInMargin: icons.some((image) => image.startsWith('url("data:image/svg')) };
  }, text);
}
