/** Runs what changes the document right before a frame is painted, all of it together: the page is laid out once. */
export interface FrameQueue {
  /** Before what `draw` was given, because that also looks at the sizes that come out. */
  prepare(change: () => void): void;
  draw(change: () => void): void;
}

export function createFrameQueue(requestFrame: (run: () => void) => void): FrameQueue {
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
    prepare(change) {
      first.push(change);
      ask();
    },
    draw(change) {
      then.push(change);
      ask();
    },
  };
}
