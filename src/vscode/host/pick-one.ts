import * as vscode from 'vscode';

interface RowButton<Item> extends vscode.QuickInputButton {
  press(item: Item): void;
}

/** Opens a list in which `current` is active, so that Enter changes nothing; undefined after Escape. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  current: Item | undefined,
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder' | 'matchOnDetail'>,
  button?: RowButton<Item>,
): Promise<Item | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.items = button ? items.map((item) => ({ ...item, buttons: [button] })) : items;
  picker.title = options.title;
  picker.placeholder = options.placeHolder;
  picker.matchOnDetail = options.matchOnDetail ?? false;
  if (current) picker.activeItems = [current];
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.activeItems[0]);
      picker.hide();
    });
    picker.onDidTriggerItemButton(({ item }) => {
      picker.hide();
      button?.press(item);
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
