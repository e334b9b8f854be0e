import * as vscode from 'vscode';
import { coalesced } from '../../base/coalesced.ts';
import type { Event } from '../../base/emitter.ts';
import { type SpendHostMessage, type SpendReport, spendPageMessageSchema } from '../../shared/panel/spend-report.ts';
import { panelHtml, panelRoot } from '../host/panel-html.ts';

export interface SpendPanelDeps {
  extensionUri: vscode.Uri;
  report(days: number): Promise<SpendReport>;
  onDidChange: Event;
  run(command: string, ...args: unknown[]): Thenable<unknown>;
  onError(error: unknown): void;
}

/** Shows the spend report in one editor tab, which is revealed when it is already open. */
export function createSpendPanel(deps: SpendPanelDeps): { show(): void } & vscode.Disposable {
  let open: vscode.WebviewPanel | undefined;
  return {
    show() {
      if (open) {
        open.reveal();
        return;
      }
      const panel = vscode.window.createWebviewPanel(
        'svc.spend',
        vscode.l10n.t('svc Spend'),
        vscode.ViewColumn.Active,
        {
          enableScripts: true,
          enableCommandUris: false,
          enableForms: false,
          localResourceRoots: [panelRoot(deps.extensionUri)],
        },
      );
      open = panel;
      panel.onDidDispose(() => {
        open = undefined;
      });
      fill(panel, deps);
    },
    dispose: () => open?.dispose(),
  };
}

function fill(panel: vscode.WebviewPanel, deps: SpendPanelDeps): void {
  let days = 30;
  /** VS Code discards a hidden page, which asks for its report again when it is shown. */
  let ready = false;
  const draw = coalesced(async () => {
    if (!ready || !panel.visible) return;
    const message: SpendHostMessage = { type: 'report', report: await deps.report(days) };
    await panel.webview.postMessage(message);
  });
  const drawSafely = () => void draw().catch(deps.onError);
  const subscriptions = [
    deps.onDidChange(drawSafely),
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      const message = spendPageMessageSchema.safeParse(raw);
      if (!message.success) {
        deps.onError(new Error(`A message of the spend report was dropped: ${JSON.stringify(message.error.issues)}`));
      } else if (message.data.type === 'run') void deps.run(message.data.command);
      else if (message.data.type === 'openConversation') void deps.run('svc.openConversation', message.data.id);
      else {
        if (message.data.type === 'days') days = message.data.days;
        ready = true;
        drawSafely();
      }
    }),
    panel.onDidChangeViewState(() => {
      if (panel.visible) drawSafely();
      else ready = false;
    }),
  ];
  panel.onDidDispose(() => vscode.Disposable.from(...subscriptions).dispose());
  panel.webview.html = panelHtml(panel.webview, deps.extensionUri, {
    piece: 'spend',
    title: vscode.l10n.t('svc Spend'),
  });
}
