import { laterChangesNote } from '../../agent/history.ts';
import { coalesced } from '../../base/coalesced.ts';
import type { LaterChanges } from '../../shared/events.ts';

export interface LaterNoteDeps {
  /** Reads every file that the conversation has changed. */
  peek(): Promise<LaterChanges | undefined>;
  changed(): void;
}

/** The note that the next message of a chat will carry about what became of the model's changes, as far as it is known. */
export interface LaterNote {
  /** Empty when there is nothing to tell. Reads no file. */
  text(): string;
  /** Something may have changed. Looks that are asked for during one become one more. */
  peek(): Promise<void>;
  /** A message has told it, or the chat shows another conversation. */
  forget(): void;
}

export function createLaterNote(deps: LaterNoteDeps): LaterNote {
  let text = '';
  /** Counts what makes a look that is under way worthless. */
  let forgotten = 0;
  const peek = coalesced(async () => {
    const begun = forgotten;
    const later = await deps.peek();
    const next = later === undefined ? '' : laterChangesNote(later);
    if (begun !== forgotten || next === text) return;
    text = next;
    deps.changed();
  });
  return {
    text: () => text,
    peek,
    forget() {
      forgotten++;
      text = '';
    },
  };
}
