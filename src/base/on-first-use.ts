/**
 * What is made once, when it is first asked for; after a failure it is tried again. Together with `await import(…)`
 * it keeps code that a chat does not need out of what a chat loads.
 */
export function onFirstUse<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

type Handler = (...args: unknown[]) => unknown;

/** Commands whose code is read when the first of them runs. The record makes the compiler name a forgotten one. */
export function commandsOnFirstUse<Id extends string>(
  ids: Readonly<Record<Id, true>>,
  load: () => Promise<Readonly<Record<Id, Handler>>>,
): Record<Id, Handler> {
  const commands = onFirstUse(load);
  const entries = (Object.keys(ids) as Id[]).map((id) => {
    const run: Handler = async (...args) => (await commands())[id](...args);
    return [id, run];
  });
  return Object.fromEntries(entries);
}

/** The same for a port or anything else that consists of asynchronous functions. */
export function callsOnFirstUse<T extends { [Name in keyof T]: (...args: never[]) => Promise<unknown> }>(
  names: Readonly<Record<keyof T & string, true>>,
  load: () => Promise<T>,
): T {
  const untyped = load as unknown as () => Promise<Record<keyof T & string, Handler>>;
  return commandsOnFirstUse(names, untyped) as unknown as T;
}
