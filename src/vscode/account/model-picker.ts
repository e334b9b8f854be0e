import * as vscode from 'vscode';
import type { ServiceClient } from '../../service/contract.ts';
import { nearestModelId } from '../../service/models.ts';
import type { CapacityBoard, CapacitySummary } from '../../service/step/capacity-board.ts';
import type { Learned, ModelFacts } from '../../service/step/learned.ts';
import { describeFailure } from '../../shared/failure/failure-text.ts';
import { priceText } from '../../shared/money.ts';
import type { ModelDirectory } from './model-directory.ts';

interface KnownModels {
  models: ModelDirectory;
  client: Pick<ServiceClient, 'listModels'>;
  learned: Learned;
  board: Pick<CapacityBoard, 'summary' | 'models'>;
}

interface ModelRow extends vscode.QuickPickItem {
  id?: string;
}

const copyButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('copy'),
  tooltip: vscode.l10n.t('Copy ID'),
});
const defaultButton = (): vscode.QuickInputButton => ({
  iconPath: new vscode.ThemeIcon('pin'),
  tooltip: vscode.l10n.t('Set as Default for This Workspace'),
});
const mostRecent = 3;
const shownMs = 3000;
const focusSettlesMs = 2000;

/**
 * Opens at once with the known list and refreshes it while open, which is free and needs no key. The current id stays
 * visible when the service no longer lists it; with `another`, the first of the other models is active. Resolves with
 * the chosen id, or undefined.
 */
export function pickModel(known: KnownModels, current: string, wanted?: 'another'): Promise<string | undefined> {
  const { models: directory, client } = known;
  const picker = vscode.window.createQuickPick<ModelRow>();
  picker.title = vscode.l10n.t('Select Model');
  picker.placeholder = vscode.l10n.t('All models {0}', priceText);
  picker.matchOnDescription = true;
  picker.matchOnDetail = true;
  picker.keepScrollPosition = true;
  // The palette gives the focus back to the page it was in, which takes it a moment later: that must not close what came since.
  picker.ignoreFocusOut = true;
  const focusSettled = setTimeout(() => {
    picker.ignoreFocusOut = false;
  }, focusSettlesMs);
  const buttons = { copy: copyButton(), makeDefault: defaultButton() };
  const draw = (active?: string) => {
    picker.items = modelRows(known, current).map((row) => (row.id === undefined ? row : withButtons(row, buttons)));
    const isInFront = ({ id }: ModelRow) =>
      active === undefined && wanted === 'another' ? id !== undefined && id !== current : id === (active ?? current);
    picker.activeItems = picker.items.filter(isInFront).slice(0, 1);
  };
  draw();
  picker.onDidTriggerItemButton(async ({ item: { id }, button }) => {
    if (id === undefined) return;
    if (button === buttons.copy) {
      await vscode.env.clipboard.writeText(id);
      vscode.window.setStatusBarMessage(vscode.l10n.t('Copied {0}', id), shownMs);
      return;
    }
    await vscode.workspace.getConfiguration('svc').update('model', id, vscode.ConfigurationTarget.Workspace);
    draw(id);
  });
  const stop = new AbortController();
  picker.busy = true;
  void directory.refresh(client.listModels, stop.signal).then((failure) => {
    if (stop.signal.aborted) return;
    picker.busy = false;
    if (failure) {
      const title = describeFailure(failure, directory.nameOf).title;
      picker.placeholder = directory.fromService()
        ? vscode.l10n.t('{0}. Showing the last list from the service.', title)
        : vscode.l10n.t('{0}. Showing the models that the service publishes.', title);
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
      clearTimeout(focusSettled);
      stop.abort();
      picker.dispose();
      resolve(undefined);
    });
    picker.show();
  });
}

function withButtons(row: ModelRow, { copy, makeDefault }: Record<'copy' | 'makeDefault', vscode.QuickInputButton>) {
  // Without a folder there is no workspace to keep it in.
  return { ...row, buttons: vscode.workspace.workspaceFolders ? [copy, makeDefault] : [copy] };
}

function modelRows(known: KnownModels, current: string): ModelRow[] {
  const { models: directory, board } = known;
  const rows = directory.models().map(({ id, name }) => modelRow(id, name, known, current));
  const used = board.models().toReversed();
  const recent = used.flatMap((id) => rows.filter((row) => row.id === id)).slice(0, mostRecent);
  const grouped =
    recent.length === 0
      ? rows
      : [
          group(vscode.l10n.t('Recent')),
          ...recent,
          group(vscode.l10n.t('Other Models')),
          ...rows.filter((row) => !recent.includes(row)),
        ];
  if (current === '' || directory.ids().includes(current)) return grouped;
  const nearest = nearestModelId(current, directory.ids());
  const unknown: ModelRow = {
    id: current,
    label: `$(warning) ${current}`,
    description: vscode.l10n.t('not in the current list'),
    detail: nearest === undefined ? undefined : vscode.l10n.t('Did you mean {0}?', nearest),
  };
  return [unknown, ...grouped];
}

function group(label: string): ModelRow {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function modelRow(id: string, name: string, { learned, board }: KnownModels, current: string): ModelRow {
  const workspaceDefault = vscode.workspace.getConfiguration('svc').inspect('model')?.workspaceValue;
  const marks = [
    ...(id === current ? [vscode.l10n.t('current')] : []),
    ...(id === workspaceDefault ? [vscode.l10n.t('default for this workspace')] : []),
  ];
  return {
    id,
    label: name,
    description: [id, ...marks].join(' · '),
    detail: knownWords(board.summary(id), learned.get(id)),
  };
}

/** Returns this machine's own observations, because the service publishes none; undefined when there are none. */
function knownWords(
  summary: CapacitySummary | undefined,
  { images, tools, streaming }: ModelFacts,
): string | undefined {
  const fact = (seen: { works: boolean; at: string } | undefined, worked: string, refused: string) =>
    seen === undefined ? [] : [`${seen.works ? worked : refused} ${shortDate(seen.at)}`];
  const known = [
    ...boardWords(summary),
    ...fact(images, vscode.l10n.t('Accepted images'), vscode.l10n.t('Refused images')),
    ...fact(tools, vscode.l10n.t('Used tools'), vscode.l10n.t('Refused tools')),
    ...fact(streaming, vscode.l10n.t('Streamed'), vscode.l10n.t('Refused to stream')),
  ];
  return known.length === 0 ? undefined : known.join(' · ');
}

function boardWords(summary: CapacitySummary | undefined): string[] {
  if (summary === undefined) return [];
  const { last, refusals } = summary;
  const words: string[] = [];
  if (last.outcome === 'answered') words.push(vscode.l10n.t('Last answer {0} s', (last.durationMs / 1000).toFixed(1)));
  if (last.outcome === 'failed') words.push(vscode.l10n.t('Last request failed'));
  if (refusals > 0) words.push(vscode.l10n.t('At capacity {0}× in 24 h', refusals));
  return words;
}

function shortDate(iso: string): string {
  return new Intl.DateTimeFormat(vscode.env.language, { day: 'numeric', month: 'short' }).format(new Date(iso));
}
