import * as vscode from 'vscode';
import type { OpenConversations } from '../../../chat/open-conversations.ts';
import { type CreateSection, panelLine } from '../../../chat/panel-sections.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { type Contest, isDone } from '../core/contest.ts';
import type { ContestStore } from '../core/contest-store.ts';
import { headText, rowText, type Seen } from '../core/contest-words.ts';
import { opinionMicroUsd } from '../core/opinion.ts';

export interface ContestSectionDeps {
  contests: ContestStore;
  conversations: Pick<OpenConversations, 'get' | 'onDidChange'>;
  nameOf(model: string): string;
}

export const maxModels = 3;

export function seenNow({ contests, conversations, nameOf }: ContestSectionDeps, { id }: Contest): Seen {
  return {
    locale: vscode.env.language,
    nameOf,
    stateOf: (conversationId) => conversations.get(conversationId)?.state(),
    phaseOf: (entry) => contests.running.get(id)?.phases.get(entry),
  };
}

/** Shows where several models stand with one task, in the conversation of each of them: a line for all, and one for each. */
export function contestSections(deps: ContestSectionDeps): readonly CreateSection[] {
  const { contests } = deps;
  const head: CreateSection = ({ viewModel, run }) => {
    const at = () => contests.at(viewModel.conversation().id);
    const ask = (action: string) => () => run('svc.bestOf', { contest: at()?.id, action });
    return panelLine({
      line: 'contest',
      state() {
        const contest = at();
        if (contest === undefined) return undefined;
        const running = contests.running.get(contest.id);
        const state = { ...seenNow(deps, contest), isRunning: running !== undefined, base: running?.base === true };
        return {
          label: vscode.l10n.t('Several models'),
          icon: 'split',
          text: headText(contest, state),
          buttons: buttonsOf(contest, running !== undefined),
        };
      },
      actions: {
        goOn: ask('goOn'),
        stop: ask('stop'),
        compare: ask('compare'),
        table: ask('table'),
        opinion: ask('opinion'),
        removeOthers: ask('removeOthers'),
        dismiss: ask('dismiss'),
      },
      onDidChange: contests.onDidChange,
    });
  };
  const rows = Array.from(
    { length: maxModels },
    (_, number): CreateSection =>
      ({ viewModel, run }) => {
        const at = () => {
          const contest = contests.at(viewModel.conversation().id);
          const entry = contest?.entries[number];
          return contest && entry?.conversationId !== undefined ? { contest, entry } : undefined;
        };
        return panelLine({
          line: `contest.${number}`,
          state() {
            const found = at();
            if (found === undefined) return undefined;
            const { contest, entry } = found;
            const isShown = entry.conversationId === viewModel.conversation().id;
            return {
              label: deps.nameOf(entry.model),
              text: rowText(contest, entry, seenNow(deps, contest)),
              buttons: isShown ? [] : [{ action: 'open', label: vscode.l10n.t('Open') }],
            };
          },
          actions: { open: () => run('svc.openConversation', at()?.entry.conversationId) },
          // The figures of one that runs elsewhere.
          ...(number === 0 && { onDidChange: deps.conversations.onDidChange }),
        });
      },
  );
  return [head, ...rows];
}

type Action = 'goOn' | 'stop' | 'compare' | 'table' | 'opinion' | 'removeOthers' | 'dismiss';
type Button = { action: Action; label: string; primary?: true; icon?: 'close' };

function buttonsOf(contest: Contest, isRunning: boolean): Button[] {
  if (isRunning) return [{ action: 'stop', label: vscode.l10n.t('Stop All') }];
  const begun = contest.entries.filter(({ changes }) => changes !== undefined);
  const price = formatMicroUsd(opinionMicroUsd(contest), true, vscode.env.language);
  return [
    ...(isDone(contest) ? [] : [{ action: 'goOn', label: vscode.l10n.t('Continue'), primary: true } as const]),
    ...(begun.length < 2
      ? []
      : ([
          { action: 'compare', label: vscode.l10n.t('Compare') },
          { action: 'table', label: vscode.l10n.t('Table') },
          { action: 'opinion', label: vscode.l10n.t('Ask Which Is Better {0}', price) },
          { action: 'removeOthers', label: vscode.l10n.t('Remove Others') },
        ] as const)),
    { action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' },
  ];
}
