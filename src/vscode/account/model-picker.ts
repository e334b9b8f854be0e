import * as vscode from 'vscode';
import type { ModelRecord } from '../../features/best-of/core/model-record.ts';
import type { ServiceClient } from '../../service/contract.ts';
import { nearestModelId } from '../../service/models.ts';
import type { CapacityBoard, CapacitySummary } from '../../service/step/capacity-board.ts';
import type { Learned, ModelFacts } from '../../service/step/learned.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import { describeFailure } from '../../shared/failure/failure-text.ts';
import { priceText } from '../../shared/money.ts';
import type { PickRow } from '../../shared/panel/panel-info.ts';
import { itemsOf, type PickItem, pickFrom } from '../host/pick-one.ts';
import type { ModelDirectory } from './model-directory.ts';

interface KnownModels {
  models: ModelDirectory;
  client: Pick<ServiceClient, 'listModels'>;
  learned: Learned;
  board: Pick<CapacityBoard, 'summary' | 'models'>;
  record: Pick<ModelRecord, 'words'>;
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
  const picker = vscode.window.createQuickPick<PickItem>();
  picker.title = vscode.l10n.t('Select Model');
  picker.placeholder = modelsNote(directory);
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
    picker.items = itemsOf(modelRows(known, current)).map((row) => withButtons(row, buttons));
    const isInFront = ({ id }: PickItem) =>
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
    picker.placeholder = modelsNote(directory, failure);
    draw();
  });
  picker.onDidHide(() => {
    clearTimeout(focusSettled);
    stop.abort();
  });
  return pickFrom(picker, () => picker.selectedItems[0]?.id);
}

function withButtons(row: PickItem, { copy, makeDefault }: Record<'copy' | 'makeDefault', vscode.QuickInputButton>) {
  if (row.id === undefined) return row;
  const description = [row.id, row.description].filter(Boolean).join(' · ');
  // Without a folder there is no workspace to keep it in.
  return { ...row, description, buttons: vscode.workspace.workspaceFolders ? [copy, makeDefault] : [copy] };
}

/** Says what models cost, or why the list may be an old one. */
export function modelsNote(directory: Pick<ModelDirectory, 'nameOf' | 'fromService'>, failure?: Failure): string {
  if (failure === undefined) return vscode.l10n.t('All models {0}', priceText);
  const { title } = describeFailure(failure, directory.nameOf);
  return directory.fromService()
    ? vscode.l10n.t('{0}. Showing the last list from the service.', title)
    : vscode.l10n.t('{0}. Showing the models that the service publishes.', title);
}

export function modelRows(known: Omit<KnownModels, 'client'>, current: string): PickRow[] {
  const { models: directory, board } = known;
  const rows = directory.models().map(({ id, name }) => modelRow(id, name, known, current));
  const used = board.models().toReversed();
  const recent = used.flatMap((id) => rows.filter((row) => row.id === id)).slice(0, mostRecent);
  const others = rows.filter((row) => !recent.includes(row));
  const grouped = [
    ...recent.map((row) => ({ ...row, group: vscode.l10n.t('Recent') })),
    ...(recent.length === 0 ? others : others.map((row) => ({ ...row, group: vscode.l10n.t('Other Models') }))),
  ];
  if (current === '' || directory.ids().includes(current)) return grouped;
  const nearest = nearestModelId(current, directory.ids());
  const unknown: PickRow = {
    id: current,
    label: current,
    description: vscode.l10n.t('not in the current list'),
    ...(nearest !== undefined && { detail: vscode.l10n.t('Did you mean {0}?', nearest) }),
    current: true,
  };
  return [unknown, ...grouped];
}

function modelRow(
  id: string,
  name: string,
  { learned, board, record }: Omit<KnownModels, 'client'>,
  current: string,
): PickRow {
  const isDefault = id === vscode.workspace.getConfiguration('svc').inspect('model')?.workspaceValue;
  const facts = knownWords(record.words(id, vscode.env.language), board.summary(id), learned.get(id));
  return {
    id,
    label: name,
    ...(isDefault && { description: vscode.l10n.t('default for this workspace') }),
    detail: facts,
    ...(id === current && { current: true }),
  };
}

/** Returns this machine's own observations, because the service publishes none; undefined when there are none. */
function knownWords(
  onProject: string | undefined,
  summary: CapacitySummary | undefined,
  { images, tools, streaming }: ModelFacts,
): string | undefined {
  const fact = (seen: { works: boolean; at: string } | undefined, worked: string, refused: string) =>
    seen === undefined ? [] : [`${seen.works ? worked : refused} ${shortDate(seen.at)}`];
  const known = [
    ...(onProject === undefined ? [] : [onProject]),
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
