import type * as vscode from 'vscode';
import { panelHtml, panelRoot } from '../host/panel-html.ts';

export interface PreloadedWebview {
  /** Passes on what the page has posted so far, and everything later. */
  listen(listener: (message: unknown) => void): void;
}

/**
 * Loads the page of the chat before anybody can answer it, so that page and assistant load in parallel. `ownRoot` is
 * allowed in addition to the panel's own folder.
 */
export function beginPage(webview: vscode.Webview, extensionUri: vscode.Uri, ownRoot?: vscode.Uri): PreloadedWebview {
  const early: unknown[] = [];
  let hear: (message: unknown) => void = (message) => early.push(message);
  webview.options = {
    enableScripts: true,
    enableCommandUris: false,
    enableForms: false,
    localResourceRoots: [panelRoot(extensionUri), ...(ownRoot ? [ownRoot] : [])],
  };
  webview.onDidReceiveMessage((message) => hear(message));
  webview.html = panelHtml(webview, extensionUri);
  return {
    listen(listener) {
      hear = listener;
      for (const message of early.splice(0)) listener(message);
    },
  };
}
