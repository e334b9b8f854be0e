import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { earlyTextBox } from '../../shared/panel/early-text-box.ts';
import { pageHtml } from './page-html.ts';

/** The folder that the panel may load from; nothing of the workspace. */
export function panelRoot(extensionUri: vscode.Uri): vscode.Uri {
  return vscode.Uri.joinPath(extensionUri, 'dist', 'media');
}

/** A page of ours: its script and style are `<piece>.js` and `<piece>.css`. */
export interface Page {
  piece: 'chat' | 'spend';
  title: string;
  /** HTML that stands there until the script draws; gets the nonce of the page. */
  early?(nonce: string): string;
}

const chatPage = (): Page => ({
  piece: 'chat',
  title: vscode.l10n.t('svc Chat'),
  early: (nonce) =>
    earlyTextBox({ label: vscode.l10n.t('Message'), placeholder: vscode.l10n.t('Ask about your code'), nonce }),
});

/** The page as a webview gets it. */
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
