import type { ServiceModel } from '../contract.ts';
import type { BoardEntry, CapacityBoard } from '../step/capacity-board.ts';
import type { Learned } from '../step/learned.ts';
import { factsMarkdown } from './capabilities.ts';
import { plainCell } from './plain-cell.ts';

export interface ModelsPageInput {
  models: readonly ServiceModel[];
  learned: Learned;
  board: CapacityBoard;
  /** Models in the order in which they are tried. */
  order: readonly string[];
  /** The user's own order is in force, not the board's. */
  orderIsSet: boolean;
  /** A time as the user reads it. */
  formatTime(epochMs: number): string;
}

const words: Record<BoardEntry['outcome'], string> = {
  answered: 'answered',
  capacity: 'at capacity',
  failed: 'failed',
  empty: 'empty reply',
};

/** What this machine has seen and learned of each model. Made of what was asked anyway. */
export function modelsMarkdown(input: ModelsPageInput): string {
  const { models, board, order, orderIsSet, learned } = input;
  const listed = new Set(models.map(({ id }) => id));
  const gone = board.models().filter((id) => !listed.has(id));
  const rows = [
    ...models.map(({ id, name }) => boardRow(input, id, name)),
    ...gone.map((id) => boardRow(input, id, 'not in the current list')),
  ];
  const why = orderIsSet
    ? 'This is your own order (`svc.fallback.models`).'
    : 'No order is set (`svc.fallback.models` is empty). The fastest models come first; models that were at capacity in the last 15 minutes come last.';
  return [
    '# Models',
    '',
    'All models cost 0.33 USD per 1M tokens. The figures come from your last 20 requests to each model on this machine. No extra requests were sent to collect them.',
    '',
    '| Model | Seen here |',
    '|---|---|',
    ...rows,
    '',
    '## Fallback order',
    '',
    order.map((id) => plainCell(id)).join(' → '),
    '',
    why,
    '',
    ...factsMarkdown(learned),
  ].join('\n');
}

function boardRow({ board, formatTime }: ModelsPageInput, id: string, name: string): string {
  const summary = board.summary(id);
  const seen =
    summary === undefined
      ? ['not used yet']
      : [
          `${words[summary.last.outcome]}, ${formatTime(summary.last.at)}`,
          ...(summary.waitMs === undefined ? [] : [`first words after ${(summary.waitMs / 1000).toFixed(1)} s`]),
          ...(summary.tokensPerSecond === undefined ? [] : [`${Math.round(summary.tokensPerSecond)} tokens/s`]),
          ...(summary.refusals === 0 ? [] : [`at capacity ${summary.refusals} × in 24 h`]),
        ];
  return `| **${plainCell(name)}**<br>${plainCell(id)} | ${plainCell(seen.join(' · '))} |`;
}
