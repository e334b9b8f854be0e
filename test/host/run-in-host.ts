import { openBrowser } from '../vscode/browser.ts';
import { type Counts, parseCounts } from '../vscode/counts.ts';
import { type LaunchOptions, launchServer } from '../vscode/launch.ts';
import { lineMarker } from './run-suite.ts';

export interface HostRun {
  launch: LaunchOptions;
  extensionDevelopmentPath: string;
  /** Absolute path of a CommonJS module with `run()`. */
  extensionTestsPath: string;
  /** Each console line of the window and its extension host; `printed` on those that the suite wrote for the reader. */
  onLine(line: string, printed: boolean): void;
  timeoutMs?: number;
  /** Of the browser; its own unless given. */
  userAgent?: string;
}

export interface HostResult {
  /** What `run()` came to: 0, or 1 when it rejected. */
  exitCode: number;
  /** Undefined when the run died before its end. */
  counts: Counts | undefined;
}

/**
 * Runs a test module inside the extension host of a VS Code server, with a browser as its window. Rejects when nothing has
 * come to an end after `timeoutMs` (8 minutes), with the server's log in the message.
 */
export async function runInHost({
  launch,
  onLine,
  timeoutMs = 480_000,
  userAgent,
  ...paths
}: HostRun): Promise<HostResult> {
  const server = await launchServer(launch);
  try {
    const browser = await openBrowser({ userAgent });
    try {
      const page = await browser.newPage();
      let counts: Counts | undefined;
      await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown) => {
        for (const line of toLines(args)) {
          const marked = line.startsWith(lineMarker) ? line.slice(lineMarker.length) : undefined;
          const closing = marked === undefined ? undefined : parseCounts(marked);
          if (closing) counts = closing;
          else onLine(marked ?? line, marked !== undefined);
        }
      });
      const exit = Promise.withResolvers<number>();
      await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
      page.once('crash', () => exit.reject(new Error('the browser page crashed')));
      const timer = setTimeout(() => {
        exit.reject(new Error(`no result from the extension host after ${timeoutMs} ms\n${server.log()}`));
      }, timeoutMs);
      try {
        await page.goto(server.url(launch.folder, paths), { timeout: 120_000 });
        const exitCode = await exit.promise;
        return { exitCode, counts };
      } finally {
        clearTimeout(timer);
      }
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

/** The page gets what was passed to `console`, as a list or as the list's JSON. */
function toLines(args: unknown): string[] {
  const values: unknown[] = Array.isArray(args) ? args : [args];
  return values.flatMap((value) => (typeof value === 'string' ? value : JSON.stringify(value)).split('\n'));
}
