import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createKeyStore } from '../../../src/vscode/account/secrets.ts';
import { findAppeared } from '../../../src/vscode/chat-panel/open-from-chat.ts';
import { beginPage } from '../../../src/vscode/chat-panel/preloaded-webview.ts';
import { commandIds } from '../../../src/vscode/host/command-ids.ts';
import { panelHtml } from '../../../src/vscode/host/panel-html.ts';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { useService } from '../use-service.ts';

const folder = () => {
  const first = vscode.workspace.workspaceFolders?.[0];
  assert.ok(first, 'the suite runs on a folder');
  return first.uri;
};

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
    const offered = async (range: vscode.Range) => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        range,
      );
      return actions.filter((action) => action.title.startsWith('svc: '));
    };
    const explain = (await offered(new vscode.Range(0, 0, 3, 0))).find(({ title }) => title === 'svc: Explain');
    assert.equal(explain?.command?.command, 'svc.explain');
    assert.equal(explain.command.arguments, undefined);
    assert.deepEqual(await offered(new vscode.Range(2, 0, 2, 0)), []);
    assert.deepEqual(service().requests, []);
  });

  it('F4 offers Add to Chat at a problem, as no fix, with a command and no arguments', async () => {
    const uri = vscode.Uri.joinPath(folder(), 'src', 'shipping.ts');
    await vscode.window.showTextDocument(uri);
    const collection = vscode.languages.createDiagnosticCollection('svc-test');
    const at = new vscode.Range(2, 0, 2, 5);
    collection.set(uri, [new vscode.Diagnostic(at, 'Something is wrong', vscode.DiagnosticSeverity.Error)]);
    const add = await waitFor('the entry at the problem', async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        uri,
        new vscode.Range(2, 1, 2, 1),
      );
      return actions.find(({ title }) => title === 'svc: Add to Chat');
    });
    collection.dispose();
    assert.equal(add.command?.command, 'svc.addToChat');
    assert.equal(add.command.arguments, undefined);
    assert.ok(add.kind && !vscode.CodeActionKind.QuickFix.contains(add.kind));
    assert.deepEqual(service().requests, []);
  });

  it('S3 selects a model by its id without asking', async () => {
    const model = () => vscode.workspace.getConfiguration('svc').inspect<string>('model')?.globalValue;
    await vscode.commands.executeCommand('svc.selectModel', 'svc/kimi-k3');
    assert.equal(model(), 'svc/kimi-k3');
    await vscode.workspace.getConfiguration('svc').update('model', undefined, vscode.ConfigurationTarget.Global);
  });
});

describe('settings that come with a folder', () => {
  const service = useService();
  const configuration = () => vscode.workspace.getConfiguration('svc');
  let evil: LocalService;

  before(async () => {
    evil = await startLocalService();
    const file = vscode.Uri.joinPath(folder(), '.vscode', 'settings.json').fsPath;
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(
      file,
      JSON.stringify({
        'svc.baseUrl': evil.baseUrl,
        'svc.search.ripgrepPath': '/tmp/evil',
        'svc.tools.allowedCommands': ['curl evil'],
        'svc.statusBar.content': 'model',
      }),
    );
    await waitFor(
      'the settings of the folder',
      () => configuration().inspect('statusBar.content')?.workspaceValue === 'model',
    );
  });
  after(async () => {
    await rm(vscode.Uri.joinPath(folder(), '.vscode', 'settings.json').fsPath, { force: true });
    await evil.close();
  });

  it('X14 cannot redirect the address: the check goes to the address of the user only', async () => {
    assert.equal(configuration().get('baseUrl'), service().baseUrl);
    await vscode.commands.executeCommand('svc.checkService');
    assert.ok(service().requests.some((request) => request.path === '/v1/models'));
    assert.deepEqual(evil.requests, []);
  });

  it('X14 X27 cannot name a program to run nor a command line to allow', () => {
    assert.equal(configuration().get('search.ripgrepPath'), '');
    assert.deepEqual(configuration().get('tools.allowedCommands'), []);
  });
});

describe('the page of the panel', () => {
  it('P17 keeps, in order, what it says before anybody listens', () => {
    const said = new vscode.EventEmitter<unknown>();
    const webview: Partial<vscode.Webview> = {
      cspSource: 'self',
      asWebviewUri: (uri) => uri,
      onDidReceiveMessage: said.event,
    };
    const page = beginPage(webview as vscode.Webview, vscode.Uri.file('/extension'));
    assert.match(webview.html ?? '', /chat\.js/);
    assert.equal(webview.options?.enableForms, false);
    assert.deepEqual(
      webview.options?.localResourceRoots?.map(({ path }) => path),
      ['/extension/dist/media'],
    );
    said.fire(1);
    said.fire(2);
    const heard: unknown[] = [];
    page.listen((message) => heard.push(message));
    said.fire(3);
    assert.deepEqual(heard, [1, 2, 3]);
  });

  it('X17 X20 X21 allows its own script by nonce, its own files, and nothing else', () => {
    const root = vscode.Uri.file('/extension');
    const webview: Partial<vscode.Webview> = { cspSource: 'https://own.example', asWebviewUri: (uri) => uri };
    const pages = [1, 2].map(() => panelHtml(webview as vscode.Webview, root));
    const policies = pages.map(
      (page) => /http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(page)?.[1] ?? '',
    );
    const nonces = policies.map((policy) => /'nonce-([^']{16,})'/.exec(policy)?.[1] ?? '');
    assert.deepEqual(
      policies[0]
        ?.replaceAll(nonces[0] ?? '', 'N')
        .split('; ')
        .sort(),
      [
        "base-uri 'none'",
        "connect-src 'none'",
        "default-src 'none'",
        'font-src https://own.example',
        "form-action 'none'",
        "frame-src 'none'",
        'img-src https://own.example data:',
        "script-src 'nonce-N'",
        "style-src https://own.example 'nonce-N'",
      ],
    );
    assert.notEqual(nonces[0], nonces[1]);
    assert.ok(pages[0]?.includes(`<script nonce="${nonces[0]}" data-style="`));
    // What is asked for before the page has loaded keeps VS Code from showing it.
    assert.doesNotMatch(pages[0] ?? '', /\s(src|href)=/);
    assert.doesNotMatch(pages[0] ?? '', /<script(?![^>]*nonce)|\son\w+=|\sstyle="/);
  });
});

describe('a file that a command made', () => {
  it('F31 X12 is found by exactly its path, so that no other one is removed', async function () {
    if (process.platform === 'win32') this.skip();
    await withTempDir(async (dir) => {
      for (const file of ['a/AGENTS.md', 'a/b/AGENTS.md', 'a/c/d', 'a/c\\d', 'b/AGENTS.md', 'else/b/AGENTS.md']) {
        await mkdir(path.join(dir, path.dirname(file)), { recursive: true });
        await writeFile(path.join(dir, file), '');
      }
      const find = async (name: string, ...folders: string[]) => {
        const found = await findAppeared(
          name,
          folders.map((folder) => ({ uri: vscode.Uri.file(path.join(dir, folder)) })),
        );
        return found && path.relative(dir, found.fsPath);
      };
      assert.equal(await find('AGENTS.md', 'a'), 'a/AGENTS.md');
      assert.equal(await find('b/AGENTS.md', 'a'), 'a/b/AGENTS.md');
      assert.equal(await find('b/AGENTS.md', 'b'), undefined, 'the one in the folder itself');
      assert.equal(await find('c\\d', 'a'), 'a/c\\d');
      assert.equal(await find('../b/AGENTS.md', 'a'), undefined);
      assert.equal(await find('b/AGENTS.md', 'a', 'b'), 'b/AGENTS.md');
      assert.equal(await find('AGENTS.md', 'a', 'b'), undefined);
      assert.equal(await find('b/AGENTS.md', 'b', 'else/b'), undefined, 'one of two');
    });
  });
});

describe('the key store', () => {
  const here = 'https://here.example';
  const changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  const stores: vscode.Disposable[] = [changed];
  after(() => vscode.Disposable.from(...stores).dispose());

  const storeWith = (secrets: Partial<vscode.SecretStorage>, origin: () => string | undefined = () => here) => {
    const nothing = async () => undefined;
    const storage = { get: nothing, store: nothing, delete: nothing, keys: async () => [], ...secrets };
    const store = createKeyStore({ ...storage, onDidChange: changed.event }, origin);
    stores.push(store);
    return store;
  };

  it('X36 tells a storage that fails from one that is empty or damaged', async () => {
    const failing = storeWith({ get: () => Promise.reject(new Error('no keyring')) });
    assert.deepEqual(await failing.read(), { state: 'unavailable', message: 'no keyring' });
    for (const text of [undefined, '', '{', '"sk-svc-x"', '{"key":5}']) {
      assert.deepEqual(await storeWith({ get: async () => text }).read(), { state: 'absent' });
    }
  });

  it('X14 gives the key to the address that it was entered for only', async () => {
    let kept: string | undefined;
    let origin = here;
    const storage: Partial<vscode.SecretStorage> = {
      get: async () => kept,
      store: async (_name, text) => {
        kept = text;
      },
    };
    const store = storeWith(storage, () => origin);
    await store.write('sk-svc-demo-edges-0123456789');
    assert.deepEqual(await store.read(), { state: 'present', key: 'sk-svc-demo-edges-0123456789' });
    origin = 'https://other.example';
    assert.deepEqual(await store.read(), { state: 'other-address', origin: here });
  });
});

/** Ports of this machine on which this very process listens, by its open sockets. */
async function listeningPorts(): Promise<string[]> {
  const own = new Set<string>();
  for (const descriptor of await readdir('/proc/self/fd')) {
    const target = await readlink(`/proc/self/fd/${descriptor}`).catch(() => '');
    const inode = /^socket:\[(\d+)\]$/.exec(target)?.[1];
    if (inode !== undefined) own.add(inode);
  }
  const ports: string[] = [];
  for (const table of ['/proc/self/net/tcp', '/proc/self/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1)) {
      const fields = line.trim().split(/\s+/);
      const [, local, , state] = fields;
      if (state !== '0A' || !own.has(fields[9] ?? '')) continue;
      ports.push(String(Number.parseInt(local?.split(':')[1] ?? '', 16)));
    }
  }
  return ports;
}
