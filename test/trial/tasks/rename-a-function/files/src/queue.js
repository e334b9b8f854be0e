const waiting = [];

/** Adds a job at the end. */
export function push(job) {
  waiting.push(job);
}

export function next() {
  return waiting.shift();
}

export function clear() {
  waiting.length = 0;
}
