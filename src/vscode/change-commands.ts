import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ToolError } from '../agent/tool.ts';
import { explainChangePrompt, reviewChangesPrompt } from '../inline/prompts.ts';
import type { Attachment } from '../shared/messages.ts';
import type { Git } from '../tools/git.ts';
import { hunksAround } from '../tools/unified-hunks.ts';
import type { Workspace } from '../tools/workspace.ts';
import { type AskDeps, ask } from './ask.ts';
import { cutAttachment } from './attachments.ts';
import type { CommandHandlers } from './command-ids.ts';
import { placeOf } from './place-uri.ts';
import { mayAttach, NothingToAttach, type PickedImage, type ReadContext } from './read-context.ts';

export interface ChangeCommandDeps extends AskDeps {
  attach(attachment: Attachment | PickedImage): void;
  addToChat: { read: ReadContext; workspace: Workspace; git: Git };
}

/** Uncommitted changes, asked about in the chat. */
export function createChangeCommands(
  deps: ChangeCommandDeps,
): Pick<CommandHandlers, 'svc.explainChange' | 'svc.reviewChanges'> {
  const { read, workspace, git } = deps.addToChat;
  const askAbout = async (prompt: string, attachment: () => Promise<Attachment | PickedImage | undefined>) => {
    try {
      if (!workspace.isTrusted()) {
        throw new NothingToAttach(
          vscode.l10n.t('This folder is in Restricted Mode, so its changes are not read. Trust it first.'),
        );
      }
      const found = await attachment();
      if (found === undefined) return undefined;
      deps.attach(found);
      return await ask(deps, { prompt });
    } catch (error) {
      if (!(error instanceof NothingToAttach || error instanceof ToolError)) throw error;
      void vscode.window.showInformationMessage(error.message);
      return undefined;
    }
  };
  return {
    'svc.reviewChanges': () => askAbout(reviewChangesPrompt, () => read({ kind: 'changes' })),
    'svc.explainChange': (...args) =>
      askAbout(explainChangePrompt, () => changeOf({ workspace, git }, changedFileIn(args), changedLinesIn(args))),
  };
}

async function changeOf(
  { workspace, git }: { workspace: Workspace; git: Git },
  uri: vscode.Uri | undefined,
  lines: { start: number; end: number } | undefined,
): Promise<Attachment | undefined> {
  const place = uri && placeOf(workspace, uri);
  if (uri === undefined || place === undefined) {
    throw new NothingToAttach(vscode.l10n.t('Open a file of this workspace that has changes.'));
  }
  if (!(await mayAttach(uri))) return undefined;
  const changes = await git.changes(place.root, { staged: false }, new AbortController().signal);
  const diff = await changes.diff([place.path]);
  const text = lines === undefined ? diff : hunksAround(diff, lines);
  if (text.trim() === '') throw new NothingToAttach(vscode.l10n.t('Git reports no changes in {0}.', place.path));
  return cutAttachment('changes', vscode.l10n.t('Change in {0}', place.path), text);
}

/** A file of the Source Control view, the document of an open change, else the file in front. */
function changedFileIn([first]: readonly unknown[]): vscode.Uri | undefined {
  if (first instanceof vscode.Uri) return first;
  if (
    typeof first === 'object' &&
    first !== null &&
    'resourceUri' in first &&
    first.resourceUri instanceof vscode.Uri
  ) {
    return first.resourceUri;
  }
  return vscode.window.activeTextEditor?.document.uri;
}

const lineChanges = z.array(z.object({ modifiedStartLineNumber: z.int(), modifiedEndLineNumber: z.int() }));

/** What the peek of a change passes: all changes of the file, and which one is shown. */
function changedLinesIn([, changes, index]: readonly unknown[]): { start: number; end: number } | undefined {
  const parsed = lineChanges.safeParse(changes);
  const change = parsed.success && typeof index === 'number' ? parsed.data[index] : undefined;
  if (change === undefined) return undefined;
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = change;
  return { start, end: Math.max(start, end) };
}
