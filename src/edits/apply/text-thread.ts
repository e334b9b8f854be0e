import { parentPort, workerData } from 'node:worker_threads';
import { performTextJob, type TextJob } from './text-work.ts';

/** The thread of `text-work.ts`: one job, then it is ended. */
parentPort?.postMessage(performTextJob(workerData as TextJob));
