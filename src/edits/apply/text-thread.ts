import { parentPort, workerData } from 'node:worker_threads';
import { performTextJob, type TextJob } from './text-work.ts';

parentPort?.postMessage(performTextJob(workerData as TextJob));
