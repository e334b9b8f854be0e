export function createSerial(): <T>(step: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return (step) => {
    const done = last.then(step, step);
    last = done;
    // The caller gets the rejection; here it only must not count as unhandled.
    done.catch(() => undefined);
    return done;
  };
}
