import * as vscode from 'vscode';
import type { Event } from '../../base/emitter.ts';

export interface TreeSource<T> {
  roots(): Promise<readonly T[]>;
  onDidChange: Event;
}

export function registerLazyTree<T extends { item: vscode.TreeItem; children: readonly T[] }>(
  view: string,
  load: () => Promise<TreeSource<T>>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<undefined>();
  let listening: vscode.Disposable | undefined;
  const registration = vscode.window.registerTreeDataProvider<T>(view, {
    onDidChangeTreeData: changed.event,
    getTreeItem: (node) => node.item,
    async getChildren(node) {
      if (node !== undefined) return [...node.children];
      const source = await load();
      listening ??= source.onDidChange(() => changed.fire(undefined));
      return [...(await source.roots())];
    },
  });
  return { dispose: () => vscode.Disposable.from(registration, changed, ...(listening ? [listening] : [])).dispose() };
}
