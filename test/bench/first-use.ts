import { bundle } from './bundle.ts';
import type { FirstUseResult, FirstUseTask } from './host/task.ts';
import { performInHost } from './host-session.ts';
import type { Part } from './part.ts';
import { quietCandidates } from './quiet-extensions.ts';
import type { Round } from './statistics.ts';

/** P25: how long nobody else has the thread of the extension host while all of ours loads. */
export const firstUse: Part = {
  ids: ['P25'],
  measure: async (context) => {
    const { host } = await bundle();
    context.progress('Building the product');
    const ours = (await quietCandidates()).find(({ name }) => name === 'ours');
    if (ours === undefined) throw new Error('nothing of ours was built');
    const blocks: Round[] = [];
    const ready: Round[] = [];
    for (let index = 1; index <= context.rounds; index++) {
      context.progress(`P25, first use: round ${index} of ${context.rounds}`);
      // The lightest of the commands for which everything has to be there.
      const { extensionId, folder } = ours;
      const task: FirstUseTask = { kind: 'firstUse', extensionId, command: 'svc.showLog', idleMs: 3000 };
      const work = { browser: await context.browser(), hostModule: host, extension: folder, task, timeoutMs: 120_000 };
      const result = await performInHost<FirstUseResult>(work);
      blocks.push({ ours: result.maxBlockMs });
      ready.push({ ours: result.readyMs });
    }
    const about = { id: 'P25', unit: 'ms', ours: 'ours' } as const;
    const what = 'the longest block of the extension host: the first use';
    return [
      { ...about, what, rounds: blocks, comparisons: [{ by: 'alone', goal: 30 }] },
      { ...about, what: 'the first use, until all is there', rounds: ready, comparisons: [{ by: 'alone' }] },
    ];
  },
};
