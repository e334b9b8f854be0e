import { ToolError } from '../../../agent/tool.ts';
import { type FileAccess, readCurrentFile, readDoomedFile } from '../../../edits/apply/current-file.ts';
import type { EditPolicy, FileChange } from '../../../edits/apply/edit-ports.ts';
import { resolveWritePlace, type WritePlace } from '../../../edits/apply/write-place.ts';
import { decodeFile, type FileText, lineEndsOf } from '../../../files/file-text.ts';
import { displayPath, type Place, placeKey } from '../../../files/workspace.ts';
import { isFile, type WorktreeChange, type WorktreeState, type Worktrees } from './worktrees.ts';

export interface BringBackDeps extends Pick<FileAccess, 'files' | 'port' | 'workspace'> {
  policy: Pick<EditPolicy, 'isProtected'>;
  worktrees: Pick<Worktrees, 'bytes' | 'merged'>;
}

export interface BroughtEdit {
  change: WorktreeChange;
  target: WritePlace;
  edit: Extract<FileChange, { kind: 'write' | 'delete' }>;
  isExecutable: boolean;
}

/**
 * `conflict` means that both sides changed the same lines. `no-text` means that one side is not a text file. `mode`
 * means that the edit cannot carry whether the file is executable. `outside` means that the file is in no folder of
 * the workspace. `closed` means that it cannot be read or written here.
 */
export type LeftReason = 'conflict' | 'no-text' | 'mode' | 'outside' | 'closed';

export interface LeftChange {
  change: WorktreeChange;
  reason: LeftReason;
}

export interface BringBackPlan {
  edits: readonly BroughtEdit[];
  left: readonly LeftChange[];
}

const filesAtOnce = 100;

/**
 * Plans how a worktree's changes apply to the files of the open workspace, unsaved text included, as a three-way
 * merge against what the worktree began with. A change that is here already is in neither list. `placeOf` returns
 * undefined outside of the workspace.
 */
export async function planBringBack(
  deps: BringBackDeps,
  { folder, inspect, placeOf }: { folder: string; inspect: WorktreeState; placeOf(path: string): Place | undefined },
  signal: AbortSignal,
): Promise<BringBackPlan> {
  const edits: BroughtEdit[] = [];
  const left: LeftChange[] = [];
  let texts: (Uint8Array | undefined)[] = [];
  for (const [at, change] of inspect.changes.entries()) {
    if (at % filesAtOnce === 0) {
      const some = inspect.changes.slice(at, at + filesAtOnce);
      const sides = some.flatMap((one) => (['before', 'after'] as const).map((side) => ({ change: one, side })));
      texts = await deps.worktrees.bytes(folder, sides, signal);
    }
    const { before, after } = change;
    const place = placeOf(change.path);
    const isText = (entry: WorktreeChange['after']) => entry === undefined || isFile(entry.mode);
    if (place === undefined) left.push({ change, reason: 'outside' });
    else if (!isText(before) || !isText(after)) left.push({ change, reason: 'no-text' });
    else {
      if (before && after && before.mode !== after.mode) left.push({ change, reason: 'mode' });
      if (before?.id === after?.id) continue;
      const [base, theirs] = texts.slice((at % filesAtOnce) * 2);
      const planned = await planFile(deps, { folder, change, place, base, theirs }, signal);
      if (typeof planned === 'string') left.push({ change, reason: planned });
      else if (planned !== undefined) edits.push(planned);
    }
  }
  const gone = new Set(edits.flatMap(({ edit }) => (edit.kind === 'delete' ? [edit.place.path] : [])));
  const fits = await Promise.all(edits.map(({ edit }) => hasFolder(deps, edit, gone)));
  return {
    // A file may stand where a folder is to be.
    edits: edits.filter((_, at) => fits[at]).toSorted((a, b) => Number(isWrite(a)) - Number(isWrite(b))),
    left: [
      ...left,
      ...edits.filter((_, at) => !fits[at]).map(({ change }) => ({ change, reason: 'conflict' as const })),
    ],
  };
}

const isWrite = ({ edit }: BroughtEdit) => edit.kind === 'write';

async function hasFolder({ files }: BringBackDeps, edit: BroughtEdit['edit'], gone: ReadonlySet<string>) {
  if (edit.kind === 'delete' || edit.before !== undefined) return true;
  const parts = edit.place.path.split('/');
  for (let length = 1; length < parts.length; length++) {
    const path = parts.slice(0, length).join('/');
    if (gone.has(path)) continue;
    const stat = await files.stat({ ...edit.place, path });
    if (stat !== undefined && stat.kind !== 'directory') return false;
  }
  return true;
}

interface FileInput {
  folder: string;
  change: WorktreeChange;
  place: Place;
  base: Uint8Array | undefined;
  theirs: Uint8Array | undefined;
}

async function planFile(
  deps: BringBackDeps,
  { folder, change, place, ...bytes }: FileInput,
  signal: AbortSignal,
): Promise<BroughtEdit | LeftReason | undefined> {
  const { worktrees, workspace } = deps;
  const base = bytes.base && (await decodeFile(workspace.codec, place, bytes.base));
  const theirs = bytes.theirs && (await decodeFile(workspace.codec, place, bytes.theirs));
  if (base?.ok === false || theirs?.ok === false) return 'no-text';
  try {
    const target = await resolveWritePlace(workspace, deps.policy, displayPath(workspace, place));
    // Behind a link, or with a name that cannot be written as a path, it is another file.
    if (placeKey(target.place) !== placeKey(place)) return 'closed';
    const shared = { change, target, isExecutable: change.before === undefined && change.after?.mode === '100755' };
    if (theirs === undefined) {
      const doomed = await readDoomedFile(deps, target);
      if (doomed === undefined) return undefined;
      if (doomed.file === undefined) return 'no-text';
      const { text, encoding, mark } = doomed.file;
      if (!isSameText(text, base?.file.text ?? '')) return 'conflict';
      return { ...shared, edit: { kind: 'delete', place: target.place, before: text, format: { encoding, mark } } };
    }
    const current = await readCurrentFile(deps, target);
    const merge = (texts: Record<'ours' | 'base' | 'theirs', string>) => worktrees.merged(folder, texts, signal);
    const after = await mergedText({ ours: current, base: base?.file, theirs: theirs.file }, merge);
    if (after === undefined) return 'conflict';
    if (after === current?.text) return undefined;
    const { encoding, mark } = current ?? theirs.file;
    const before = current && { before: current.text };
    const format = { encoding, mark };
    return { ...shared, edit: { kind: 'write', place: target.place, ...before, after, format, decided: false } };
  } catch (error) {
    if (error instanceof ToolError) return 'closed';
    throw error;
  }
}

interface Sides {
  ours: FileText | undefined;
  base: FileText | undefined;
  theirs: FileText;
}

/** Keeps the line ends of ours. Resolves undefined where both sides changed the same lines. */
async function mergedText(
  { ours, base, theirs }: Sides,
  merge: (texts: Record<'ours' | 'base' | 'theirs', string>) => Promise<string | undefined>,
): Promise<string | undefined> {
  if (ours === undefined) return base === undefined ? theirs.text : undefined;
  const ends = lineEndsOf(ours.text);
  // A file may have other line ends here than where git checked it out.
  const isEven = [ends, lineEndsOf(theirs.text)].every((each) => each !== 'mixed');
  const hasSameEnds = base === undefined || lineEndsOf(base.text) === lineEndsOf(theirs.text);
  const even = (text: string) => (isEven && hasSameEnds ? text.replaceAll('\r\n', '\n') : text);
  const texts = { ours: even(ours.text), base: even(base?.text ?? ''), theirs: even(theirs.text) };
  if (texts.ours === texts.theirs) return ours.text;
  if (base === undefined) return undefined;
  const after = isSameText(ours.text, base.text) ? texts.theirs : await merge(texts);
  return after !== undefined && isEven && hasSameEnds && ends === '\r\n' ? after.replaceAll('\n', '\r\n') : after;
}

function isSameText(one: string, other: string): boolean {
  return one.replaceAll('\r\n', '\n') === other.replaceAll('\r\n', '\n');
}
