import * as vscode from 'vscode';
import type { BoardSummary, CapacityBoard } from '../service/capacity-board.ts';
import type { Learned, ModelFacts } from '../service/learned.ts';
import { nearestModelId } from '../service/models.ts';
import { describeFailure } from '../shared/failure-text.ts';
import { priceText } from '../shared/money.ts';
import type { ModelDirectory } from './model-directory.ts';

/** What this machine has seen and learned of the models. */
interface ModelsSeen {
  learned: Learned;
  board: Pick<CapacityBoard, 'summary'>;
}

interface ModelRow extends vscode.QuickPickItem {
  id?: string;
}

/**
 * Opens at once from the list at hand and refreshes it while open (free, no key). Resolves to the chosen id, or
 * undefined. The current id stays visible when the service no longer lists it (S3, S27).
 */
export function pickModel(directory: ModelDirectory, seen: ModelsSeen, current: string): Promise<string | undefined> {
  const picker = vscode.window.createQuickPick<ModelRow>();
  picker.title = vscode.l10n.t('Select Model');
  picker.placeholder = vscode.l10n.t('All models {0}', priceText);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  const draw = () => {
    picker.items = modelRows(directory, seen, current);
    picker.activeItems = picker.items.filter((row) => row.id === current).slice(0, 1);
  };
  draw();
  const stop = new AbortController();
  picker.busy = true;
  void directory.refresh(stop.signal).then((failure) => {
    if (stop.signal.aborted) return;
    picker.busy = false;
    if (failure) {
      const title = describeFailure(failure, directory.nameOf).title;
      picker.placeholder = directory.fromService()
        ? vscode.l10n.t('{0}: this is the last list that it gave', title)
        : vscode.l10n.t('{0}: these are the models that it publishes', title);
    }
    draw();
  });
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const chosen = picker.selectedItems[0]?.id;
      resolve(chosen);
      picker.hide();
    });
    picker.onDidHide(() => {
      stop.abort();
      picker.dispose();
      resolve(undefined);
    });
    picker.show();
  });
}

function modelRows(directory: ModelDirectory, { learned, board }: ModelsSeen, current: string): ModelRow[] {
  const rows = directory.models().map(
    (model): ModelRow => ({
      id: model.id,
      label: model.name,
      description: model.id === current ? vscode.l10n.t('{0} · current', model.id) : model.id,
      detail: [...boardWords(board.summary(model.id)), factsLine(learned.get(model.id))].join(' · '),
    }),
  );
  if (current !== '' && !directory.ids().includes(current)) {
    const nearest = nearestModelId(current, directory.ids());
    rows.unshift({
      id: current,
      label: `$(warning) ${current}`,
      description: vscode.l10n.t('not in the current list'),
      detail: nearest === undefined ? undefined : vscode.l10n.t('Did you mean {0}?', nearest),
    });
  }
  return rows;
}

/** What this machine has learned, in fixed words; "not confirmed" where the service publishes nothing. */
function factsLine(facts: ModelFacts): string {
  const word = (fact: { works: boolean; at: string } | undefined) =>
    fact === undefined
      ? vscode.l10n.t('not confirmed')
      : fact.works
        ? vscode.l10n.t('worked {0}', shortDate(fact.at))
        : vscode.l10n.t('refused {0}', shortDate(fact.at));
  return [
    vscode.l10n.t('Images: {0}', word(facts.images)),
    vscode.l10n.t('Tools: {0}', word(facts.tools)),
    vscode.l10n.t('Streaming: {0}', word(facts.streaming)),
  ].join(' · ');
}

/** U8: how the last request to it went, when that was lately. */
function boardWords(summary: BoardSummary | undefined): string[] {
  if (summary === undefined) return [];
  const { last, refusals } = summary;
  const words: string[] = [];
  if (last.outcome === 'answered') words.push(vscode.l10n.t('Last reply {0} s', (last.durationMs / 1000).toFixed(1)));
  if (last.outcome === 'failed') words.push(vscode.l10n.t('Last request failed'));
  if (refusals > 0) words.push(vscode.l10n.t('At capacity {0}× in 24 h', refusals));
  return words;
}

function shortDate(iso: string): string {
  return new Intl.DateTimeFormat(vscode.env.language, { day: 'numeric', month: 'short' }).format(new Date(iso));
}
