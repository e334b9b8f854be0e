import * as vscode from 'vscode';
import { disposeAll } from '../../../base/emitter.ts';
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
export const contestSection =
  (deps: ContestSectionDeps): CreateSection =>
  ({ viewModel, run }) => {
    const { contests, conversations } = deps;
    const at = () => contests.at(viewModel.conversation().id);
    const ask = (action: string) => () => run('svc.bestOf', { contest: at()?.id, action });
    const open = (number: number) => () => run('svc.openConversation', at()?.entries[number]?.conversationId);
    return panelLine<Action>({
      line: 'contest',
      state() {
        const contest = at();
        if (contest === undefined) return undefined;
        const running = contests.running.get(contest.id);
        const seen = seenNow(deps, contest);
        const shown = viewModel.conversation().id;
        return {
          label: vscode.l10n.t('Several models'),
          icon: 'split',
          text: headText(contest, { ...seen, isRunning: running !== undefined, base: running?.base === true }),
          buttons: buttonsOf(contest, running !== undefined),
          rows: contest.entries.map((entry, number) => {
            const label = vscode.l10n.t('Open');
            const action = opening[number];
            const isElsewhere = entry.conversationId !== undefined && entry.conversationId !== shown;
            return {
              text: rowText(contest, entry, seen),
              ...(isElsewhere && action && { button: { action, label, name: `${label} ${deps.nameOf(entry.model)}` } }),
            };
          }),
        };
      },
      actions: {
        ...{ open0: open(0), open1: open(1), open2: open(2) },
        ...{ goOn: ask('goOn'), stop: ask('stop'), compare: ask('compare'), table: ask('table') },
        ...{ opinion: ask('opinion'), removeOthers: ask('removeOthers'), dismiss: ask('dismiss') },
      },
      onDidChange(listener) {
        // The figures of one that runs elsewhere change with its conversation.
        const listening = [contests.onDidChange(listener), conversations.onDidChange(listener)];
        return { dispose: () => disposeAll(listening) };
      },
    });
  };

const opening = ['open0', 'open1', 'open2'] as const;
export const maxModels = opening.length;

type Action = (typeof opening)[number] | 'goOn' | 'stop' | 'compare' | 'table' | 'opinion' | 'removeOthers' | 'dismiss';
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
