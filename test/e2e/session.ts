import path from 'node:path';
import { pseudoLanguage, writePseudoExtension } from '../l10n/pseudo-extension.ts';
import { type LocalService, type LocalServiceOptions, startLocalService } from '../service/local-service.ts';
import { makeTempDir } from '../support/temp-dir.ts';
import { openBrowser, type TestBrowser } from '../vscode/browser.ts';
import { keysOfUnlisted } from '../vscode/command-names.ts';
import { parseVsCodeVersion, type VsCodeVersion } from '../vscode/get-vscode.ts';
import { launchServer, type VsCodeServer } from '../vscode/launch.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { openWindow, type VsCodeWindow } from '../vscode/window.ts';

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** The key that the session's service accepts. */
export const sessionKey = 'sk-svc-demo-e2e-0123456789abcdef';

export interface SessionOptions {
  /** What `--version` says unless given. */
  version?: VsCodeVersion;
  /** Leaves `svc.baseUrl` unset, as on a first start. */
  withoutBaseUrl?: boolean;
  /** User settings on top. */
  settings?: Record<string, unknown>;
  service?: LocalServiceOptions;
  /** Fills the workspace folder; a copy of the sample project unless given. */
  fillWorkspace?: (folder: string) => Promise<unknown>;
  workspaceTrust?: boolean;
  /** What the window opens instead of the folder: a `.code-workspace` file, written by `fillWorkspace`. */
  open?: (folder: string) => string;
  viewport?: { width: number; height: number };
  scale?: number;
  /** Ours in the pseudo-locale, which is VS Code's display language then. */
  pseudo?: boolean;
  env?: Record<string, string | undefined>;
  /** Absolute path of a package, installed instead of the folder that was built. */
  vsix?: string;
  /** Folders of extensions beside ours. */
  otherExtensions?: readonly string[];
  /** Of the server, made from the workspace folder. */
  environment?: (folder: string) => Record<string, string | undefined>;
}

/** A person at their editor: a local service, VS Code with the built extension, and a window on a workspace. */
export interface Session {
  service: LocalService;
  server: VsCodeServer;
  browser: TestBrowser;
  window: VsCodeWindow;
  /** Absolute path of the workspace folder. */
  folder: string;
  /** Ends VS Code and the browser and starts both again, with the same settings, state, profile and address. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts everything; the caller closes it. What was started before a failure is closed. */
export async function startSession(options: SessionOptions = {}): Promise<Session> {
  const temp = await makeTempDir('svc-e2e-');
  const folder = path.join(temp.path, 'workspace');
  const cleanups: (() => Promise<void>)[] = [temp.remove];
  const closeAll = async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  };
  try {
    await (options.fillWorkspace ?? copySampleWorkspace)(folder);
    const service = await startLocalService({ keys: [sessionKey], ...options.service });
    cleanups.push(() => service.close());
    const settings = {
      ...(options.withoutBaseUrl ? {} : { 'svc.baseUrl': service.baseUrl }),
      'svc.dashboardUrl': service.dashboardUrl,
      // The same on machines with and without one; the tests of the sandbox say otherwise.
      'svc.tools.sandbox.mode': 'off',
      ...options.settings,
    };
    const first = await startEditor(options, temp.path, folder, settings);
    const session: Session = {
      service,
      ...first,
      folder,
      restart: async () => {
        const { port } = session.server;
        await closeEditor(session);
        // The same port: what a browser keeps belongs to an address. Settings stay as the user left them.
        Object.assign(session, await startEditor(options, temp.path, folder, {}, port));
      },
      close: closeAll,
    };
    cleanups.push(() => closeEditor(session));
    return session;
  } catch (error) {
    await closeAll();
    throw error;
  }
}

interface Editor {
  server: VsCodeServer;
  browser: TestBrowser;
  window: VsCodeWindow;
}

async function startEditor(
  options: SessionOptions,
  root: string,
  folder: string,
  settings: Record<string, unknown>,
  port?: number,
): Promise<Editor> {
  const extension = options.pseudo ? path.join(root, 'extension') : projectRoot;
  if (options.pseudo) await writePseudoExtension(projectRoot, extension);
  const server = await launchServer({
    version: options.version ?? parseVsCodeVersion(process.env.SVC_TEST_VSCODE),
    folder: options.open?.(folder) ?? folder,
    port,
    settings,
    userDataDir: path.join(root, 'server'),
    ...(options.vsix === undefined ? { linkedExtension: extension } : { installVsix: options.vsix }),
    keybindings: await keysOfUnlisted(extension),
    otherExtensions: options.otherExtensions,
    cleanHome: true,
    workspaceTrust: options.workspaceTrust,
    env: { ...options.env, ...options.environment?.(folder) },
  });
  const windowOptions = options.pseudo ? { extensionFolder: extension, language: pseudoLanguage } : {};
  try {
    const browser = await openBrowser({
      persistentDir: path.join(root, 'profile'),
      viewport: options.viewport,
      scale: options.scale,
    });
    try {
      return { server, browser, window: await openWindow(server, browser, windowOptions) };
    } catch (error) {
      await browser.close();
      throw error;
    }
  } catch (error) {
    await server.close();
    throw error;
  }
}

/** Enters the key as a person does: command, password box. Resolves when it was checked and stored. */
export async function enterKey(session: Session, key = sessionKey): Promise<void> {
  const before = session.service.requests.length;
  // The palette, on its way out, is an input box too, and on a busy machine it may take the key's along.
  await waitFor('the box for the key', async () => {
    await session.window.runCommand('svc.setApiKey');
    await session.window.quickInput.widget.locator('input[type="password"]').waitFor({ timeout: 15_000 });
    return true;
  });
  await session.window.answerInputBox(key);
  await waitFor('the check of the key', () =>
    session.service.requests.slice(before).some((request) => request.method === 'POST'),
  );
  await waitFor('the key to be stored', async () => !/Set Key|Key rejected/.test(await session.window.statusBarText()));
}

async function closeEditor({ browser, server }: Editor): Promise<void> {
  await browser.close();
  await server.close();
}
