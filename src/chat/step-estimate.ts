import { median } from '../base/median.ts';
import type { ChatEvent } from '../shared/events.ts';
import type { StoredValues } from '../storage/stored-values.ts';

export interface StepEstimate {
  follow(events: readonly ChatEvent[]): void;
  /** Returns how many requests usually follow: the median of the latest turns that were longer than `step`. */
  left(step: number): number;
}

const name = 'turnSteps';
const maxTurns = 20;
const atFirst = 10;

export function createStepEstimate(values: Pick<StoredValues, 'get' | 'update'>): StepEstimate {
  const running = new Map<string, number>();
  const known = () => values.get<readonly number[]>(name) ?? [];
  return {
    follow(events) {
      for (const event of events) {
        if (event.type === 'stepFinished') running.set(event.turnId, event.step);
        if (event.type !== 'turnEnded') continue;
        const steps = running.get(event.turnId);
        running.delete(event.turnId);
        if (steps !== undefined) void values.update(name, [...known(), steps].slice(-maxTurns));
      }
    },
    left(step) {
      const longer = known().filter((steps) => steps > step);
      return median(
        longer.map((steps) => steps - step),
        atFirst,
      );
    },
  };
}
