import { describeError, type TestEvent } from '../run/test-event.ts';
import { openBrowser } from '../vscode/browser.ts';
import { type LaunchOptions, launchServer } from '../vscode/launch.ts';
import { lineMarker } from './run-suite.ts';

export interface HostRun {
  launch: LaunchOptions;
  extensionDevelopmentPath: string;
  /** Absolute path of a CommonJS module with `run()`. */
  extensionTestsPath: string;
  /** What the suite tells, as it tells it. */
  onEvent(event: TestEvent): void;
  /** Each other console line of the window and its extension host. */
  onLine?(line: string): void;
  /** Neither an event nor a line for so long means that the host hangs. */
  quietMs?: number;
  /** Of the browser; its own unless given. */
  userAgent?: string;
}

/**
 * Runs a test module inside the extension host of a VS Code server, with a browser as its window. Resolves with what `run()`
 * came to: 0, or 1 when it rejected. Rejects when the page crashed or nothing was heard for `quietMs` (5 minutes), with the
 * end of the server's log in the message.
 */
export async function runInHost(run: HostRun): Promise<number> {
  const { launch, userAgent, quietMs = 300_000, extensionDevelopmentPath, extensionTestsPath } = run;
  const env = { SVC_TEST_EVENTS: 'json', ...launch.env };
  // Nobody clicks there: where they do, a cursor that never goes would lie over what is clicked.
  const settings = { 'editor.cursorBlinking': 'solid', ...launch.settings };
  const server = await launchServer({ ...launch, settings, env });
  try {
    // Nobody looks at it, and a small window costs less to draw.
    const browser = await openBrowser({ userAgent, viewport: { width: 900, height: 600 } });
    try {
      const page = await browser.newPage();
      const exit = Promise.withResolvers<number>();
      let lastSignAt = performance.now();
      await page.exposeFunction('codeAutomationLog', (_type: string, args: unknown) => {
        lastSignAt = performance.now();
        for (const line of toLines(args)) readLine(line, run);
      });
      await page.exposeFunction('codeAutomationExit', (code: number) => exit.resolve(code));
      page.once('crash', () => exit.reject(new Error('the browser page crashed')));
      const watchdog = setInterval(() => {
        if (performance.now() - lastSignAt < quietMs) return;
        const log = server.log().split('\n').slice(-30).join('\n');
        exit.reject(new Error(`no sign of life from the extension host for ${quietMs / 1000} s\n${log}`));
      }, 1000);
      try {
        await page.goto(server.url(launch.folder, { extensionDevelopmentPath, extensionTestsPath }), {
          timeout: quietMs,
        });
        return await exit.promise;
      } finally {
        clearInterval(watchdog);
      }
    } finally {
      await browser.close();
    }
  } finally {
    await server.close();
  }
}

function readLine(line: string, { onEvent, onLine }: HostRun): void {
  if (!line.startsWith(lineMarker)) {
    onLine?.(line);
    return;
  }
  try {
    onEvent(JSON.parse(line.slice(lineMarker.length)) as TestEvent);
  } catch (error) {
    // A line that cannot be read must not be taken for a test that never was.
    onEvent({ type: 'fail', title: `unreadable: ${line.slice(0, 200)}`, ...describeError(error) });
  }
}

/** The page gets what was passed to `console`, as a list or as the list's JSON. */
function toLines(args: unknown): string[] {
  const values: unknown[] = Array.isArray(args) ? args : [args];
  return values.flatMap((value) => (typeof value === 'string' ? value : JSON.stringify(value)).split('\n'));
}
