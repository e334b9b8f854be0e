/** Runs steps one after the other, in the order in which they were given, whatever came of those before. */
export function createSerial(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = last.then(step, step);
    last = done;
    // Whoever gave the step is told; here the rejection only must not count as unhandled.
    done.catch(() => undefined);
    return done;
  };
}
