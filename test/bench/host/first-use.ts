import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { longestBlockMsOf } from './measure.ts';
import type { FirstUseResult, FirstUseTask } from './task.ts';

/** P25: the first command of an extension that is active and has loaded nothing yet. */
export async function measureFirstUse(task: FirstUseTask): Promise<FirstUseResult> {
  await vscode.extensions.getExtension(task.extensionId)?.activate();
  await delay(task.idleMs);
  const from = performance.now();
  let readyMs = 0;
  const maxBlockMs = await longestBlockMsOf(async () => {
    await vscode.commands.executeCommand(task.command);
    readyMs = performance.now() - from;
  });
  return { maxBlockMs, readyMs };
}
