import * as vscode from 'vscode';

/** Opens a list in which `current` is active, so that Enter changes nothing; undefined after Escape. */
export function pickOne<Item extends vscode.QuickPickItem>(
  items: readonly Item[],
  current: Item | undefined,
  options: Pick<vscode.QuickPickOptions, 'title' | 'placeHolder' | 'matchOnDetail'>,
): Promise<Item | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.items = items;
  picker.title = options.title;
  picker.placeholder = options.placeHolder;
  picker.matchOnDetail = options.matchOnDetail ?? false;
  if (current) picker.activeItems = [current];
  return new Promise((resolve) => {
    picker.onDidAccept(() => {
      resolve(picker.activeItems[0]);
      picker.hide();
    });
    picker.onDidHide(() => {
      resolve(undefined);
      picker.dispose();
    });
    picker.show();
  });
}
