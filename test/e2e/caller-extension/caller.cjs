const vscode = require('vscode');

/** Each call of `svc.ask` as the user types its argument; the last result is opened as JSON, in the order in which they end. */
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('caller.ask', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'Argument of svc.ask' });
      if (argument === undefined) return;
      const result = await vscode.commands.executeCommand('svc.ask', JSON.parse(argument)).then(
        (value) => ({ value: value ?? null }),
        (error) => ({ error: String(error) }),
      );
      const content = JSON.stringify(result);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }), {
        preserveFocus: true,
      });
    }),
  );
};
