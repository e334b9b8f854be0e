/** Runs all changes of the document together right before a frame is painted, so that the page is laid out once. */
export function createFrameQueue(requestFrame: (run: () => void) => void) {
  let first: (() => void)[] = [];
  let then: (() => void)[] = [];
  let asked = false;
  const run = () => {
    const changes = [...first, ...then];
    first = [];
    then = [];
    asked = false;
    for (const change of changes) change();
  };
  const ask = () => {
    if (!asked) requestFrame(run);
    asked = true;
  };
  return {
    /** Runs before the changes passed to `draw`, which also measure the resulting sizes. */
    prepare(change: () => void): void {
      first.push(change);
      ask();
    },
    draw(change: () => void): void {
      then.push(change);
      ask();
    },
  };
}
