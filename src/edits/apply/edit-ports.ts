import type { TextFormat } from '../../files/file-text.ts';
import type { Place } from '../../files/workspace.ts';
import type { AppliedNote } from './applied-note.ts';

/** Ports of the edit tools to the editor. `vscode/edits/file-writer.ts` and plain Node in tests implement them. */

export type FileChange =
  | {
      kind: 'write';
      /** Where the file really is: no part of the path is a link. */
      place: Place;
      /** The text that must still be there, with its line ends; absent: nothing may be there. */
      before?: string;
      after: string;
      format: TextFormat;
      /** The user saw this very text and kept it: there is nothing left to review. */
      decided: boolean;
    }
  /** `before` as above, with its format: for files that are text. */
  | { kind: 'delete'; place: Place; before?: string; format?: TextFormat }
  | { kind: 'rename'; place: Place; to: Place };

export interface AppliedChange {
  /** The text as it is now, when saving changed more (format on save); absent: exactly the one that was asked for. */
  text?: string;
  note?: AppliedNote;
}

export interface EditPort {
  /** False where the file or its file system takes no writes. */
  isWritable(place: Place): Promise<boolean>;
  /**
   * One step for Undo, and saved. Checks again, in the same tick as it writes, that `before` is what is there;
   * else, and when it cannot write, rejects with `ToolError` and has changed nothing.
   */
  apply(change: FileChange, call: { turnId: string; callId: string }): Promise<AppliedChange>;
}

/** Keeps what a turn changes, for its checkpoint. `undefined` bytes: there is no file. */
export interface EditJournal {
  /** Resolves when the old bytes are safe; nothing is written before. The same file may come again in a turn. */
  willChange(turnId: string, place: Place, before: Uint8Array | undefined): Promise<void>;
  didChange(turnId: string, place: Place, after: Uint8Array | undefined): Promise<void>;
}

export interface EditProposal {
  turnId: string;
  callId: string;
  place: Place;
  /** As displayed. */
  path: string;
  before: string;
  after: string;
  isNew: boolean;
}

/** `review` mode: the user sees a proposal, may change it, and decides. */
export interface EditReviewer {
  /** `text` is what the user left. Rejects when the signal is aborted. */
  review(
    proposal: EditProposal,
    signal: AbortSignal,
  ): Promise<{ decision: 'keep'; text: string } | { decision: 'undo'; reason: string }>;
}

export type EditMode = 'ask' | 'apply' | 'review';

/** Read at every call, from settings that a workspace cannot change. */
export interface EditPolicy {
  mode(): EditMode;
  /** The user's own additions to the protected files. */
  isProtected(path: string): boolean;
}
