import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { commandIds } from '../../../src/vscode/command-ids.ts';
import { panelHtml } from '../../../src/vscode/panel-html.ts';
import { createKeyStore } from '../../../src/vscode/secrets.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { useService } from '../use-service.ts';

const folder = () => {
  const first = vscode.workspace.workspaceFolders?.[0];
  assert.ok(first, 'the suite runs on a folder');
  return first.uri;
};

/** Our entries of the lightbulb. */
async function offered(uri: vscode.Uri, range: vscode.Range): Promise<vscode.CodeAction[]> {
  const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
    'vscode.executeCodeActionProvider',
    uri,
    range,
  );
  return actions.filter((action) => action.title.startsWith('svc: '));
}

describe('the edges of the extension', () => {
  const service = useService();
  let portsBefore: string[] = [];

  before(async () => {
    portsBefore = await listeningPorts();
    await vscode.extensions.getExtension('svc.svc-assistant')?.activate();
  });

  it('registers every command that it contributes', async () => {
    const registered = new Set(await vscode.commands.getCommands(true));
    assert.deepEqual(
      commandIds.filter((id) => !registered.has(id)),
      [],
    );
  });

  it('X30 sends nothing at activation, nor when the chat, a new chat and a draft are opened', async () => {
    await vscode.commands.executeCommand('svc.openChat');
    await vscode.commands.executeCommand('svc.newChat');
    assert.equal(await vscode.commands.executeCommand('svc.ask', { prompt: 'A draft', send: false }), undefined);
    assert.deepEqual(service().requests, []);
  });

  it('X28 opens no port', async () => {
    assert.ok(portsBefore.includes(new URL(service().baseUrl).port), 'the list would show a port of this process');
    assert.deepEqual(
      (await listeningPorts()).filter((port) => !portsBefore.includes(port)),
      [],
    );
  });

  it('X37 svc.ask takes nothing but its arguments, and names the wrong one', async () => {
    const ask = (argument: unknown) => vscode.commands.executeCommand('svc.ask', argument);
    await assert.rejects(async () => ask({ prompt: 5 }), /check: prompt/);
    await assert.rejects(async () => ask({ prompt: '' }), /check: prompt/);
    await assert.rejects(async () => ask('Hello'), /check: argument/);
    await assert.rejects(async () => ask({ prompt: 'x', attachments: ['/etc/passwd'] }), /check: attachments\.0/);
    assert.deepEqual(service().requests, []);
  });

  it('F4 offers Explain for a selection only, with a command and no arguments', async () => {
    const uri = vscode.Uri.joinPath(folder(), 'src', 'shipping.ts');
    await vscode.window.showTextDocument(uri);
    const [explain] = await offered(uri, new vscode.Range(0, 0, 3, 0));
