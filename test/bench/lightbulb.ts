import { bundle } from './bundle.ts';
import type { Figure } from './figure.ts';
import type { LightbulbResult, LightbulbTask } from './host/task.ts';
import { performInHost } from './host-session.ts';
import type { Part } from './part.ts';
import { quietCandidates } from './quiet-extensions.ts';
import type { Round } from './statistics.ts';

/** P17: what our code actions add to the lightbulb of a selection. */
export const lightbulb: Part = {
  ids: ['P17'],
  measure: async (context) => {
    const { host } = await bundle();
    context.progress('Building the product');
    const candidates = await quietCandidates();
    const medians: Round[] = [];
    const slowest: Round[] = [];
    for (let index = 1; index <= context.rounds; index++) {
      context.progress(`P17, lightbulb: round ${index} of ${context.rounds}`);
      const [median, p95]: [Round, Round] = [{}, {}];
      for (const { name, folder, extensionId } of candidates) {
        const task: LightbulbTask = { kind: 'lightbulb', extensionId };
        const browser = await context.browser();
        const work = { browser, hostModule: host, extension: folder, task, timeoutMs: 120_000 };
        const result = await performInHost<LightbulbResult>(work);
        if (result.actions > 0 !== (name === 'ours')) throw new Error(`${name} offered ${result.actions} actions`);
        median[name] = result.medianMs;
        p95[name] = result.p95Ms;
      }
      medians.push(median);
      slowest.push(p95);
    }
    return [figureOf('lightbulb of a selection, median', medians), figureOf('the same, 95 of 100', slowest)];
  },
};

function figureOf(what: string, rounds: readonly Round[]): Figure {
  const comparisons: Figure['comparisons'] = [{ by: 'difference', anchor: 'empty', goal: 2 }];
  return { id: 'P17', what, unit: 'ms', rounds, ours: 'ours', comparisons };
}
