import { median } from '../base/median.ts';
import type { ChatEvent } from '../shared/events.ts';
import type { StoredValues } from '../storage/stored-values.ts';

export interface StepEstimate {
  follow(events: readonly ChatEvent[]): void;
  /** Returns how many requests usually follow: the median of the latest turns that were longer than `step`. */
  left(step: number): number;
  /**
   * Returns the tokens that a message usually costs whose first request has `firstTokens`: the median over the latest
   * messages of this mode and model, each with its requests and with all that they added. Undefined before the first.
   */
  usual(model: string, firstTokens: number): number | undefined;
}

/** `added` counts, over all requests of the message, the tokens beyond those of the first one. */
interface PaidMessage {
  requests: number;
  added: number;
}

const name = 'turnSteps';
const [fewTurns, maxTurns] = [5, 20];
const atFirst = 10;
const paidName = 'paidMessages';
const [maxPaid, maxPaidKinds] = [7, 30];

export function createStepEstimate(values: Pick<StoredValues, 'get' | 'update'>, mode: () => string): StepEstimate {
  const running = new Map<string, { steps: number; model: string; first?: number }>();
  const paid = () => values.get<Readonly<Record<string, readonly PaidMessage[]>>>(paidName) ?? {};
  const kindOf = (model: string) => `${mode()} ${model}`;
  const remember = (model: string, message: PaidMessage): void => {
    const { [kindOf(model)]: before = [], ...others } = paid();
    const kept = Object.entries(others).slice(-maxPaidKinds);
    const next = [...kept, [kindOf(model), [...before, message].slice(-maxPaid)]];
    void values.update(paidName, Object.fromEntries(next));
  };
  const known = () => values.get<readonly number[]>(name) ?? [];
  return {
    follow(events) {
      for (const event of events) {
        if (event.type === 'stepFinished') {
          const { step, requestedModel, attempts } = event;
          const first = running.get(event.turnId)?.first ?? attempts[0]?.usage?.promptTokens;
          running.set(event.turnId, { steps: step, model: requestedModel, first });
        }
        if (event.type !== 'turnEnded') continue;
        const turn = running.get(event.turnId);
        running.delete(event.turnId);
        if (turn === undefined) continue;
        const { steps, model, first } = turn;
        const { requests, totalTokens } = event.cost;
        if (first !== undefined && requests > 0 && event.outcome === 'finished') {
          remember(model, { requests, added: totalTokens - requests * first });
        }
        void values.update(name, [...known(), steps].slice(-maxTurns));
      }
    },
    left(step) {
      const longer = known().filter((steps) => steps > step);
      return (longer.length < fewTurns ? undefined : median(longer.map((steps) => steps - step))) ?? atFirst;
    },
    usual(model, firstTokens) {
      const middle = median((paid()[kindOf(model)] ?? []).map((one) => one.requests * firstTokens + one.added));
      return middle === undefined ? undefined : Math.max(firstTokens, Math.round(middle));
    },
  };
}
