import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { collectGarbage, cpuMsOf, longestBlockMsOf, memoryMb } from './measure.ts';
import type { ActivationResult, ActivationTask } from './task.ts';

/** How long after activation blocks are watched for: the timer that does it costs CPU itself. */
const watchedMs = 1000;

/** P8 and P9 of one extension that nothing has activated yet. */
export async function measureActivation(task: ActivationTask): Promise<ActivationResult> {
  const extension = vscode.extensions.getExtension(task.extensionId);
  if (extension === undefined) throw new Error(`${task.extensionId} is not installed`);
  await delay(task.idleMs);
  if (extension.isActive) throw new Error(`${task.extensionId} was activated by something else`);
  const cpuBeforeMs = await cpuMsOf(() => delay(task.afterMs));
  await collectGarbage();
  const before = memoryMb();
  let activateMs = 0;
  let activateCpuMs = 0;
  let cpuAfterMs = 0;
  const maxBlockMs = await longestBlockMsOf(async () => {
    activateCpuMs = await cpuMsOf(async () => {
      const from = performance.now();
      await extension.activate();
      activateMs = performance.now() - from;
    });
    cpuAfterMs = await cpuMsOf(() => delay(watchedMs));
  });
  cpuAfterMs += await cpuMsOf(() => delay(task.afterMs - watchedMs));
  await collectGarbage();
  return { activateMs, activateCpuMs, maxBlockMs, cpuAfterMs, cpuBeforeMs, memoryMb: memoryMb() - before };
}
