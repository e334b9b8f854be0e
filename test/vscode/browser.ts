import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';

export interface BrowserOptions {
  /** Profile folder that outlives the browser: what is in SecretStorage lives there. */
  persistentDir?: string;
  headless?: boolean;
  viewport?: { width: number; height: number };
  /** Pixels of a picture to one of the page. */
  scale?: number;
  /** VS Code takes its keys from the system that this names. */
  userAgent?: string;
}

export interface TestBrowser {
  /** All pages share one profile. */
  context: BrowserContext;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/** The same browser without what only a person needs: a test costs about a sixth less of the processor. */
const headlessShell = '/usr/bin/chromium-headless-shell';

const installedBrowsers = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-dev-shm-usage',
];

/**
 * Absolute path of a Chromium: `CHROME_PATH`, an installed one, else the one of `chromium/`, which unpacks itself and
 * its libraries into the temporary folder (Linux x64 only). Rejects with what to install when there is none.
 */
async function findBrowser(headless: boolean): Promise<string> {
  const shell = headless ? [headlessShell] : [];
  for (const candidate of [process.env.CHROME_PATH ?? '', ...shell, ...installedBrowsers]) {
    if (candidate !== '' && (await exists(candidate))) return candidate;
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error('no browser found: install Chrome or Chromium, or set CHROME_PATH');
  }
  // Without this the package takes the system for one that needs no libraries of its own.
  process.env.AWS_LAMBDA_JS_RUNTIME = 'nodejs22.x';
  return (await loadPackaged()).executablePath();
}

/** Has a package of its own, which is installed on demand, as who has a browser needs no other. */
async function loadPackaged(): Promise<{ executablePath(): Promise<string> }> {
  const cwd = path.join(import.meta.dirname, 'chromium');
  if (!(await exists(path.join(cwd, 'node_modules/.package-lock.json')))) {
    process.stderr.write('No browser is installed: getting one from the npm registry …\n');
    await promisify(execFile)('npm', ['ci', '--no-audit', '--no-fund', '--silent'], { cwd });
  }
  return createRequire(path.join(cwd, 'package.json'))('@sparticuz/chromium');
}

/** Unpacks the packaged browser where it is needed: processes that find it half unpacked by another cannot start it. */
export async function unpackBrowser(): Promise<void> {
  // Whoever needs a browser says that there is none.
  await findBrowser(true).catch(() => undefined);
}

/** Starts a browser; the caller closes it. */
export async function openBrowser(options: BrowserOptions = {}): Promise<TestBrowser> {
  // Signals are the caller's: the default handlers close the browser and let the rest wait for it.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const headless = options.headless ?? true;
  const launch = { executablePath: await findBrowser(headless), headless, args: flags, ...signals };
  const view = {
    viewport: options.viewport ?? { width: 1400, height: 900 },
    ...(options.scale === undefined ? {} : { deviceScaleFactor: options.scale }),
    ...(options.userAgent === undefined ? {} : { userAgent: options.userAgent }),
    permissions: ['clipboard-read', 'clipboard-write'],
  };
  let browser: Browser | undefined;
  let context: BrowserContext;
  if (options.persistentDir === undefined) {
    browser = await chromium.launch(launch);
    context = await browser.newContext(view);
  } else {
    context = await chromium.launchPersistentContext(options.persistentDir, { ...launch, ...view });
  }
  // Only what hangs gets that far: on a busy machine everything takes its time.
  context.setDefaultTimeout(180_000);
  return {
    context,
    newPage: () => context.newPage(),
    close: async () => {
      await context.close();
      await browser?.close();
    },
  };
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
