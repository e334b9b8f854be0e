import { lineTotal, total } from './cart.js';
import { formatCents } from './money.js';

export function receipt(lines) {
  const rows = lines.map((line) => `${line.name}: ${formatCents(lineTotal(line))}`);
  return [...rows, `Total: ${formatCents(total(lines))}`].join('\n');
}
