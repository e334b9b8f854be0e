import * as vscode from 'vscode';
import type { ChangedFile, CommandJournal, EditJournal } from '../../edits/apply/edit-ports.ts';
import type { EditOrigin } from '../../edits/pending/edit-origin.ts';
import { decodeFile } from '../../files/file-text.ts';
import { displayPath, type Workspace } from '../../files/workspace.ts';
import { openDocument, uriOfPlace } from '../workspace/place-uri.ts';
import type { EditStore } from './edit-store.ts';
import type { WrittenFile } from './file-writer.ts';
import { textArrives } from './open-as.ts';
import { sameText } from './replace-text.ts';

/** More than this is the output of a build or another commit. Restoring the turn takes that back. */
const most = { files: 20, bytes: 256 * 1024 };

export interface CommandReviewDeps {
  workspace: Workspace;
  store: Pick<EditStore, 'begin'>;
  /** Fires for each file that edits write. */
  onDidWrite: vscode.Event<vscode.Uri>;
}

/** Takes what commands change into the review of edits. What the user or an edit saves meanwhile is not theirs. */
export function createCommandReview({ workspace, store, onDidWrite }: CommandReviewDeps) {
  return (conversationId: string, noted: EditJournal | undefined): ReturnType<NonNullable<CommandJournal['watch']>> => {
    const others = new Set<string>();
    const watching = vscode.Disposable.from(
      onDidWrite((uri) => others.add(uri.toString())),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => others.add(uri.toString())),
    );
    return async (changes, { turnId, callId }) => {
      watching.dispose();
      if (changes.length > most.files) return;
      for (const change of changes) {
        const [place, before, after] = change;
        const document = openDocument(uriOfPlace(place));
        if (document?.isDirty || Math.max(before?.length ?? 0, after?.length ?? 0) > most.bytes) continue;
        const written = await writtenFile(workspace, change, { turnId, callId, conversationId });
        if (written === undefined || others.has(written.uri.toString())) continue;
        const write = store.begin(written);
        const isIt = (one: vscode.TextDocument) => sameText(one.getText(), written.after ?? '');
        if (document && written.after !== undefined && !isIt(document)) await textArrives(document, isIt);
        write.commit();
        await noted?.willChange(turnId, place, before);
        await noted?.didChange(turnId, place, after);
      }
    };
  };
}

/** Returns a change that somebody made as a write for the review; undefined when it is not of text. */
export async function writtenFile(
  workspace: Workspace,
  [place, before, after]: ChangedFile,
  by: EditOrigin,
): Promise<WrittenFile | undefined> {
  const decode = (bytes: Uint8Array | undefined) => bytes && decodeFile(workspace.codec, place, bytes);
  const [old, now] = [await decode(before), await decode(after)];
  if (old?.ok === false || now?.ok === false) return undefined;
  const { encoding = 'utf8', mark = false } = (now ?? old)?.file ?? {};
  return {
    ...{ uri: uriOfPlace(place), path: displayPath(workspace, place), by, format: { encoding, mark } },
    ...(old && { before: old.file.text }),
    ...(now && { after: now.file.text }),
  };
}
