import path from 'node:path';
import { pathToFileURL } from 'node:url';
import * as l10n from '@vscode/l10n';
import { type ApprovalNeed, ToolError } from '../agent/tool.ts';
import type { ReadScope } from '../shared/approval.ts';
import { isSecretPath } from './file-class.ts';
import { createIgnoreRules } from './ignore-rules.ts';
import { locateOutside, locatePlace, OutsideError, pathOnDisk, refuseGit } from './path-guard.ts';
import { displayPath, type Files, type Place, type Workspace } from './workspace.ts';

export interface ReadPlace {
  place: Place;
  shown: string;
  approval?: ApprovalNeed;
  /** This is the absolute path that was judged, all links followed; it is absent where there is no local disk. */
  checked?: string;
  /** Throws unless the path still leads where it led when the user was asked. */
  confirm(): Promise<void>;
}

type Reason = 'outside' | 'ignored' | 'secret';

interface Target {
  place: Place;
  reason?: Reason;
  checked?: string | undefined;
  /** This is where the path really leads, as displayed: the user is shown it, and it is compared later. */
  real: string;
}

/**
 * Every path that a model wrote must pass here before it is read. Throws `ToolError` for what not even consent opens:
 * git's own data, names that other systems read as something else, and what cannot be resolved.
 */
export async function resolveReadPlace(
  deps: { workspace: Workspace; files: Files },
  typed: string,
  wanted: ReadScope,
): Promise<ReadPlace> {
  const find = async () => {
    const target = await findTarget(deps, typed);
    const kind = target.reason === undefined ? undefined : (await deps.files.stat(target.place))?.kind;
    // There is nothing below a file.
    return { ...target, scope: wanted === 'below' && kind === 'file' ? ('file' as const) : wanted };
  };
  const { place, real, reason, scope, checked } = await find();
  const shown = reason === 'outside' ? real : displayPath(deps.workspace, place);
  const confirm = async () => {
    if (reason === undefined) return;
    const now = await find();
    if (now.real !== real || now.scope !== scope) {
      throw new ToolError(`${shown} leads somewhere else than when the user was asked, so it was not read.`);
    }
  };
  const found = { place, shown, ...(checked !== undefined && { checked }), confirm };
  return reason === undefined ? found : { ...found, approval: needFor(reason, real, scope) };
}

async function findTarget(deps: { workspace: Workspace; files: Files }, typed: string): Promise<Target> {
  try {
    return await targetInside(deps, typed);
  } catch (error) {
    if (!(error instanceof OutsideError)) throw error;
    const real = await locateOutside(deps.workspace, typed);
    if (real === undefined) throw error;
    try {
      // `../ws/src/a.ts` leads back in.
      return await targetInside(deps, real);
    } catch (inner) {
      if (!(inner instanceof OutsideError)) throw inner;
      return targetOutside(real, typed);
    }
  }
}

async function targetInside(
  { workspace, files }: { workspace: Workspace; files: Files },
  typed: string,
): Promise<Target> {
  const { place, real } = await locatePlace(workspace, typed);
  const checked = await pathOnDisk(real);
  refuseGit(place.path, typed);
  refuseGit(real.path, typed);
  const shown = displayPath(workspace, real);
  const stat = await files.stat(place);
  // What is not there needs no consent: the tool says so. It may be there a moment later.
  if (stat === undefined) return { place, checked, real: shown };
  if (isSecretPath(place.path) || isSecretPath(real.path)) return { place, checked, real: shown, reason: 'secret' };
  const rules = createIgnoreRules(files, real.root, workspace.excludes(real.root));
  const ignored = await rules.ignoresDeep(real.path, stat.kind === 'directory');
  return { place, checked, real: shown, ...(ignored && { reason: 'ignored' as const }) };
}

function targetOutside(real: string, typed: string): Target {
  const shown = real.split(path.sep).join('/');
  refuseGit(shown, typed);
  const folder = path.dirname(real);
  const root = { name: folder, uri: pathToFileURL(folder).href, fsPath: folder };
  return {
    place: { root, path: path.basename(real) },
    checked: real,
    real: shown,
    reason: isSecretPath(shown) ? 'secret' : 'outside',
  };
}

const warnings: Readonly<Record<Reason, () => string>> = {
  outside: () => l10n.t('This is outside the workspace.'),
  ignored: () => l10n.t("Excluded by the project's ignore files."),
  secret: () => l10n.t('This might contain secrets. Whatever is read is sent to the service.'),
};

export function needToReadOutside(folder: string): ApprovalNeed {
  return needFor('outside', folder.split(path.sep).join('/'), 'below');
}

/**
 * Secrets are asked about every time; anything else may be allowed for the conversation, for exactly this path in
 * this scope.
 */
function needFor(reason: Reason, real: string, scope: ReadScope): ApprovalNeed {
  const need: ApprovalNeed = {
    subject: { kind: 'read', path: real, reason, scope },
    warnings: [warnings[reason]()],
    scopes: ['once'],
  };
  return reason === 'secret' ? need : { ...need, scopes: ['once', 'conversation'] };
}
