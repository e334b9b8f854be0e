import * as l10n from '@vscode/l10n';
import { type ChatState, waitsForUser } from '../../../shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { Contest, Entry, Phase, TestRun } from './contest.ts';
import { usageOf } from './figures.ts';
import { clockText } from './model-record.ts';
import { verdictOf } from './test-result.ts';

export interface Seen {
  locale: string;
  nameOf(model: string): string;
  stateOf(conversationId: string): ChatState | undefined;
  phaseOf(entry: Entry): Phase | undefined;
}

export type Cells = Record<'tests' | 'changes' | 'requests' | 'price' | 'time' | 'ended', string>;

export function cellsOf({ base, test }: Contest, one: Entry, seen: Seen): Cells {
  const { changes, problem, conversationId } = one;
  const phase = seen.phaseOf(one);
  const live = phase === 'works' && conversationId !== undefined ? seen.stateOf(conversationId) : undefined;
  const figures = live ? usageOf(live, one.model) : one.ended;
  const files = changes && (changes.files === 1 ? l10n.t('1 file') : l10n.t('{0} files', changes.files));
  const hunks = changes && (changes.hunks === 1 ? l10n.t('1 hunk') : l10n.t('{0} hunks', changes.hunks));
  const requests = figures?.requests ?? 0;
  return {
    tests: phase === 'tests' ? l10n.t('testing') : test === undefined ? '' : testsText(one, `${runText(base)} → `),
    changes: changes === undefined ? '' : changes.files === 0 ? l10n.t('nothing changed') : `${files}, ${hunks}`,
    requests: requests === 0 ? '' : requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', requests),
    price: figures && figures.microUsd > 0 ? formatMicroUsd(figures.microUsd, figures.estimated, seen.locale) : '',
    time: one.ended ? clockText(one.ended.ms) : '',
    ended: problem ?? (live && waitsForUser(live) ? l10n.t('needs you') : endText(one, phase, seen)),
  };
}

function endText({ ended, conversationId }: Entry, phase: Phase | undefined, { nameOf }: Seen): string {
  if (phase === 'works') return l10n.t('working');
  if (phase === 'waits') return l10n.t('queued');
  if (ended === undefined)
    return conversationId === undefined ? l10n.t('not started') : l10n.t('interrupted when the window closed');
  const helped = ended.others.length === 0 ? '' : ` · ${l10n.t('with {0}', ended.others.map(nameOf).join(', '))}`;
  const words: Record<typeof ended.outcome, () => string> = {
    finished: () => l10n.t('finished'),
    stopped: () => l10n.t('stopped'),
    limit: () => (ended.why === 'over-budget' ? l10n.t('limit reached') : l10n.t('stopped at a limit')),
    failed: () => (ended.why?.startsWith('capacity') ? l10n.t('at capacity') : l10n.t('failed')),
    interrupted: () => l10n.t('interrupted'),
  };
  return words[ended.outcome]() + helped;
}

function testsText({ own, held, changes, ended }: Entry, before = ''): string {
  if (own === undefined) return ended ? l10n.t('tests not run') : '';
  const move = before + runText(held ?? own);
  if (held === undefined) return move;
  const names = changes?.tests.join(', ') ?? '';
  return `${move} · ${l10n.t('changed {0}, with that: {1}', names, runText(own))}`;
}

export function runText(run: TestRun | undefined): string {
  if (run?.exitCode === undefined) return '?';
  if (run.exitCode === 0) return l10n.t('green');
  return run.failed === undefined || run.failed === 0 ? l10n.t('red') : l10n.t('{0} red', run.failed);
}

export function headText(contest: Contest, seen: Seen & { isRunning: boolean; base: boolean }): string {
  const { entries, test, base } = contest;
  const cells = entries.map((one) => cellsOf(contest, one, seen));
  const spent = entries.reduce((sum, one) => sum + microUsdOf(one, seen), 0);
  const price =
    spent > 0
      ? [
          formatMicroUsd(
            spent,
            entries.some(({ ended }) => ended?.estimated),
            seen.locale,
          ),
        ]
      : [];
  const models = l10n.t('{0} models', entries.length);
  if (seen.base) return [models, l10n.t('testing before the task')].join(' · ');
  const done = entries.filter((one) => one.ended && seen.phaseOf(one) === undefined).length;
  if (seen.isRunning) return [models, l10n.t('{0} done', done), ...price].join(' · ');
  if (cells.every(({ ended }) => ended === l10n.t('not started'))) return [models, l10n.t('not started')].join(' · ');
  const green = entries.filter(isGreen(contest)).length;
  const passed = l10n.t('Tests passed by {0} of {1} models', green, entries.length);
  const isTested = test !== undefined && entries.some(({ own }) => own);
  return [...(isTested ? [passed, l10n.t('before: {0}', runText(base))] : [models]), ...price].join(' · ');
}

function microUsdOf(one: Entry, { stateOf, phaseOf }: Seen): number {
  const live = phaseOf(one) === 'works' && one.conversationId !== undefined ? stateOf(one.conversationId) : undefined;
  return live ? usageOf(live, one.model).microUsd : (one.ended?.microUsd ?? 0);
}

export const isGreen =
  ({ base }: Pick<Contest, 'base'>) =>
  ({ own, held }: Entry): boolean =>
    verdictOf(base, held ?? own) === 'green';

export function rowText(contest: Contest, one: Entry, seen: Seen): string {
  const { ended, tests, changes, price } = cellsOf(contest, one, seen);
  // The line for all says how it was before, and this one is short.
  const now = seen.phaseOf(one) === undefined && contest.test !== undefined ? testsText(one) : tests;
  const end = one.ended?.outcome === 'finished' && ended === l10n.t('finished') ? '' : ended;
  return [seen.nameOf(one.model), now, changes, price, end].filter((cell) => cell !== '').join(' · ');
}

/** The whole table as a page, with what the tests printed where they are red. */
export function contestMarkdown(contest: Contest, seen: Seen): string {
  const { task, test, base, entries } = contest;
  const cell = (text: string) => text.replaceAll('|', '\\|').replace(/\s+/g, ' ');
  const heads = [
    ...[l10n.t('Model'), l10n.t('Tests'), l10n.t('Changes'), l10n.t('Requests')],
    ...[l10n.t('Price'), l10n.t('Time'), l10n.t('End')],
  ];
  const rows = entries.map((one) => [`**${seen.nameOf(one.model)}**`, ...Object.values(cellsOf(contest, one, seen))]);
  const runs = [
    { title: l10n.t('Before the task'), run: base },
    ...entries.flatMap((one) => [
      { title: seen.nameOf(one.model), run: one.own },
      { title: l10n.t('{0}, with the earlier tests', seen.nameOf(one.model)), run: one.held },
    ]),
  ];
  const printed = runs.flatMap(({ title, run }) =>
    run === undefined || run.exitCode === 0 ? [] : ['', `## ${title}`, '', ...fenced(run.said)],
  );
  return [
    `# ${l10n.t('Several Models on One Task')}`,
    '',
    ...fenced(task),
    '',
    test === undefined
      ? l10n.t('No tests were run.')
      : l10n.t('Tests: {0}, run in a fresh copy in the sandbox.', `\`${cell(test)}\``),
    '',
    `| ${heads.join(' | ')} |`,
    `|${heads.map(() => '---').join('|')}|`,
    ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    ...printed,
  ].join('\n');
}

function fenced(text: string): string[] {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length));
  const fence = '`'.repeat(longest + 1);
  return [fence, text.trim() || l10n.t('[no output]'), fence];
}
