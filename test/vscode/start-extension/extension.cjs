const vscode = require('vscode');

/** VS Code's own chat takes the focus in a new window; once, this puts ours in its place. */
exports.activate = async ({ workspaceState }) => {
  if (workspaceState.get('opened') === true) return;
  await workspaceState.update('opened', true);
  const prompt = process.env.SVC_START_QUESTION;
  await vscode.commands.executeCommand('svc.openChat');
  if (prompt) await vscode.commands.executeCommand('svc.ask', { prompt, send: false });
};
