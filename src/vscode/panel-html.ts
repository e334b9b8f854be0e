import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';

/** The folder that the panel may load from; nothing of the workspace (X21). */
export function panelRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}

/** A page of ours: its script and style are `<piece>.js` and `<piece>.css`. */
export interface Page {
  piece: 'chat' | 'spend';
  title: string;
}

const chatPage: Page = { piece: 'chat', title: 'svc Chat' };

/**
 * The panel's page. Nothing may be fetched, framed or submitted; only our own nonced script runs; pictures come from
 * our own folder or from data the host gave (X17, X20).
 */
export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page = chatPage): string {
  const nonce = randomBytes(16).toString('base64url');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(panelRoot(extensionUri), name)).toString();
  const policy = [
    "default-src 'none'",
    `img-src ${webview.cspSource} data:`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-src 'none'",
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="${vscode.env.language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${asset(`${page.piece}.css`)}">
<title>${page.title}</title>
</head>
<body>
<div id="root"></div>
<script nonce="${nonce}" src="${asset(`${page.piece}.js`)}"></script>
</body>
</html>`;
}
