const waiting = [];

/** Adds a job at the end. */
export function enqueue(job) {
  waiting.push(job);
}

export function next() {
  return waiting.shift();
}

export function clear() {
  waiting.length = 0;
}
