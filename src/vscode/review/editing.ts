import { access } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { Tool } from '../../agent/tool.ts';
import { dropOldest } from '../../base/drop-oldest.ts';
import { callsOnFirstUse, onFirstUse } from '../../base/on-first-use.ts';
import type { LaterChanges } from '../../shared/events.ts';
import type { WrittenFiles } from '../../tools/edit/later-changes.ts';
import { createReadTracker, trackReads } from '../../tools/edit/read-tracker.ts';
import { createEditTools } from '../../tools/index.ts';
import type { EditActions } from '../chat/panel-actions.ts';
import type { EditingDeps, Edits, OnTaken } from './edits.ts';

/** Everything about changing files: the tools, their review, their checkpoints. Read on first use. */
export interface Editing
  extends Pick<Edits, 'files' | 'outcomes' | 'restored' | 'onDidChange' | 'commands' | 'actions' | 'dispose'> {
  /**
   * All tools of one conversation: `others`, its `read_file` now telling what the model knows, and those that edit. What the
   * model knows of the files lasts over its turns, also when the conversation is closed and opened again in this window.
   * `onTaken` of the last call is the one that is told.
   */
  toolsFor(others: readonly Tool[], conversationId: string, onTaken: OnTaken): readonly Tool[];
  /** What became of the files that this conversation's tools changed; `take` gives each change once. */
  laterChanges(conversationId: string, how: 'look' | 'take'): Promise<LaterChanges | undefined>;
  pending(): Promise<Edits['pending']>;
}

export async function createEditing(deps: EditingDeps): Promise<Editing> {
  const { workspace, files, kept } = deps;
  const changed = new vscode.EventEmitter<void>();
  let edits: Edits | undefined;
  const load = onFirstUse(async () => {
    edits = await (await import('./edits.ts')).createEdits(deps);
    edits.onDidChange(() => changed.fire());
    return edits;
  });
  // What is undecided is shown from the beginning.
  if (kept && (await Promise.all([kept.pending, kept.proposals, kept.outcomes].map(isThere))).includes(true))
    await load();
  else deps.setContext('svc.hasUndecidedEdits', false);
  const conversations = new Map<string, ReturnType<typeof toolsOf>>();
  const toolsOf = (conversationId: string, onTaken: OnTaken) => {
    const tracker = createReadTracker();
    let written: WrittenFiles | undefined;
    const toolDeps = onFirstUse(async () => {
      const made = (await load()).toolDeps(conversationId, tracker, (event) => own.onTaken(event));
      written = made.written;
      return made;
    });
    const own = { onTaken, tracker, edits: createEditTools(toolDeps), written: () => written };
    return own;
  };
  return {
    toolsFor(others, conversationId, onTaken) {
      const own = conversations.get(conversationId) ?? toolsOf(conversationId, onTaken);
      own.onTaken = onTaken;
      conversations.delete(conversationId);
      conversations.set(conversationId, own);
      dropOldest(conversations, maxConversations);
      const track = (tool: Tool) => trackReads(tool, { workspace, files, tracker: own.tracker });
      return [...others.map((tool) => (tool.name === 'read_file' ? track(tool) : tool)), ...own.edits];
    },
    laterChanges: async (conversationId, how) => conversations.get(conversationId)?.written()?.[how](),
    files: (conversationId) => edits?.files(conversationId) ?? [],
    outcomes: (conversationId) => edits?.outcomes(conversationId) ?? [],
    pending: async () => (await load()).pending,
    restored: (conversationId) => edits?.restored(conversationId),
    onDidChange: changed.event,
    commands: callsOnFirstUse(commandIds, async () => (await load()).commands),
    actions: callsOnFirstUse(actions, async () => (await load()).actions),
    dispose() {
      changed.dispose();
      edits?.dispose();
    },
  };
}

/** Of which is remembered what the model knows of the files. */
const maxConversations = 100;

const commandIds: Record<keyof Edits['commands'], true> = {
  'svc.keepEdit': true,
  'svc.undoEdit': true,
  'svc.keepFileEdits': true,
  'svc.undoFileEdits': true,
  'svc.keepAllEdits': true,
  'svc.undoAllEdits': true,
  'svc.nextEdit': true,
  'svc.previousEdit': true,
  'svc.showEditDiff': true,
  'svc.restoreCheckpoint': true,
};

const actions: Record<keyof EditActions, true> = { all: true, file: true, restore: true, restored: true };

async function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
