import * as vscode from 'vscode';

/** Gives the list its content once the assistant is loaded. */
export interface ConversationTree<Node> {
  /** The view has been opened for the first time. `changed` draws it anew. */
  attach(
    view: vscode.TreeView<Node>,
    changed: () => void,
  ): Pick<vscode.TreeDataProvider<Node>, 'getChildren' | 'getTreeItem'>;
}

/** The view exists at once; what it shows, and the assistant with it, is loaded when it is opened for the first time. */
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
