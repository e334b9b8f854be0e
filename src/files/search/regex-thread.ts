import { parentPort, workerData } from 'node:worker_threads';

const { pattern, flags } = workerData as { pattern: string; flags: string };
const expression = new RegExp(pattern, flags);

function* columnsIn(lines: readonly string[]): Generator<[line: number, column: number]> {
  if (!expression.global) {
    for (const [line, text] of lines.entries()) yield [line, text.search(expression)];
    return;
  }
  let [line, start] = [0, 0];
  const endOfLine = () => start + (lines[line] ?? '').length;
  for (const { index, 0: found } of lines.join('\n').matchAll(expression)) {
    for (; line < lines.length && start < Math.max(index + 1, index + found.length); line++) {
      if (endOfLine() >= index) yield [line, Math.max(0, index - start)];
      start = endOfLine() + 1;
    }
  }
}

parentPort?.on('message', (lines: readonly string[]) => {
  const hits = [...columnsIn(lines)].flatMap(([line, column]) => (column < 0 ? [] : [{ line, column }]));
  parentPort?.postMessage(hits);
});
