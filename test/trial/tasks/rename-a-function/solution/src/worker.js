import { enqueue, next } from './queue.js';

/** Runs all jobs, also those that a job adds. */
export function work() {
  let done = 0;
  for (let job = next(); job !== undefined; job = next()) {
    job.run();
    done += 1;
  }
  return done;
}

export function later(id, run) {
  enqueue({ id, run });
}
