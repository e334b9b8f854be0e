import type { AttachmentKind } from '../messages.ts';
import type { ContextPick } from './context-pick.ts';

/** One row of the list that opens under `@`, `#` and `/`. */
export interface CompletionItem {
  /** Unique within the list. */
  id: string;
  icon: CompletionIcon;
  label: string;
  /** Where it is or what it does; of a row that cannot be chosen, why and what to use instead. */
  detail?: string;
  /** Absent: shown, but not to be chosen. */
  action?:
    | { type: 'attach'; pick: ContextPick }
    /** Replaces what was typed after the sign and goes on. */
    | { type: 'refine'; text: string }
    /** A slash command, without its slash. */
    | { type: 'command'; name: string };
}

export type CompletionIcon = AttachmentKind | 'codebase' | 'command';
