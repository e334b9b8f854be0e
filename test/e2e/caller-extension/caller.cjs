const vscode = require('vscode');

/** Each call of `svc.ask` as the user types its argument, `attachments` by their paths in the folder; the last result is opened as JSON. */
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.commands.registerCommand('caller.ask', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'Argument of svc.ask' });
      if (argument === undefined) return;
      const result = await vscode.commands.executeCommand('svc.ask', withUris(JSON.parse(argument))).then(
        (value) => ({ value: value ?? null }),
        (error) => ({ error: String(error) }),
      );
      const content = JSON.stringify(result);
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ language: 'json', content }), {
        preserveFocus: true,
      });
    }),
    vscode.commands.registerCommand('caller.askModels', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'Prompts, each for a request of its own' });
      if (argument === undefined) return;
      const result = await askModels(JSON.parse(argument)).catch((error) => ({ error: error.message }));
      const content = JSON.stringify({ result });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    }),
    vscode.commands.registerCommand('caller.askUtilityModel', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'A setting of VS Code that names a utility model' });
      if (argument === undefined) return;
      const result = await askUtilityModel(JSON.parse(argument)).catch((error) => ({ error: error.message }));
      const content = JSON.stringify({ result });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    }),
    vscode.commands.registerCommand('caller.useTool', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'Name and input of a tool' });
      if (argument === undefined) return;
      const { name, input } = JSON.parse(argument);
      const result = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined }).then(
        ({ content }) => content.map(({ value }) => value).join(''),
        (error) => `failed: ${error.message}`,
      );
      const content = JSON.stringify({ result });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    }),
    vscode.commands.registerCommand('caller.makeLink', async () => {
      const argument = await vscode.window.showInputBox({ prompt: 'What follows the name of svc Assistant' });
      if (argument === undefined) return;
      const link = vscode.Uri.parse(`${vscode.env.uriScheme}://svc.svc-assistant${JSON.parse(argument).rest}`);
      // Its query is encoded already.
      const result = (await vscode.env.asExternalUri(link)).toString(true);
      const content = JSON.stringify({ result });
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument({ content }));
    }),
    vscode.chat.createChatParticipant('caller.forward', async (request, _context, stream, token) => {
      const messages = [vscode.LanguageModelChatMessage.User(request.prompt)];
      const response = await request.model.sendRequest(messages, {}, token);
      for await (const piece of response.text) stream.markdown(piece);
    }),
  );
};

/** As another extension uses models: every prompt at once, to the first model. */
async function askModels({ prompts }) {
  const models = await vscode.lm.selectChatModels({ vendor: 'svc' });
  const replies = prompts.map(async (prompt) => {
    const response = await models[0].sendRequest([vscode.LanguageModelChatMessage.User(prompt)]);
    let text = '';
    for await (const piece of response.text) text += piece;
    return text;
  });
  return { models: models.length, replies: await Promise.all(replies) };
}

/** As VS Code's own chat resolves its utility models: cut at the first slash, and exactly one model must match. */
async function askUtilityModel({ setting, prompt }) {
  const value = vscode.workspace.getConfiguration().get(setting);
  const slash = String(value ?? '').indexOf('/');
  if (slash <= 0) return { value };
  const models = await vscode.lm.selectChatModels({ vendor: value.slice(0, slash), id: value.slice(slash + 1) });
  if (models.length !== 1) return { value, models: models.length };
  const response = await models[0].sendRequest([vscode.LanguageModelChatMessage.User(prompt)]);
  let text = '';
  for await (const piece of response.text) text += piece;
  return { value, text };
}

function withUris(argument) {
  if (!Array.isArray(argument.attachments)) return argument;
  const folder = vscode.workspace.workspaceFolders[0].uri;
  return { ...argument, attachments: argument.attachments.map((file) => vscode.Uri.joinPath(folder, file)) };
}
