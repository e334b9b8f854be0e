import { lookup } from 'node:dns';
import { networkInterfaces } from 'node:os';
import * as vscode from 'vscode';
import { createReach, type Reach } from '../../sandbox/reach.ts';

/** Connects commands in the sandbox as the editor connects itself: through the proxy where one is set. */
export function createEditorReach(): Reach {
  return createReach({
    lookup,
    networkInterfaces,
    proxy() {
      const set = vscode.workspace.getConfiguration('http').get<string>('proxy');
      const { HTTPS_PROXY, https_proxy, ALL_PROXY, all_proxy } = process.env;
      return set || HTTPS_PROXY || https_proxy || ALL_PROXY || all_proxy;
    },
  });
}
