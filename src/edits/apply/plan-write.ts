import * as l10n from '@vscode/l10n';
import type { ApprovalNeed, ToolContext, ToolOutput, ToolPlan } from '../../agent/tool.ts';
import { ignoreToolError, ToolError } from '../../agent/tool.ts';
import { encodeFile, findMisfits, formatForNew, type TextFormat } from '../../files/file-text.ts';
import type { Search } from '../../files/workspace.ts';
import { noteForModel, noteForUser } from './applied-note.ts';
import { type CurrentFile, type FileAccess, readCurrentFile } from './current-file.ts';
import type { FormattedDiff } from './edit-diff.ts';
import type { AppliedChange, EditJournal, EditPolicy, EditReviewer, FileChange } from './edit-ports.ts';
import { concernsOf, type EditConcerns } from './edit-warnings.ts';
import type { ReadTracker } from './read-tracker.ts';
import type { TextWork } from './text-work.ts';
import { confirmPlace, resolveWritePlace, takeBackElsewhere, type WritePlace } from './write-place.ts';

export interface EditToolDeps extends FileAccess {
  search: Search;
  policy: EditPolicy;
  reviewer: EditReviewer;
  journal: EditJournal;
  tracker: ReadTracker;
  work: TextWork;
}

export interface TextChange {
  /** The path is as the model wrote it, and is resolved again before anything is written. */
  typed: string;
  target: WritePlace;
  current?: CurrentFile;
  isWhole?: boolean;
  after: string;
  notes: readonly string[];
}

type FormattedChange = TextChange & { format: TextFormat };

/**
 * Plans the write without making it. The approval is bound to the exact texts that were compared for it. Throws
 * `ToolError` for text that the file's encoding cannot hold.
 */
export async function planWrite(deps: EditToolDeps, given: TextChange, context: ToolContext): Promise<ToolPlan> {
  const change = await withFormat(deps, given);
  await refuseMisfits(deps, change, change.after);
  const mode = deps.policy.mode();
  const before = change.current?.text ?? '';
  const { sensitive } = change.target;
  const [shown, addresses] = await Promise.all([
    deps.work.showDiff(before, change.after),
    deps.work.newAddresses(before, change.after, change.target),
  ]);
  const dirty = change.current?.dirty ?? false;
  const { isWhole = false } = change;
  const concerns = concernsOf({ sensitive, dirty, isWhole, before, shown, addresses });
  const run: ToolPlan['run'] = async (agreed) => {
    const isReviewed = mode === 'review' || agreed?.review === true;
    const kept = isReviewed ? await review(deps, change, context) : change.after;
    const decided = isReviewed || agreed?.seen === true;
    const applied = await write(deps, change, kept, { call: context, decided });
    return describe(deps, change, { kept, applied, planned: shown });
  };
  if (mode !== 'ask' && !concerns.mustAsk) return { run };
  return { approval: needOf(change, shown, concerns), run };
}

async function withFormat({ workspace }: EditToolDeps, change: TextChange): Promise<FormattedChange> {
  const { current, target, after } = change;
  const { encoding, mark } = current ?? (await formatForNew(workspace.codec, target.place, after));
  return { ...change, format: { encoding, mark } };
}

async function refuseMisfits({ workspace }: EditToolDeps, change: FormattedChange, text: string): Promise<void> {
  const misfits = await findMisfits(workspace.codec, text, change.format);
  if (misfits === undefined) return;
  throw new ToolError(
    `${change.target.path} is kept in ${change.format.encoding}: ${misfits}. Nothing was changed. Write it with characters that the encoding has, or ask the user to save the file as UTF-8 first.`,
  );
}

function needOf(
  { target, current }: TextChange,
  shown: FormattedDiff,
  { warnings, mustAsk }: EditConcerns,
): ApprovalNeed {
  const { diff, added, removed } = shown;
  const isProtected = target.sensitive !== undefined;
  return {
    subject: { kind: 'edit', path: target.path, diff, added, removed, isNew: current === undefined, isProtected },
    warnings,
    // What is agreed to for the conversation never holds for one that has to be asked about.
    scopes: mustAsk ? ['once'] : ['once', 'conversation', 'review'],
  };
}

async function review(
  deps: EditToolDeps,
  change: FormattedChange,
  { signal, turnId, callId }: ToolContext,
): Promise<string> {
  await confirmUnchanged(deps, change);
  const { place, path } = change.target;
  const before = change.current?.text ?? '';
  const isNew = change.current === undefined;
  const answer = await deps.reviewer.review(
    { turnId, callId, place, path, before, after: change.after, isNew },
    signal,
  );
  if (answer.decision === 'keep') return answer.text;
  const reason = answer.reason.trim();
  throw new ToolError(
    `The user looked at the proposal for ${path} and did not keep it; nothing was changed.${reason === '' ? '' : ` Reason: ${reason}`}`,
  );
}

/**
 * Writes what the user keeps of a proposal whose call is gone, for example after a reload; no model is informed.
 * Throws `ToolError`, with nothing written, when the file changed since the proposal was made.
 */
export async function writeLateProposal(
  deps: EditToolDeps,
  proposal: { turnId: string; callId: string; typed: string; before: string; isNew: boolean },
  text: string,
): Promise<void> {
  const { typed, turnId, callId } = proposal;
  const target = await resolveWritePlace(deps.workspace, deps.policy, typed);
  const current = await readCurrentFile(deps, target);
  if (current?.text !== (proposal.isNew ? undefined : proposal.before)) {
    throw new ToolError(`${target.path} changed since the proposal was made, so nothing was written.`);
  }
  const change = await withFormat(deps, { typed, target, after: text, notes: [], current });
  await refuseMisfits(deps, change, text);
  await write(deps, change, text, { call: { turnId, callId }, decided: true });
}

async function write(
  deps: EditToolDeps,
  change: FormattedChange,
  after: string,
  { call: { turnId, callId }, decided }: { call: Pick<ToolContext, 'turnId' | 'callId'>; decided: boolean },
): Promise<AppliedChange> {
  const { format, target } = change;
  const { place } = target;
  // The user may have written something else in the proposal.
  if (after !== change.after) await refuseMisfits(deps, change, after);
  await confirmUnchanged(deps, change);
  await deps.journal.willChange(turnId, place, change.current?.bytes);
  // Keeping the old bytes took time: check again, so that as little as possible precedes the write.
  await confirmUnchanged(deps, change);
  const before = change.current?.text;
  const written: FileChange = { kind: 'write', place, before, after, format, decided };
  const applied = await deps.port.apply(written, { turnId, callId });
  const text = applied.text ?? after;
  await takeBackElsewhere(target, change.current?.bytes, await encodeFile(deps.workspace.codec, text, format));
  const known = change.isWhole === true ? '' : (before ?? '');
  deps.tracker.noteWritten(place, { before: known, after: text }, callId);
  await deps.journal.didChange(turnId, place, await writtenBytes(deps, target, text, format));
  return applied;
}

/**
 * Returns the bytes of this write and of nothing later, because an editor may give new lines ends of its own. A file
 * that can no longer be read, because it grew too large, counts as written.
 */
async function writtenBytes(
  deps: EditToolDeps,
  target: WritePlace,
  text: string,
  format: TextFormat,
): Promise<Uint8Array> {
  const now = await readCurrentFile(deps, target).catch(ignoreToolError);
  const isWrite = now !== undefined && now.text.replaceAll('\r\n', '\n') === text.replaceAll('\r\n', '\n');
  return isWrite ? now.bytes : encodeFile(deps.workspace.codec, text, format);
}

/** Throws unless the path still leads to the same file and its content is what the plan was made from. */
async function confirmUnchanged(deps: EditToolDeps, { typed, target, current }: TextChange): Promise<void> {
  await confirmPlace(deps.workspace, deps.policy, typed, target);
  const now = await readCurrentFile(deps, target);
  if (now?.text === current?.text && now?.encoding === current?.encoding && now?.mark === current?.mark) return;
  if (now === undefined) throw new ToolError(`${target.path} is gone since you last saw it. Nothing was written.`);
  throw new ToolError(`${target.path} changed since you last saw it, so nothing was changed. Read it again.`);
}

async function describe(
  { work }: EditToolDeps,
  change: TextChange,
  { kept, applied, planned }: { kept: string; applied: AppliedChange; planned: FormattedDiff },
): Promise<ToolOutput> {
  const { path } = change.target;
  const after = applied.text ?? kept;
  const shown = after === change.after ? planned : await work.showDiff(change.current?.text ?? '', after);
  const where = shown.lines === undefined ? '' : `, ${isOneLine(shown.lines) ? 'line' : 'lines'} ${shown.lines}`;
  const verb = change.current === undefined ? 'Created' : 'Edited';
  const created = `${shown.added} ${shown.added === 1 ? 'line' : 'lines'}`;
  const size = change.current === undefined ? created : `+${shown.added} −${shown.removed}${where}`;
  const whole = `Replaced ${path} (+${shown.added} −${shown.removed}). edit_file is cheaper.`;
  const summary = change.isWhole ? whole : `${verb} ${path}: ${size}`;
  const { note } = applied;
  const notes = [summary, ...(note === undefined ? [] : [noteForModel[note]]), ...change.notes];
  if (kept !== change.after) {
    const { diff } = await work.showDiff(change.after, kept);
    notes.push(`The user changed the proposal before keeping it:\n${diff}`);
  }
  if (applied.text !== undefined && applied.text !== kept) {
    const { diff } = await work.showDiff(kept, applied.text);
    notes.push(`Saving changed it further (the editor's own formatting):\n${diff}`);
  }
  const card = [summaryForUser(change, shown), ...(note === undefined ? [] : [noteForUser[note]()]), shown.diff];
  return { forModel: notes.join('\n'), forUser: card.join('\n') };
}

function summaryForUser({ target: { path }, current }: TextChange, { added, removed, lines }: FormattedDiff): string {
  if (current === undefined) {
    return added === 1 ? l10n.t('Created {0}: 1 line', path) : l10n.t('Created {0}: {1} lines', path, added);
  }
  if (lines === undefined) return l10n.t('Edited {0}: +{1} −{2}', path, added, removed);
  return isOneLine(lines)
    ? l10n.t('Edited {0}: +{1} −{2}, line {3}', path, added, removed, lines)
    : l10n.t('Edited {0}: +{1} −{2}, lines {3}', path, added, removed, lines);
}

function isOneLine(lines: string): boolean {
  return /^\d+$/.test(lines);
}
