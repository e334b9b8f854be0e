import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { hunksAround } from '../../edits/apply/unified-hunks.ts';
import { explainChangePrompt } from '../../features/inline/core/prompts.ts';
import type { Place, Workspace } from '../../files/workspace.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { Git } from '../../tools/git/git.ts';
import { cutAttachment } from '../composer/attachments.ts';
import { mayAttach, NothingToAttach, type PickedImage, type ReadContext } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { placeIn, placeOf } from '../workspace/place-uri.ts';
import { repositoryHolding, resourceUriIn, rootOf } from '../workspace/repository-changes.ts';
import { type AskDeps, ask } from './ask.ts';
import { type AskAboutDeps, askAbout, readEach } from './ask-about.ts';

export interface ChangeCommandDeps extends AskDeps {
  attach: AskAboutDeps['attach'];
  addToChat: { read: ReadContext; workspace: Workspace; git: Git };
}

export function createChangeCommands(deps: ChangeCommandDeps): Pick<CommandHandlers, 'svc.explainChange'> {
  const { read, workspace, git } = deps.addToChat;
  const asking = { attach: deps.attach, ask: (prompt: string) => ask(deps, { prompt }) };
  return {
    'svc.explainChange': (...args) =>
      askAbout(asking, explainChangePrompt, async () => {
        if (!workspace.isTrusted()) {
          throw new NothingToAttach(
            vscode.l10n.t('This folder is in Restricted Mode, so its changes are not read. Trust it first.'),
          );
        }
        return readEach(changedFilesIn(args), (file) => changeOf({ workspace, git, read }, file, changedLinesIn(args)));
      }),
  };
}

type Ports = Pick<ChangeCommandDeps['addToChat'], 'workspace' | 'git' | 'read'>;

interface ChangedFile {
  uri?: vscode.Uri;
  staged: boolean;
}

async function changeOf(
  { workspace, git, read }: Ports,
  { uri, staged }: ChangedFile,
  lines: { start: number; end: number } | undefined,
): Promise<Attachment | PickedImage | undefined> {
  const place = uri && (await placeInRepository(workspace, uri));
  if (uri === undefined || place === undefined) {
    throw new NothingToAttach(vscode.l10n.t('Open a file in this workspace that has changes.'));
  }
  if (!(await mayAttach(uri))) return undefined;
  const changes = await git.changes(place.root, { staged }, new AbortController().signal);
  // All of a new file is the change.
  if (changes.untracked.includes(place.path)) return read({ kind: 'file', uri: uri.toString() });
  const changed = changes.files.find(({ path }) => path === place.path);
  const paths = changed?.oldPath === undefined ? [place.path] : [changed.oldPath, place.path];
  const diff = await changes.diff(paths);
  const text = lines === undefined ? diff : hunksAround(diff, lines);
  if (text.trim() === '') throw new NothingToAttach(vscode.l10n.t('Git reports no changes in {0}.', place.path));
  return cutAttachment('changes', vscode.l10n.t('Change in {0}', place.path), text);
}

/** Finds the file in its own repository, which may be outside of the open folder. */
async function placeInRepository(workspace: Workspace, uri: vscode.Uri): Promise<Place | undefined> {
  const repository = await repositoryHolding(uri);
  if (repository === undefined) return placeOf(workspace, uri);
  return placeIn(rootOf(repository), uri);
}

/** Takes rows of the Source Control view, the document of an open change, or else the active file. */
function changedFilesIn(args: readonly unknown[]): ChangedFile[] {
  const rows = args.flatMap((state) => {
    const uri = resourceUriIn(state);
    return uri === undefined ? [] : [{ uri, staged: isStaged(state) }];
  });
  if (rows.length > 0) return rows;
  const [first] = args;
  const uri = first instanceof vscode.Uri ? first : vscode.window.activeTextEditor?.document.uri;
  // The older side of a diff in front is a document of Git's.
  return [{ uri: uri?.scheme === 'git' ? uri.with({ scheme: 'file', query: '' }) : uri, staged: false }];
}

/** Only rows of Git name their group; without it, all changes of the file are meant. */
function isStaged(state: unknown): boolean {
  const index = 1;
  return (
    typeof state === 'object' && state !== null && 'resourceGroupType' in state && state.resourceGroupType === index
  );
}

const lineChanges = z.array(z.object({ modifiedStartLineNumber: z.int(), modifiedEndLineNumber: z.int() }));

/** The peek view of a change passes all changes of the file and the index of the shown one. */
function changedLinesIn([, changes, index]: readonly unknown[]): { start: number; end: number } | undefined {
  const parsed = lineChanges.safeParse(changes);
  const change = parsed.success && typeof index === 'number' ? parsed.data[index] : undefined;
  if (change === undefined) return undefined;
  const { modifiedStartLineNumber: start, modifiedEndLineNumber: end } = change;
  return { start, end: Math.max(start, end) };
}
