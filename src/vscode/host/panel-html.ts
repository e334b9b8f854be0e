import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { earlyTextBox } from '../../shared/panel/early-text-box.ts';
import { pageHtml } from './page-html.ts';

export function panelRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}

export interface Page {
  piece: 'chat' | 'spend';
  title: string;
  early?(nonce: string): string;
}

const chatPage = (): Page => ({
  piece: 'chat',
  title: vscode.l10n.t('svc Chat'),
  early: (nonce) =>
    earlyTextBox({ label: vscode.l10n.t('Message'), placeholder: vscode.l10n.t('Ask about your code'), nonce }),
});

export function panelHtml(webview: vscode.Webview, extensionUri: vscode.Uri, page: Page = chatPage()): string {
  const nonce = randomBytes(16).toString('base64url');
  const asset = (name: string) => webview.asWebviewUri(vscode.Uri.joinPath(panelRoot(extensionUri), name)).toString();
  return pageHtml({
    language: vscode.env.language,
    title: page.title,
    nonce,
    own: webview.cspSource,
    style: asset(`${page.piece}.css`),
    script: asset(`${page.piece}.js`),
    early: page.early?.(nonce),
    translations: vscode.l10n.bundle,
  });
}
