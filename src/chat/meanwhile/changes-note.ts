import { changesNote } from '../../agent/history.ts';
import { coalesced } from '../../base/coalesced.ts';
import type { ChangesSinceTurn } from '../../shared/events.ts';

export interface ChangesNoteDeps {
  peek(): Promise<ChangesSinceTurn | undefined>;
  changed(): void;
}

/** Holds what the next message will tell of what happened to the model's changes, as far as it is known. */
export function createChangesNote(deps: ChangesNoteDeps) {
  let text = '';
  let forgotten = 0;
  const peek = coalesced(async () => {
    const begun = forgotten;
    const later = await deps.peek();
    const next = later === undefined ? '' : changesNote(later);
    if (begun !== forgotten || next === text) return;
    text = next;
    deps.changed();
  });
  return {
    text: () => text,
    /** Must be called when something may have changed. Calls during a running check become one further check. */
    peek,
    forget(): void {
      forgotten++;
      text = '';
    },
  };
}
