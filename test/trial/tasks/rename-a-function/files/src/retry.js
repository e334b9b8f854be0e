import * as queue from './queue.js';

export function retry(job, times) {
  for (let at = 0; at < times; at++) queue.push({ id: `${job.id}#${at}`, run: job.run });
}
