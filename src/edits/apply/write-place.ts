import { realpath, unlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ignoreToolError, ToolError } from '../../agent/tool.ts';
import { readRegular } from '../../base/read-regular.ts';
import { type Because, classifyFile } from '../../files/file-class.ts';
import { locatePlace, OutsideError, realRoot } from '../../files/path-guard.ts';
import { childPlace, type Place, placeKey, shownPath, type Workspace } from '../../files/workspace.ts';
import type { EditPolicy } from './edit-ports.ts';

export interface WritePlace {
  /** This is where the path really leads, which is what is written and what the user is shown. */
  place: Place;
  /**
   * This is `place` for people and messages, with invisible characters written out; it must not be used to open the
   * file.
   */
  path: string;
  /** This is the absolute path that was judged, free of links; it is absent where there is no local disk. */
  checked?: string;
  sensitive?: Because;
  isGuessed: boolean;
}

/**
 * Every path that a model wrote must pass here before it is written. It is judged by its name and by where it leads,
 * and the stricter answer counts. Throws `ToolError` for git's own data, for everything outside, and for what cannot
 * be resolved.
 */
export async function resolveWritePlace(
  workspace: Workspace,
  policy: Pick<EditPolicy, 'isProtected'>,
  typed: string,
): Promise<WritePlace> {
  if (!workspace.isTrusted()) {
    throw new ToolError('The workspace is in Restricted Mode: nothing is written until the user trusts it.');
  }
  const { place: named, real, isGuessed } = await locateInside(workspace, typed);
  const path = shownPath(workspace, real);
  if (real.path === '')
    throw new ToolError('The path names a workspace folder, not a file. Write paths relative to it.');
  const classes = [named.path, real.path].map((relative) => classifyFile(relative, policy.isProtected));
  if (classes.some(({ kind }) => kind === 'denied')) {
    throw new ToolError(`${path} is git's own data and is never written. Use git commands with run_command.`);
  }
  const sensitive = classes.find((one) => one.kind === 'sensitive');
  const { name, fsPath } = real.root;
  return {
    ...{ place: real, path, isGuessed },
    ...(fsPath !== undefined && { checked: join(await realRoot({ name, fsPath }), real.path) }),
    ...(sensitive?.kind === 'sensitive' && { sensitive: sensitive.because }),
  };
}

async function locateInside(workspace: Workspace, typed: string): ReturnType<typeof locatePlace> {
  try {
    return await locatePlace(workspace, typed);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const folder = await locatePlace(workspace, dirname(typed)).catch(ignoreToolError);
    const meant = folder?.isGuessed && shownPath(workspace, childPlace(folder.place, basename(typed)));
    throw new OutsideError(
      error.path,
      meant ? `If you mean ${meant}, name it so.` : 'Only files inside it can be changed.',
    );
  }
}

export function refuseGuess({ path, isGuessed }: WritePlace, typed: string): void {
  // An edit shows by its text that it means the file; what deletes or renames one shows it by the name alone.
  if (!isGuessed) return;
  throw new ToolError(`"${typed}" is not there, so nothing was done. If you mean ${path}, name it so.`);
}

/** Throws unless the typed path still leads where it led when the user was asked. */
export async function confirmPlace(
  workspace: Workspace,
  policy: Pick<EditPolicy, 'isProtected'>,
  typed: string,
  { place, path }: WritePlace,
): Promise<void> {
  const now = await resolveWritePlace(workspace, policy, typed);
  if (placeKey(now.place) !== placeKey(place)) {
    throw new ToolError(`${path} leads somewhere else than before, so nothing was changed.`);
  }
}

/**
 * Must run after a write, because the editor writes by path: throws unless the path leads where it was judged to lead.
 * A write through a link that was put there meanwhile is taken back, if the file there still has exactly the written
 * bytes: it gets the bytes of `before` again, or is removed.
 */
export async function takeBackElsewhere(
  { place, path, checked }: WritePlace,
  before: Uint8Array | undefined,
  written: Uint8Array,
): Promise<void> {
  if (checked === undefined || place.root.fsPath === undefined) return;
  const real = await realpath(join(place.root.fsPath, place.path)).catch(() => undefined);
  if (real === checked) return;
  const there = real && (await readRegular(real, written.length).catch(() => undefined));
  const isWrite = real && there && Buffer.compare(there, written) === 0;
  if (isWrite) await (before === undefined ? unlink(real) : writeFile(real, before));
  const end = isWrite ? 'What was written there was taken back.' : 'Ask the user to look where it was written.';
  throw new ToolError(`${path} led somewhere else while it was written: a folder of it became a link. ${end}`);
}
