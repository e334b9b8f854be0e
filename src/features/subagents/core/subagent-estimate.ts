import { median } from '../../../base/median.ts';
import type { ChatEvent } from '../../../shared/events.ts';
import { costMicroUsd } from '../../../shared/money.ts';
import type { StoredValues } from '../../../storage/stored-values.ts';

export interface SubagentEstimate {
  follow(events: readonly ChatEvent[]): void;
  microUsd(): number;
}

const name = 'subagentPrices';
const maxPrices = 20;
const atFirst = 10_000;

export function createSubagentEstimate(values: Pick<StoredValues, 'get' | 'update'>): SubagentEstimate {
  const running = new Map<string, number>();
  const known = () => values.get<readonly number[]>(name) ?? [];
  return {
    follow(events) {
      for (const event of events) {
        if (event.type === 'subagentPaid') {
          const paid = event.attempts.filter(({ charge }) => charge !== 'no');
          const microUsd = paid.reduce((sum, { usage }) => sum + costMicroUsd(usage?.totalTokens ?? 0), 0);
          running.set(event.callId, (running.get(event.callId) ?? 0) + microUsd);
        }
        if (event.type === 'turnEnded') running.clear();
        if (event.type !== 'toolFinished') continue;
        const price = running.get(event.callId);
        running.delete(event.callId);
        // One that was stopped or failed does not say what an answer costs.
        if (price !== undefined && event.sub) void values.update(name, [...known(), price].slice(-maxPrices));
      }
    },
    microUsd: () => median(known(), atFirst),
  };
}
