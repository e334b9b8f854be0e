import * as vscode from 'vscode';
import type { PickRow } from '../../shared/panel/panel-info.ts';

interface RowButton<Item> extends vscode.QuickInputButton {
  press(item: Item): void;
}

/** Opens a list in which `current` is active, so that Enter changes nothing; undefined after Escape. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  current: Item | undefined,
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder' | 'matchOnDetail' | 'ignoreFocusOut'>,
  button?: RowButton<Item>,
): Promise<Item | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.items = button ? items.map((item) => ({ ...item, buttons: [button] })) : items;
  picker.title = options.title;
  picker.placeholder = options.placeHolder;
  picker.matchOnDetail = options.matchOnDetail ?? false;
  picker.ignoreFocusOut = options.ignoreFocusOut ?? false;
  if (current) picker.activeItems = [current];
  picker.onDidTriggerItemButton(({ item }) => {
    picker.hide();
    button?.press(item);
  });
  return pickFrom(picker, () => picker.activeItems[0]);
}

/** Shows a list until `chosen` has an answer when Enter is pressed; undefined after Escape. Disposes of the list. */
export function pickFrom<Answer>(
  picker: vscode.QuickPick<vscode.QuickPickItem>,
  chosen: () => Answer | undefined,
): Promise<Answer | undefined> {
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      const answer = chosen();
      if (answer === undefined) return;
      resolve(answer);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}

export type PickItem = vscode.QuickPickItem & Partial<PickRow>;

/** Writes rows as the editor's list has them, with a line above each group. */
export function itemsOf(rows: readonly PickRow[]): PickItem[] {
  return rows.flatMap((row, at): PickItem[] => {
    const marks = [row.description, row.current && vscode.l10n.t('current')].filter(Boolean);
    const item = { ...row, ...(marks.length > 0 && { description: marks.join(' · ') }) };
    if (row.group === undefined || row.group === rows[at - 1]?.group) return [item];
    return [{ label: row.group, kind: vscode.QuickPickItemKind.Separator }, item];
  });
}
