import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { earlyTextBox } from '../../shared/panel/early-text-box.ts';
import { pagePolicy } from './page-policy.ts';

/** The folder that the panel may load from; nothing of the workspace. */
export function panelRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}

/** A page of ours: its script and style are `<piece>.js` and `<piece>.css`. */
export interface Page {
  piece: 'chat' | 'spend';
  title: string;
  /** What stands there until the script draws; gets the nonce of the page. */
  early?(nonce: string): string;
}

const chatPage = (): Page => ({
  piece: 'chat',
  title: vscode.l10n.t('svc Chat'),
  early: (nonce) =>
    earlyTextBox({ label: vscode.l10n.t('Message'), placeholder: vscode.l10n.t('Ask about your code'), nonce }),
});

/** The panel's page, which may load what `pagePolicy` says. The style is asked for behind what can be drawn without it. */
export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: Page = chatPage()): string {
  const nonce = randomBytes(16).toString('base64url');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(panelRoot(extensionUri), name)).toString();
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(webview.cspSource, nonce)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title}</title>
</head>
<body>
${page.early?.(nonce) ?? ''}
<link rel="stylesheet" href="${asset(`${page.piece}.css`)}">
<div id="root"></div>
${translations(vscode.l10n.bundle)}<script nonce="${nonce}" src="${asset(`${page.piece}.js`)}"></script>
</body>
</html>`;
}

/** A block of data, which no policy runs; `<` is escaped so that no text can end it. Empty when the language is English. */
function translations(bundle: Record<string, string> | undefined): string {
  if (!bundle) return '';
  const contents = JSON.stringify(bundle).replaceAll('<', '\\u003c');
  return `<script type="application/json" id="translations">${contents}</script>\n`;
}
