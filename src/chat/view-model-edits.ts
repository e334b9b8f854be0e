import { createEmitter, type Event } from '../base/emitter.ts';
import type { ChangesSinceTurn } from '../shared/events.ts';
import type { EditHunk, PanelInfo } from '../shared/panel/panel-info.ts';
import { createChangesNote } from './meanwhile/changes-note.ts';
import type { ChatViewModel } from './view-model.ts';

type Row = PanelInfo['edits'][number];
type Outcome = NonNullable<PanelInfo['editOutcomes']>[string];
type Parts = NonNullable<PanelInfo['editParts']>[string];

export interface EditsToRead {
  files(conversationId: string): Row[];
  outcomes(conversationId: string): readonly { callId: string; outcome: Outcome; parts: Parts }[];
  hunks(conversationId: string): readonly (EditHunk & { callId: string })[];
  laterChanges(conversationId: string, how: 'peek'): Promise<ChangesSinceTurn | undefined>;
  onDidChange: Event;
}

export interface ViewModelEdits {
  shown(): Pick<PanelInfo, 'edits' | 'editOutcomes' | 'editParts' | 'editHunks'>;
  note(): string;
  onDidChangeNote: Event;
  /** Checks the edited files, unless a turn runs, which checks for itself when it begins. */
  peek(): void;
  forget(): void;
  dispose(): void;
}

export function followEdits(viewModel: Pick<ChatViewModel, 'conversation'>, edits: EditsToRead): ViewModelEdits {
  const noteListeners = createEmitter();
  const later = createChangesNote({
    peek: () => edits.laterChanges(viewModel.conversation().id, 'peek'),
    changed: () => noteListeners.fire(),
  });
  const peek = () => {
    if (!viewModel.conversation().running) void later.peek();
  };
  const shown: ViewModelEdits['shown'] = () => {
    const { id } = viewModel.conversation();
    const outcomes = edits.outcomes(id);
    return {
      edits: edits.files(id),
      editOutcomes: Object.fromEntries(outcomes.map(({ callId, outcome }) => [callId, outcome])),
      editParts: Object.fromEntries(outcomes.map(({ callId, parts }) => [callId, parts])),
      editHunks: byCall(edits.hunks(id)),
    };
  };
  let last = '';
  // This fires for every letter typed into an edited file; only what the chat shows of the edits counts here.
  const watching = edits.onDidChange(() => {
    const now = JSON.stringify(shown());
    if (now === last) return;
    last = now;
    peek();
  });
  return {
    shown,
    note: later.text,
    onDidChangeNote: noteListeners.event,
    peek,
    forget: later.forget,
    dispose: () => watching.dispose(),
  };
}

function byCall(hunks: readonly (EditHunk & { callId: string })[]): Record<string, EditHunk[]> {
  const calls: Record<string, EditHunk[]> = {};
  for (const { callId, ...hunk } of hunks) {
    calls[callId] ??= [];
    calls[callId].push(hunk);
  }
  return calls;
}
