import { parentPort, workerData } from 'node:worker_threads';

const { pattern, flags } = workerData as { pattern: string; flags: string };
const expression = new RegExp(pattern, flags);

parentPort?.on('message', (lines: readonly string[]) => {
  const hits: { line: number; column: number }[] = [];
  for (const [line, text] of lines.entries()) {
    const column = text.search(expression);
    if (column >= 0) hits.push({ line, column });
  }
  parentPort?.postMessage(hits);
});
