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

export function seenNow({ contests, conversations, nameOf }: ContestSectionDeps, { id }: Contest): Seen {
  return {
    locale: vscode.env.language,
    nameOf,
    stateOf: (conversationId) => conversations.get(conversationId)?.state(),
    phaseOf: (entry) => contests.running.get(id)?.phases.get(entry),
  };
}

/** Shows where several models stand with one task, in the conversation of each of them. */
export function contestSections(deps: ContestSectionDeps): readonly CreateSection[] {
  const { contests, conversations } = deps;
  const head: CreateSection = ({ viewModel, run }) => {
    const at = () => contests.at(viewModel.conversation().id);
    const ask = (action: string) => () => run('svc.bestOf', { contest: at()?.id, action });
    return panelLine({
      line: 'contest',
      state() {
        const contest = at();
        if (contest === undefined) return undefined;
        const running = contests.running.get(contest.id);
        const state = { isRunning: running !== undefined, base: running?.base === true };
        return {
          label: vscode.l10n.t('Several models'),
          icon: 'split',
          text: headText(contest, { ...seenNow(deps, contest), ...state }),
          buttons: buttonsOf(contest, running !== undefined),
        };
      },
      actions: {
        ...{ goOn: ask('goOn'), stop: ask('stop'), compare: ask('compare'), table: ask('table') },
        ...{ opinion: ask('opinion'), removeOthers: ask('removeOthers'), dismiss: ask('dismiss') },
      },
      onDidChange: contests.onDidChange,
    });
  };
  const models: CreateSection = ({ viewModel, run }) =>
    panelLine({
      line: 'contestModels',
      state() {
        const shown = viewModel.conversation().id;
        const contest = contests.at(shown);
        return contest?.entries.map((entry, at) => ({
          of: entry.conversationId ?? String(at),
          label: vscode.l10n.t('Models'),
          text: rowText(contest, entry, seenNow(deps, contest)),
          buttons:
            entry.conversationId === undefined || entry.conversationId === shown
              ? []
              : [{ action: 'open', label: vscode.l10n.t('Open') }],
        }));
      },
      actions: { open: (_page, id) => run('svc.openConversation', id) },
      // The figures of one that runs elsewhere change with its conversation.
      onDidChange: conversations.onDidChange,
    });
  return [head, models];
}

export const maxModels = 3;

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
          { action: 'removeOthers', label: vscode.l10n.t('Remove Others') },
          { action: 'opinion', label: vscode.l10n.t('Ask Which Is Better {0}', price) },
        ] as const)),
    { action: 'dismiss', label: vscode.l10n.t('Dismiss'), icon: 'close' },
  ];
}
