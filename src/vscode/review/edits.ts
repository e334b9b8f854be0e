import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../agent/tool.ts';
import { createCheckpoints } from '../../conversation/store/checkpoints.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { DurableEvent } from '../../shared/events.ts';
import type { EditMode } from '../../tools/edit/edit-ports.ts';
import { createWrittenFiles, type WrittenFiles } from '../../tools/edit/later-changes.ts';
import { type EditToolDeps, writeLateProposal } from '../../tools/edit/plan-write.ts';
import { createReadTracker, type ReadTracker } from '../../tools/edit/read-tracker.ts';
import { createGlob } from '../../tools/files/glob.ts';
import { displayPath, type Files, type Place, type Workspace } from '../../tools/files/workspace.ts';
import type { EditActions } from '../chat/panel-actions.ts';
import { readStateFile } from '../host/state-file.ts';
import { placeOf } from '../workspace/place-uri.ts';
import { storedProposals } from './edit-proposals.ts';
import { createEditReview, type EditCommands, type EditContextKey, type EditReview } from './edit-review.ts';
import { createEditStore, type EditStore } from './edit-store.ts';
import { createFileWriter } from './file-writer.ts';
import { createRestoring, type RestoredFiles } from './restore-checkpoint.ts';

export interface EditingDeps {
  workspace: Workspace;
  files: Files;
  /** `svc.edits.mode` and `svc.edits.protectedFiles`, of application scope: a workspace must not set them. */
  settings: { editMode(): EditMode; protectedFiles(): readonly string[] };
  /** The extension's global storage. */
  globalDir: string;
  /** The files, in the extension's storage for this workspace, that hold what is undecided; absent without a folder. */
  kept?: { pending: string; proposals: string; outcomes: string };
  setContext(key: EditContextKey, value: boolean): void;
  /** The conversation of this turn; that of the active view when no live one has it. */
  state(turnId?: unknown): ChatState;
  /** The one of the chat that was used last. */
  conversationAtHand(): string;
  /** Undefined for a conversation that is not stored any more. */
  titleOf(conversationId: string): Promise<string | undefined>;
  log: { error(line: string, error?: unknown): void };
}

/** The undecided edits of all kinds. */
export type PendingEdits = Pick<EditStore, 'hunks' | 'writing' | 'keep' | 'refresh' | 'onDidType' | 'onDidChange'> &
  Pick<EditReview, 'undoHunks'>;

export type OnTaken = (event: Extract<DurableEvent, { type: 'checkpointTaken' }>) => void;

/** What changing files needs: the review of the edits and their checkpoints. `editing.ts` makes it on first use. */
export interface Edits extends vscode.Disposable {
  /** For the edit tools of one conversation; `written` follows what they write. */
  toolDeps(conversationId: string, tracker: ReadTracker, onTaken: OnTaken): EditToolDeps & { written: WrittenFiles };
  files: EditReview['files'];
  outcomes: EditReview['outcomes'];
  /** For edits that no tool makes: told of them before they are applied, the review takes them in like the others. */
  pending: PendingEdits;
  /** What was restored last, while it can be undone. */
  restored(conversationId: string): RestoredFiles | undefined;
  onDidChange: vscode.Event<void>;
  commands: EditCommands & Record<'svc.restoreCheckpoint', (turnId?: unknown) => Promise<void>>;
  actions: EditActions;
}

export async function createEdits(deps: EditingDeps): Promise<Edits> {
  const { workspace, files, log, kept } = deps;
  const store = await createEditStore({
    file: kept?.pending,
    ...(kept && { outcomesFile: kept.outcomes }),
    onError: (error) => log.error('The undecided edits could not be stored or read', error),
  });
  const writer = createFileWriter(workspace, store);
  const checkpoints = createCheckpoints({
    dir: path.join(deps.globalDir, 'checkpoints'),
    workspace,
    files: writer.files,
    clock: { epochMs: Date.now },
    newId: randomUUID,
  });
  const policy = { mode: deps.settings.editMode, isProtected: protectedBy(deps.settings.protectedFiles) };
  const storage = {
    file: kept?.proposals,
    onError: (error: unknown) => log.error('The open proposals could not be stored or read', error),
  };
  const changed = new vscode.EventEmitter<void>();
  const titles = createTitles(deps, () => changed.fire());
  const review: EditReview = createEditReview({
    store,
    codec: workspace.codec,
    proposals: {
      storage,
      stored: await readStateFile(storage, storedProposals),
      async keepExpired({ root: uri, place, conversationId = '', turnId, callId, before, isNew }, text) {
        const root = workspace.roots().find((candidate) => candidate.uri === uri);
        if (root === undefined) throw new ToolError('Its folder is not open.');
        const typed = displayPath(workspace, { root, path: place });
        await writeLateProposal(
          toolDeps(conversationId, createReadTracker(), () => undefined),
          { typed, turnId, callId, before, isNew },
          text,
        );
      },
    },
    setContext: deps.setContext,
    conversationAtHand: deps.conversationAtHand,
    titleOf: titles.of,
    aroundUndo: (uris, undo) => checkpoints.follow(placesOf(workspace, uris), undo),
  });
  const restoring = createRestoring({ checkpoints, state: deps.state });
  const toolDeps: Edits['toolDeps'] = (conversationId, tracker, onTaken) => {
    const written = createWrittenFiles({ workspace, files });
    const journal = written.follow(
      checkpoints.journal((event) => {
        restoring.dismiss();
        onTaken(event);
      }),
    );
    const [port, reviewer] = [writer.portFor(conversationId), review.reviewerFor(conversationId)];
    return { workspace, files, port, policy, reviewer, journal, tracker, written };
  };
  const { commands } = review;
  const listening = vscode.Disposable.from(
    changed,
    review.onDidChange(() => changed.fire()),
    restoring.onDidChange(() => changed.fire()),
  );
  return {
    toolDeps,
    files: review.files,
    outcomes: review.outcomes,
    pending: { ...store, undoHunks: review.undoHunks },
    restored: restoring.last,
    onDidChange: changed.event,
    commands: { ...commands, 'svc.restoreCheckpoint': restoring.restore },
    actions: {
      all: review.decideAll,
      file: review.decideFile,
      restore: restoring.restore,
      async restored(action) {
        if (action === 'undo') await restoring.undoLast();
        else restoring.dismiss();
      },
    },
    dispose() {
      listening.dispose();
      restoring.dispose();
      review.dispose();
      store.dispose();
      checkpoints.close().catch((error: unknown) => log.error('Closing the checkpoints failed', error));
    },
  };
}

/** Titles of conversations as far as they are known; `onKnown` when one is that was asked for. */
function createTitles({ titleOf, log }: Pick<EditingDeps, 'titleOf' | 'log'>, onKnown: () => void) {
  const titles = new Map<string, string>();
  const find = async (id: string) => {
    titles.set(id, '');
    const title = await titleOf(id);
    if (title === undefined || title === '') return;
    titles.set(id, title);
    onKnown();
  };
  return {
    of(id: string): string | undefined {
      if (!titles.has(id)) find(id).catch((error: unknown) => log.error('The title of a chat is not known', error));
      return titles.get(id) || undefined;
    },
  };
}

function placesOf(workspace: Workspace, uris: readonly vscode.Uri[]): Place[] {
  return uris.flatMap((uri) => placeOf(workspace, uri) ?? []);
}

/** A glob that cannot be read protects everything: the user meant some file by it. */
function protectedBy(globs: () => readonly string[]): (path: string) => boolean {
  return (relative) =>
    globs().some((glob) => {
      const matches = createGlob(glob.includes('/') ? glob : `**/${glob}`);
      return matches === undefined || matches(relative);
    });
}
