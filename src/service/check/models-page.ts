import * as l10n from '@vscode/l10n';
import type { ServiceModel } from '../contract.ts';
import type { BoardEntry, CapacityBoard } from '../step/capacity-board.ts';
import type { Learned } from '../step/learned.ts';
import { factsMarkdown } from './facts-page.ts';
import { plainCell } from './plain-cell.ts';

export interface ModelsPageInput {
  models: readonly ServiceModel[];
  learned: Learned;
  board: CapacityBoard;
  onProject(id: string): string | undefined;
  order: readonly string[];
  orderIsSet: boolean;
  formatTime(epochMs: number): string;
}

const words: Record<BoardEntry['outcome'], () => string> = {
  answered: () => l10n.t('answered'),
  capacity: () => l10n.t('at capacity'),
  failed: () => l10n.t('failed'),
  empty: () => l10n.t('empty reply'),
};

export function modelsMarkdown(input: ModelsPageInput): string {
  const { models, board, order, orderIsSet, learned } = input;
  const listed = new Set(models.map(({ id }) => id));
  const gone = board.models().filter((id) => !listed.has(id));
  const rows = [
    ...models.map(({ id, name }) => boardRow(input, id, name)),
    ...gone.map((id) => boardRow(input, id, l10n.t('not in the current list'))),
  ];
  const why = orderIsSet
    ? l10n.t('This is your own order (`svc.fallback.models`).')
    : l10n.t(
        'No order is set (`svc.fallback.models` is empty). Fastest first; models that were at capacity in the last 15 minutes come last.',
      );
  return [
    `# ${l10n.t('Models')}`,
    '',
    l10n.t(
      'All models cost 0.33 USD per 1M tokens. The figures come from your last 20 requests to each model on this machine. No extra requests were sent to collect them.',
    ),
    '',
    `| ${l10n.t('Model')} | ${l10n.t('Seen here')} |`,
    '|---|---|',
    ...rows,
    '',
    `## ${l10n.t('Fallback order')}`,
    '',
    order.map((id) => plainCell(id)).join(' → '),
    '',
    why,
    '',
    l10n.t('A single provider runs all models, so all can be full at once.'),
    '',
    ...factsMarkdown(learned),
  ].join('\n');
}

function boardRow({ board, onProject, formatTime }: ModelsPageInput, id: string, name: string): string {
  const summary = board.summary(id);
  const seen =
    summary === undefined
      ? [l10n.t('not used yet')]
      : [
          `${words[summary.last.outcome]()}, ${formatTime(summary.last.at)}`,
          ...(summary.waitMs === undefined
            ? []
            : [l10n.t('first words after {0} s', (summary.waitMs / 1000).toFixed(1))]),
          ...(summary.tokensPerSecond === undefined
            ? []
            : [l10n.t('{0} tokens/s', Math.round(summary.tokensPerSecond))]),
          ...(summary.refusals === 0 ? [] : [l10n.t('At capacity {0}× in 24 h', summary.refusals)]),
        ];
  const project = onProject(id);
  const below = project === undefined ? '' : `<br>${plainCell(project)}`;
  return `| **${plainCell(name)}**<br>${plainCell(id)} | ${plainCell(seen.join(' · '))}${below} |`;
}
