import type * as vscode from 'vscode';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import { createLaterNote } from '../../conversation/session/later-note.ts';
import type { PanelInfo } from '../../shared/panel/panel-info.ts';
import type { Review } from '../review/create-review.ts';

export interface PaneEditsDeps {
  session: ChatSession;
  review: Review;
  /** What the next message will tell of files that changed since. */
  onNoteChanged(): void;
}

/** What one view has to do with the edits of its conversation. */
export interface PaneEdits extends vscode.Disposable {
  /** What the chat shows of them. */
  shown(): Pick<PanelInfo, 'edits' | 'restored' | 'editOutcomes' | 'editParts'>;
  note(): string;
  /** Looks what became of the edited files, unless a turn runs: that looks for itself when it begins. */
  look(): void;
  forget(): void;
}

export function followEdits({ session, review, onNoteChanged }: PaneEditsDeps): PaneEdits {
  const later = createLaterNote({
    look: () => review.laterChanges(session.conversation().id, 'look'),
    onDidChange: onNoteChanged,
  });
  const look = () => {
    if (!session.conversation().running) void later.look();
  };
  const shown: PaneEdits['shown'] = () => {
    const { id } = session.conversation();
    const outcomes = review.outcomes(id);
    return {
      edits: review.files(id),
      restored: review.restored(id),
      editOutcomes: Object.fromEntries(outcomes.map(({ callId, outcome }) => [callId, outcome])),
      editParts: Object.fromEntries(outcomes.map(({ callId, parts }) => [callId, parts])),
    };
  };
  let last = '';
  // Told of every letter that is typed into an edited file: only what the chat shows of the edits counts here.
  const watching = review.onDidChange(() => {
    const now = JSON.stringify(shown());
    if (now === last) return;
    last = now;
    look();
  });
  return { shown, note: later.text, look, forget: later.forget, dispose: () => watching.dispose() };
}
