import * as vscode from 'vscode';
import { type StatusInput, statusPicture } from '../../spend/status-picture.ts';

/** The item itself. `draw` is cheap: VS Code is told only what changed. */
export function createStatusBar(): { draw(input: StatusInput): void } & vscode.Disposable {
  const item = vscode.window.createStatusBarItem('svc.status', vscode.StatusBarAlignment.Right, 100);
  item.name = 'svc Assistant';
  return {
    draw(input) {
      const picture = statusPicture(input);
      item.text = picture.text;
      item.tooltip = new vscode.MarkdownString(picture.tooltip);
      item.command = picture.command;
      item.accessibilityInformation = { label: picture.label };
      item.backgroundColor = picture.background
        ? new vscode.ThemeColor(`statusBarItem.${picture.background}Background`)
        : undefined;
      if (picture.visible) item.show();
      else item.hide();
    },
    dispose: () => item.dispose(),
  };
}
