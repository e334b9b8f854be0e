import type * as vscode from 'vscode';
import { panelHtml, panelRoot } from '../host/panel-html.ts';

/** The page of a chat that has begun to load. */
export interface PreloadedWebview {
  /** Hands over what the page has said so far and all that it says from now on. */
  listen(listener: (message: unknown) => void): void;
}

/**
 * Gives a webview the page of the chat before there is anybody to answer it, so that page and assistant load beside each other.
 * `ownRoot`: allowed besides the panel's own folder.
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
