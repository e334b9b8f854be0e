import { mkdir, readFile, realpath, rm } from 'node:fs/promises';
import path from 'node:path';
import { makeTempDir } from '../../support/temp-dir.ts';
import { openBrowser, type TestBrowser } from '../../vscode/browser.ts';
import { launchServer } from '../../vscode/launch.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { openWindow, type VsCodeWindow } from '../../vscode/window.ts';
import { projectRoot } from '../bundle.ts';
import { buildProduct } from '../package-product.ts';
import { type PacedServer, startPacedServer } from './paced-server.ts';

export const plainExtension = path.join(import.meta.dirname, '../plain-extension');

/** VS Code with our extension, a key, and the plain one beside it. */
export interface Editor {
  browser: TestBrowser;
  /** A window on a workspace that was never open before. */
  freshWindow(fill?: (folder: string) => Promise<void>): Promise<VsCodeWindow>;
  /** The files of our `dist/`, relative to it, that the extension host of this window has read so far. */
  loadedIn(window: VsCodeWindow): Promise<readonly string[]>;
  close(): Promise<void>;
}

const key = 'sk-svc-demo-bench-0123456789abcdef';

/** `origin` is that of the service; the key is entered as a person does. */
async function openEditor(origin: string): Promise<Editor> {
  const temp = await makeTempDir('svc-bench-');
  const settings = {
    'svc.baseUrl': `${origin}/v1`,
    // Nothing is shown but what is measured.
    'workbench.secondarySideBar.defaultVisibility': 'hidden',
    'chat.disableAIFeatures': false,
  };
  const listFile = path.join(temp.path, 'loaded.json');
  const server = await launchServer({
    settings,
    userDataDir: path.join(temp.path, 'server'),
    linkedExtension: projectRoot,
    otherExtensions: [plainExtension],
    cleanHome: true,
    env: { SVC_BENCH_ORIGIN: origin, SVC_BENCH_LOADED: listFile },
  });
  const browser = await openBrowser({ persistentDir: path.join(temp.path, 'profile') });
  let count = 0;
  const freshWindow: Editor['freshWindow'] = async (fill) => {
    const folder = path.join(temp.path, `workspace-${count++}`);
    await mkdir(folder);
    await fill?.(folder);
    return openWindow({ ...server, folder }, browser);
  };
  const loadedIn = async (window: VsCodeWindow) => {
    await rm(listFile, { force: true });
    await window.runCommand('Plain: List What Is Loaded');
    const list = await waitFor('what is loaded', async () => JSON.parse(await readFile(listFile, 'utf8')) as string[], {
      timeoutMs: 60_000,
    });
    const dist = path.join(await realpath(projectRoot), 'dist/');
    return list.filter((file) => file.startsWith(dist)).map((file) => file.slice(dist.length));
  };
  const close = async () => {
    await browser.close();
    await server.close();
    await temp.remove();
  };
  try {
    const window = await freshWindow();
    await enterKey(window);
    await window.close();
  } catch (error) {
    await close();
    throw error;
  }
  return { browser, freshWindow, loadedIn, close };
}

async function enterKey(window: VsCodeWindow): Promise<void> {
  await window.runCommand('svc.setApiKey');
  await window.quickInput.widget.locator('input[type="password"]').waitFor();
  await window.answerInputBox(key);
  await waitFor('the key to be stored', async () => !/Set Key|Key rejected/.test(await window.statusBarText()), {
    timeoutMs: 60_000,
  });
}

/** Builds the product and hands over a window with it, fed by a server of its own; ends both afterwards. */
export async function withEditor<T>(use: (editor: Editor, server: PacedServer) => Promise<T>): Promise<T> {
  await buildProduct();
  const server = await startPacedServer();
  try {
    const editor = await openEditor(server.origin);
    try {
      return await use(editor, server);
    } finally {
      await editor.close();
    }
  } finally {
    await server.close();
  }
}
