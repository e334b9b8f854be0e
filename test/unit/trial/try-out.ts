import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { systemClock } from '../../../src/base/clock.ts';
import { createDirectFetch } from '../../../src/service/wire/direct-fetch.ts';
import { type LocalService, type ServiceScript, startLocalService } from '../../service/local-service.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import type { TrialTask } from '../../trial/task.ts';
import { runTrial, type TrialEnd, type TrialInput } from '../../trial/trial.ts';

export const key = 'sk-svc-trial-0123456789abcdef';
export const model = 'svc/glm-5.3';

export interface TriedOut {
  end: TrialEnd;
  said: string[];
  /** By name, as they were written. */
  files: Map<string, string>;
  report: string;
  service: LocalService;
}

/** Runs a trial against the local service, without a pause anywhere. */
export async function tryOut(
  tasks: readonly TrialTask[],
  script: ServiceScript,
  more: Partial<TrialInput> = {},
): Promise<TriedOut> {
  const service = await startLocalService({ keys: [key], script });
  const direct = createDirectFetch();
  const said: string[] = [];
  try {
    return await withTempDir(async (dir) => {
      const reportDir = path.join(dir, 'report');
      const end = await runTrial({
        ...{ baseUrl: service.baseUrl, key, models: [model], tasks, maxUsd: 1, reportDir, maxTaskMs: 600_000 },
        clock: { ...systemClock, sleep: async () => undefined },
        transport: direct,
        timeouts: { firstEventMs: 60_000, idleMs: 60_000 },
        signal: new AbortController().signal,
        agree: async () => true,
        say: (line) => void said.push(line),
        ...more,
      });
      const names = await readdir(reportDir, { recursive: true, withFileTypes: true }).catch(() => []);
      const files = new Map<string, string>();
      for (const entry of names) {
        const file = path.join(entry.parentPath, entry.name);
        if (entry.isFile()) files.set(path.relative(reportDir, file), await readFile(file, 'utf8'));
      }
      return { end, said, files, report: files.get('report.md') ?? '', service };
    });
  } finally {
    await Promise.all([direct.close(), service.close()]);
  }
}

/** The words behind the name of a task in the line that is said of it. */
export function endOf(name: string, { said }: Pick<TriedOut, 'said'>): string | undefined {
  return said.map((line) => new RegExp(` ${name}: ([^,]*)`).exec(line)?.[1]).find((end) => end !== undefined);
}
