import { parentPort } from 'node:worker_threads';
import { performTextJob, type TextJob } from './text-work.ts';

parentPort?.on('message', (job: TextJob) => parentPort?.postMessage(performTextJob(job)));
