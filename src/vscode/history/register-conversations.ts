import * as vscode from 'vscode';

export interface ConversationTree<Node> {
  attach(
    view: vscode.TreeView<Node>,
    changed: () => void,
  ): Pick<vscode.TreeDataProvider<Node>, 'getChildren' | 'getTreeItem'>;
}

/** Registers the view at once; its content, and the assistant with it, loads when the view is first opened. */
export function registerConversations<Node>(load: () => Promise<ConversationTree<Node>>): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  let tree: ReturnType<ConversationTree<Node>['attach']> | undefined;
  const view: vscode.TreeView<Node> = vscode.window.createTreeView<Node>('svc.conversations', {
    treeDataProvider: {
      onDidChangeTreeData: changed.event,
      async getChildren(node) {
        const loaded = await load();
        tree ??= loaded.attach(view, () => changed.fire());
        return tree.getChildren(node);
      },
      getTreeItem(node) {
        if (!tree) throw new Error('A node was shown before there was one.');
        return tree.getTreeItem(node);
      },
    },
  });
  return vscode.Disposable.from(changed, view);
}
