import { after, afterEach, before } from 'mocha';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { type Session, type SessionOptions, startSession } from './session.ts';

// A killed run must end the servers that it started.
exitOnSignal();

/**
 * Gives the enclosing `describe` one session: started before its first test, closed after its last. After a failed test
 * there is a picture in `out/screenshots/` and what VS Code logged is printed. Call the result inside tests.
 */
export function useSession(options?: SessionOptions): () => Session {
  let session: Session | undefined;
  before(async function () {
    this.timeout(360_000);
    session = await startSession(options);
  });
  afterEach(async function () {
    if (this.currentTest?.state !== 'failed' || session === undefined) return;
    const name = this.currentTest.fullTitle().replace(/[^\w-]+/g, '-');
    // A window that does not even give a picture must not fail the tests that follow.
    const picture = await session.window.screenshot(`failed-${name}`).catch(String);
    console.log(
      `picture: ${picture}\nserver:\n${tail(session.server.log())}\nwindow:\n${tail(session.window.console())}`,
    );
    // Nor must a question that still stands there.
    for (let times = 0; times < 2; times++) await session.window.page.keyboard.press('Escape').catch(String);
  });
  after(async function () {
    this.timeout(240_000);
    await session?.close();
  });
  return () => {
    if (session === undefined) throw new Error('the session starts in `before`: use it inside a test');
    return session;
  };
}

function tail(text: string): string {
  return text.split('\n').slice(-60).join('\n');
}
