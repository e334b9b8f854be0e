import type { TextFormat } from '../../files/file-text.ts';
import type { Place } from '../../files/workspace.ts';
import type { AppliedNote } from './applied-note.ts';

export type FileChange =
  | {
      kind: 'write';
      place: Place;
      /** This text must still be in the file, with its line ends; when it is absent, no file may exist there. */
      before?: string;
      after: string;
      format: TextFormat;
      /** Is true when the user saw exactly this text and kept it, so that nothing is left to review. */
      decided: boolean;
    }
  | { kind: 'delete'; place: Place; before?: string; format?: TextFormat }
  | { kind: 'rename'; place: Place; to: Place };

export interface AppliedChange {
  /** The text is present only when saving changed more than was asked for (format on save). */
  text?: string;
  note?: AppliedNote;
}

export interface EditPort {
  isWritable(place: Place): Promise<boolean>;
  /**
   * Makes the change as one step for Undo and saves it. Checks in the same tick as the write that `before` is what is
   * there. If not, or when it cannot write, it rejects with `ToolError` and has changed nothing.
   */
  apply(change: FileChange, call: { turnId: string; callId: string }): Promise<AppliedChange>;
}

/** Records what a turn changes, for its checkpoint. Undefined bytes mean that there is no file. */
export interface EditJournal {
  /** Resolves when the old bytes are safe; nothing is written before. The same file may come again within a turn. */
  willChange(turnId: string, place: Place, before: Uint8Array | undefined): Promise<void>;
  didChange(turnId: string, place: Place, after: Uint8Array | undefined): Promise<void>;
}

export const noJournal: EditJournal = { willChange: async () => undefined, didChange: async () => undefined };

export type ChangedFile = [place: Place, before: Uint8Array | undefined, after: Uint8Array | undefined];

export interface CommandJournal extends EditJournal {
  /**
   * Begins to watch who else writes files. The returned function, which must be called once, takes what the command
   * changed into the review of edits.
   */
  watch?(): (changes: readonly ChangedFile[], call: { turnId: string; callId: string }) => Promise<void>;
}

export interface EditProposal {
  turnId: string;
  callId: string;
  place: Place;
  path: string;
  before: string;
  after: string;
  isNew: boolean;
}

export interface EditReviewer {
  /** `text` is what the user left. Rejects when the signal is aborted. */
  review(
    proposal: EditProposal,
    signal: AbortSignal,
  ): Promise<{ decision: 'keep'; text: string } | { decision: 'undo'; reason: string }>;
}

export type EditMode = 'ask' | 'apply' | 'review';

/** The policy is read at every call, from settings that a workspace cannot change. */
export interface EditPolicy {
  mode(): EditMode;
  /** Covers only the user's own additions to the protected files. */
  isProtected(path: string): boolean;
}
