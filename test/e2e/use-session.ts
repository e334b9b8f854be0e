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
    const picture = await session.window.screenshot(`failed-${name}`);
    console.log(`picture: ${picture}\nserver:\n${session.server.log()}\nwindow:\n${tail(session.window.console())}`);
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
