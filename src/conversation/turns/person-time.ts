import type { Clock } from '../../base/clock.ts';
import { waiting } from '../../shared/event-traits.ts';
import type { ChatEvent } from '../../shared/events.ts';

export interface PersonTime {
  follow(event: ChatEvent): void;
  ms(): number;
}

export function createPersonTime({ epochMs }: Pick<Clock, 'epochMs'>): PersonTime {
  let open = 0;
  let since = 0;
  let sum = 0;
  return {
    follow(event) {
      const asks = waiting(event);
      if (asks === 'begins' && open++ === 0) since = epochMs();
      if (asks === 'ends' && open > 0 && --open === 0) sum += epochMs() - since;
    },
    ms: () => Math.max(0, open > 0 ? sum + epochMs() - since : sum),
  };
}
