import * as vscode from 'vscode';
import { pickFrom } from '../../../vscode/host/pick-one.ts';
import { type CommitPart, nameOfPart, patchOf } from '../core/commit-parts.ts';
import type { Group } from '../core/groups.ts';
import type { SplitPlan } from '../core/split-plan.ts';

export type GroupChoice = { stage: number } | 'undo' | 'again';

interface Row extends vscode.QuickPickItem {
  choice: GroupChoice;
}

export interface ShownSplit {
  plan: SplitPlan;
  unitsIn(group: number): readonly CommitPart[];
}

/** Shows the groups, the first open one in front. Resolves undefined where the user leaves. */
export function pickGroup(
  { plan, unitsIn }: ShownSplit,
  { title, showPatch }: { title: string; showPatch(name: string, patch: string): Promise<void> },
): Promise<GroupChoice | undefined> {
  const showChanges: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('diff'),
    tooltip: vscode.l10n.t('Show Changes'),
  };
  const groups = plan.groups.map(
    (group, at): Row => ({
      label: `${iconOf(plan, at)} ${titleOf(group)}`,
      description: [...stateOf(plan, at), countText(unitsIn(at))].join(' · '),
      detail: namesOf(unitsIn(at)),
      buttons: [showChanges],
      choice: { stage: at },
    }),
  );
  const separator = { label: '', kind: vscode.QuickPickItemKind.Separator, choice: 'again' as const };
  const undo: Row = { label: `$(discard) ${vscode.l10n.t('Undo Staging')}`, choice: 'undo' };
  const again: Row = { label: `$(refresh) ${vscode.l10n.t('Split Again…')}`, choice: 'again' };
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = title;
  pick.placeholder = vscode.l10n.t('Select a group to stage. svc never commits and changes no file.');
  pick.items = [...groups, separator, ...(plan.staged === undefined ? [] : [undo]), again];
  pick.activeItems = groups.filter((_row, at) => isOpen(plan, at)).slice(0, 1);
  // The diff of a group opens behind it.
  pick.ignoreFocusOut = true;
  pick.onDidTriggerItemButton(({ item: { choice } }) => {
    if (typeof choice === 'object') void showPatch(patchName(plan, choice.stage), patchOf(unitsIn(choice.stage)));
  });
  return pickFrom(pick, () => {
    const choice = pick.selectedItems[0]?.choice;
    return typeof choice === 'object' && plan.committed.includes(choice.stage) ? undefined : choice;
  });
}

export function titleOf({ message }: Group): string {
  return message.split('\n', 1)[0] || vscode.l10n.t('Left over');
}

export function isOpen({ committed, staged }: SplitPlan, group: number): boolean {
  return staged !== group && !committed.includes(group);
}

function patchName(plan: SplitPlan, group: number): string {
  return `${group + 1} ${titleOf(plan.groups[group] ?? { message: '', units: [] }).replaceAll(/[\\/]/g, ' ')}`;
}

function iconOf({ committed, staged }: SplitPlan, group: number): string {
  if (committed.includes(group)) return '$(check)';
  return staged === group ? '$(git-stage)' : '$(git-commit)';
}

function stateOf({ committed, staged }: SplitPlan, group: number): string[] {
  if (committed.includes(group)) return [vscode.l10n.t('committed')];
  return staged === group ? [vscode.l10n.t('staged')] : [];
}

export function countText(units: readonly CommitPart[]): string {
  const files = new Set(units.flatMap((unit) => unit.files)).size;
  const parts = [
    units.length === 1 ? vscode.l10n.t('1 change') : vscode.l10n.t('{0} changes', units.length),
    files === 1 ? vscode.l10n.t('1 file') : vscode.l10n.t('{0} files', files),
  ];
  return parts.join(' · ');
}

const maxNames = 5;

function namesOf(units: readonly CommitPart[]): string {
  const names = [...new Set(units.map(nameOfPart))];
  const shown = names.slice(0, maxNames).join(', ');
  return names.length > maxNames ? vscode.l10n.t('{0}, and {1} more', shown, names.length - maxNames) : shown;
}
