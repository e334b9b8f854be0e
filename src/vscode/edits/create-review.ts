import { randomUUID } from 'node:crypto';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Tool, ToolError } from '../../agent/tool.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import {
  type CommandJournal,
  type EditMode,
  type EditPort,
  type EditReviewer,
  noJournal,
} from '../../edits/apply/edit-ports.ts';
import { createWrittenFiles, type WrittenFiles } from '../../edits/apply/later-changes.ts';
import { type EditToolDeps, writeLateProposal } from '../../edits/apply/plan-write.ts';
import { createReadTracker, type ReadTracker, trackReads } from '../../edits/apply/read-tracker.ts';
import { createTextWork } from '../../edits/apply/text-work.ts';
import { createCheckpoints } from '../../edits/checkpoints/checkpoints.ts';
import { createProtection, type Protection } from '../../files/protection.ts';
import { displayPath, type Files, type Place, type Search, type Workspace } from '../../files/workspace.ts';
import type { ChatState } from '../../shared/chat/chat-state.ts';
import type { ChangesSinceTurn, DurableEvent } from '../../shared/events.ts';
import { openStateFile } from '../../storage/state-file.ts';
import { createEditTools } from '../../tools/all-tools.ts';
import { showWarning } from '../host/show-message.ts';
import { placeOf as placeOfUri } from '../workspace/place-uri.ts';
import { createWorkspace } from '../workspace/workspace-adapter.ts';
import type { WorktreePlaces } from '../workspace/worktree-places.ts';
import { createCommandReview } from './command-review.ts';
import { storedProposal } from './edit-proposals.ts';
import { createEditReview, type EditCommands, type EditContextKey, type EditReview } from './edit-review.ts';
import { createEditStore, type EditStore } from './edit-store.ts';
import { createFileWriter } from './file-writer.ts';
import { createRestoring, type Restoring } from './restore-checkpoint.ts';

export interface ReviewDeps {
  workspace: Workspace;
  files: Files;
  search: Search;
  /** Changes in worktrees are not reviewed, but they can be restored. */
  worktrees: Pick<WorktreePlaces, 'of' | 'roots' | 'holding'>;
  /** These settings have application scope, because a workspace must not set them. */
  settings: { editMode(): EditMode; protectedFiles(): readonly string[] };
  globalDir: string;
  /** Names the files in the workspace's storage that hold pending edits; absent without a folder. */
  kept?: { pending: string; proposals: string; outcomes: string };
  textThread: string;
  setContext(key: EditContextKey, value: boolean): void;
  /** Returns the state of the conversation with this turn, or of the active view when no open conversation has it. */
  state(turnId?: unknown): ChatState;
  conversationAtHand(): string;
  titleOf(conversationId: string): Promise<string | undefined>;
  log: { error(line: string, error?: unknown): void };
}

export type PendingEdits = Pick<
  EditStore,
  'get' | 'hunks' | 'begin' | 'beginRename' | 'keep' | 'refresh' | 'onDidType' | 'onDidChange'
> &
  Pick<EditReview, 'undoHunks'> & {
    /** Opens the pending edits that belong to no conversation. */
    showAll(): Promise<void>;
  };

type OnTaken = (event: Extract<DurableEvent, { type: 'checkpointTaken' }>) => void;

export interface EditActions {
  all(action: 'keepAll' | 'undoAll' | 'review', conversationId: string): Promise<void>;
  file(action: 'keep' | 'undo' | 'open', uri: string, conversationId: string): Promise<void>;
  part: EditReview['decidePart'];
  restore(turnId: string): Promise<void>;
}

export interface Review extends vscode.Disposable {
  /**
   * Returns all tools of one conversation: `others`, with a `read_file` that records what the model has read, and the
   * edit tools. That record lasts over the turns, even when the conversation is closed and reopened in this window.
   */
  toolsFor(conversationId: string, others: readonly Tool[]): readonly Tool[];
  /** Reports each checkpoint of this conversation to `onTaken` until the returned function is called. */
  begin(conversationId: string, onTaken: OnTaken): () => void;
  /** Returns later changes of files that this conversation's tools changed. `take` returns each change only once. */
  laterChanges(conversationId: string, how: 'peek' | 'take'): Promise<ChangesSinceTurn | undefined>;
  journal(conversationId: string, onTaken: OnTaken): CommandJournal;
  /** Changes workspace files as edits of this conversation without taking checkpoints. */
  port(conversationId: string): EditPort;
  protection(): Protection;
  files: EditReview['files'];
  outcomes: EditReview['outcomes'];
  hunks: EditReview['hunks'];
  /** Takes edits that are made without a tool, such as inline edits. They must be announced before they are applied. */
  pending: PendingEdits;
  restored: Pick<Restoring, 'last' | 'undoLast' | 'dismiss'>;
  onDidChange: vscode.Event<void>;
  commands: EditCommands & Record<'svc.restoreCheckpoint', (turnId?: unknown) => Promise<void>>;
  actions: EditActions;
}

/** Limits the number of conversations for which the review remembers how the model left the files. */
const maxConversations = 100;

export async function createReview(deps: ReviewDeps): Promise<Review> {
  const { workspace, files, search, log, kept } = deps;
  const onPartial = () =>
    showWarning(vscode.l10n.t("Some undecided edits couldn't be read. Nothing was deleted. See the log for details."));
  const store = await createEditStore({
    file: kept?.pending,
    onPartial,
    ...(kept && { outcomesFile: kept.outcomes }),
    onError: (error) => log.error('The undecided edits could not be stored or read', error),
  });
  const wrote = new vscode.EventEmitter<vscode.Uri>();
  const writer = createFileWriter(workspace, {
    ...store,
    begin(file) {
      wrote.fire(file.uri);
      return store.begin(file);
    },
  });
  const reviewCommand = createCommandReview({ workspace, store, onDidWrite: wrote.event });
  const checkpoints = createCheckpoints({
    dir: path.join(deps.globalDir, 'checkpoints'),
    workspace: createWorkspace(() => [...workspace.roots(), ...deps.worktrees.roots()]).workspace,
    shown: (place) => displayPath(deps.worktrees.holding(place.root) ?? workspace, place),
    files: writer.files,
    clock: { epochMs: Date.now },
    newId: randomUUID,
  });
  const protection = createProtection(deps.settings.protectedFiles);
  const policy = { mode: deps.settings.editMode, isProtected: (relative: string) => protection()(relative) };
  const storage = await openStateFile(
    {
      file: kept?.proposals,
      onPartial,
      onError: (error) => log.error('The open proposals could not be stored or read', error),
    },
    storedProposal,
  );
  const work = createTextWork(deps.textThread);
  const restoring = createRestoring({ checkpoints, state: deps.state });
  const here = { workspace, files, search, policy };
  const placeOf = (conversationId: string) => {
    const there = deps.worktrees.of(conversationId);
    // In a worktree edits are applied at once: they are reviewed when they are brought back.
    return there
      ? { ...there, policy: { ...policy, mode: (): EditMode => 'apply' } }
      : { ...here, port: writer.portFor(conversationId) };
  };
  const toolDeps = (
    conversationId: string,
    tracker: ReadTracker,
    onTaken: OnTaken,
    reviewer: EditReviewer,
  ): EditToolDeps & { written: WrittenFiles } => {
    const place = placeOf(conversationId);
    const { workspace, files, search } = place;
    const written = createWrittenFiles(place);
    const journal = written.follow(
      checkpoints.journal((event) => {
        restoring.dismiss();
        onTaken(event);
      }),
    );
    const { port } = place;
    return { workspace, files, search, port, policy: place.policy, reviewer, journal, tracker, work, written };
  };
  const changed = new vscode.EventEmitter<void>();
  const titles = createTitles(deps, () => changed.fire());
  const review: EditReview = createEditReview({
    store,
    codec: workspace.codec,
    proposals: {
      storage,
      async keepExpired({ root: uri, place, conversationId = '', turnId, callId, before, isNew }, text, reviewer) {
        const root = workspace.roots().find((candidate) => candidate.uri === uri);
        if (root === undefined) throw new ToolError('Its folder is not open.');
        const typed = displayPath(workspace, { root, path: place });
        await writeLateProposal(
          toolDeps(conversationId, createReadTracker(), () => undefined, reviewer),
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
  const turns = new Map<string, OnTaken>();
  const toolsOf = (conversationId: string) => {
    const tracker = createReadTracker();
    const onTaken: OnTaken = (event) => turns.get(conversationId)?.(event);
    const made = toolDeps(conversationId, tracker, onTaken, review.reviewerFor(conversationId));
    return { ...made, edits: createEditTools(made) };
  };
  const conversations = new Map<string, ReturnType<typeof toolsOf>>();
  const { commands } = review;
  const listening = vscode.Disposable.from(
    changed,
    wrote,
    review.onDidChange(() => changed.fire()),
    restoring.onDidChange(() => changed.fire()),
  );
  return {
    toolsFor(conversationId, others) {
      const known = conversations.get(conversationId);
      const isThere = known?.workspace === placeOf(conversationId).workspace;
      const own = known && isThere ? known : toolsOf(conversationId);
      conversations.delete(conversationId);
      conversations.set(conversationId, own);
      dropOldest(conversations, maxConversations);
      const track = (tool: Tool) => trackReads(tool, own);
      return [...others.map((tool) => (tool.name === 'read_file' ? track(tool) : tool)), ...own.edits];
    },
    laterChanges: async (conversationId, how) => conversations.get(conversationId)?.written[how](),
    begin(conversationId, onTaken) {
      turns.set(conversationId, onTaken);
      return () => void turns.delete(conversationId);
    },
    journal(conversationId, onTaken) {
      const journal = checkpoints.journal((event) => {
        restoring.dismiss();
        onTaken(event);
      });
      // Changes in a worktree are reviewed when they are brought back.
      if (deps.worktrees.of(conversationId) !== undefined) return journal;
      const noted = conversations.get(conversationId)?.written.follow(noJournal);
      return { ...journal, watch: () => reviewCommand(conversationId, noted) };
    },
    port: writer.portFor,
    protection,
    files: review.files,
    outcomes: review.outcomes,
    hunks: review.hunks,
    pending: { ...store, undoHunks: review.undoHunks, showAll: () => review.decideAll('review', undefined) },
    restored: restoring,
    onDidChange: changed.event,
    commands: { ...commands, 'svc.restoreCheckpoint': restoring.restore },
    actions: {
      all: review.decideAll,
      file: review.decideFile,
      part: review.decidePart,
      restore: restoring.restore,
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

function createTitles({ titleOf, log }: Pick<ReviewDeps, 'titleOf' | 'log'>, onKnown: () => void) {
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
  return uris.flatMap((uri) => placeOfUri(workspace, uri) ?? []);
}
