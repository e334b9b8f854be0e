import { visibleText } from './visible-text.ts';

/** Lines of a group are laid out together, so that growing code costs one group in a frame, not the block. */
const linesPerGroup = 16;

/** Draws code line by line. It writes only text nodes and spans with fixed class names. */
export interface CodeLines {
  /** Draws `code` by changing only what differs. Returns how many lines stayed unchanged. */
  update(code: string): number;
  count(): number;
  text(from: number, to: number): string;
  /** Colors lines from `from` on; each line alternates length and style, as `codeColors` sends it. */
  color(from: number, lines: readonly (readonly number[])[]): void;
  clear(): void;
}

export function createCodeLines(box: HTMLElement): CodeLines {
  let drawn = '';
  const starts: number[] = [];
  const nodes: ChildNode[] = [];
  if (box.firstChild) box.replaceChildren();

  const lineAt = (index: number) => drawn.slice(starts[index] ?? 0, starts[index + 1] ?? drawn.length);
  const keep = (lines: number) => {
    for (const node of nodes.splice(lines)) node.remove();
    starts.length = lines;
    const groups = Math.ceil(lines / linesPerGroup);
    while (box.childElementCount > groups) box.lastElementChild?.remove();
  };
  const append = (text: string) => {
    if (nodes.length % linesPerGroup === 0) {
      const group = document.createElement('span');
      group.className = 'lines';
      box.append(group);
    }
    const node = document.createTextNode(visibleText(text));
    box.lastElementChild?.append(node);
    nodes.push(node);
  };
  const draw = (from: number) => {
    for (let start = from; ; ) {
      const end = drawn.indexOf('\n', start);
      starts.push(start);
      append(drawn.slice(start, end < 0 ? undefined : end + 1));
      if (end < 0) return;
      start = end + 1;
    }
  };
  const replace = (index: number, node: ChildNode) => {
    nodes[index]?.replaceWith(node);
    nodes[index] = node;
  };
  /** The last line grows in its own text node, so that a selection in it survives. */
  const growLast = (code: string): boolean => {
    const node = nodes.at(-1);
    if (!(node instanceof Text) || !code.startsWith(drawn)) return false;
    const end = code.indexOf('\n', drawn.length);
    const line = visibleText(code.slice(starts.at(-1), end < 0 ? undefined : end + 1));
    if (!line.startsWith(node.data)) return false;
    node.appendData(line.slice(node.data.length));
    drawn = code;
    if (end >= 0) draw(end + 1);
    return true;
  };
  return {
    update(code) {
      const before = nodes.length;
      if (code === drawn && before > 0) return before;
      if (growLast(code)) return before - 1;
      const common = code.startsWith(drawn) ? drawn.length : drawn.startsWith(code) ? code.length : 0;
      let kept = Math.max(0, before - 1);
      while (kept > 0 && (starts[kept] ?? 0) > common) kept--;
      const from = starts[kept] ?? 0;
      drawn = code;
      keep(kept);
      draw(from);
      return kept;
    },
    count: () => nodes.length,
    text: (from, to) =>
      drawn.slice(starts[from] ?? drawn.length, starts[to] === undefined ? undefined : starts[to] - 1),
    color(from, lines) {
      for (const [offset, runs] of lines.entries()) {
        const index = from + offset;
        if (runs.length === 0 || index >= nodes.length) continue;
        const line = lineAt(index);
        // Where characters are spelled out, positions in the code are not those on the screen.
        if (visibleText(line) === line) replace(index, coloredLine(line, runs));
      }
    },
    clear() {
      for (const [index, node] of nodes.entries()) {
        if (node.nodeType === Node.ELEMENT_NODE) replace(index, document.createTextNode(visibleText(lineAt(index))));
      }
    },
  };
}

/** Text that no run covers, such as the newline, follows uncolored, so no text is ever lost. */
function coloredLine(line: string, runs: readonly number[]): HTMLElement {
  const element = document.createElement('span');
  let at = 0;
  for (let index = 0; index < runs.length && at < line.length; index += 2) {
    const text = line.slice(at, at + (runs[index] ?? 0));
    at += text.length;
    element.append(coloredRun(text, runs[index + 1] ?? 0));
  }
  if (at < line.length) element.append(line.slice(at));
  return element;
}

const fontStyles = ['italic', 'bold', 'underline', 'strike'];

function coloredRun(text: string, style: number): HTMLElement | string {
  // Color on white space cannot be seen; it is half of all runs.
  if (style === 0 || (style < 32 * 16 && style % 16 === 0 && text.trim() === '')) return text;
  const run = document.createElement('span');
  const names = fontStyles.filter((_, bit) => style & (1 << bit));
  run.className = [`color-${style >> 4}`, ...names].join(' ');
  run.textContent = text;
  return run;
}
