import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../agent/tool.ts';
import { readCurrentFile } from '../edits/apply/current-file.ts';
import { findChunks } from '../edits/apply/patch-chunks.ts';
import { chunksOf } from '../edits/apply/patches.ts';
import { type EditToolDeps, planWrite } from '../edits/apply/plan-write.ts';
import { resolveWritePlace } from '../edits/apply/write-place.ts';
import type { EditBlock } from '../edits/match/apply-edits.ts';
import { toTextLines } from '../edits/match/text-lines.ts';
import { meantPath, nearPathsHint } from '../files/near-paths.ts';
import { editDialect } from './dialect/edits.ts';

/**
 * Applies `edit_file`. A file that the model never read, or that changed since, is edited only where every block is
 * found in it letter for letter, and once unless it is meant for all places: then the model means this text, wherever
 * it knows it from. A text that only resembles the file is accepted for a known file and refused otherwise.
 */
export const editFile = toolRecord({
  name: 'edit_file',
  description:
    'Replaces parts of a text file. search: lines copied from the file as it is now, without their numbers, enough to be there only once, or replaceAll.',
  parameters: z.object({
    path: z.string(),
    edits: z
      .array(z.object({ search: z.string(), replace: z.string(), replaceAll: z.optional(z.boolean()) }))
      .check(z.minLength(1), z.maxLength(100)),
  }),
  dialect: editDialect,
  kind: 'edit',
  access: 'write',
  presentation: () => ({
    words: l10n.t('Edit file'),
    icon: 'edit',
    subject: ['path'],
    gathers: 'edits',
    card: 'diff',
    opens: true,
  }),
  title: ({ path }) => l10n.t('Edit {0}', path),
  plan:
    (deps: EditToolDeps) =>
    async ({ path, edits }, context) => {
      const fresh = onlyText(edits);
      const typed = fresh === undefined ? await meantPath(deps, path, context.signal) : path;
      const target = await resolveWritePlace(deps.workspace, deps.policy, typed);
      const current = await readCurrentFile(deps, target);
      if (fresh !== undefined && (current?.text ?? '') === '')
        return planWrite(deps, { typed, target, current, after: fresh, notes: [] }, context);
      if (current === undefined)
        throw new ToolError(
          `There is no file ${target.path}.${await nearPathsHint(deps, target.place, context.signal)}`,
        );
      const known = deps.tracker.state(target.place, current.text);
      const applied = await deps.work.applyEdits(current.text, edits, target.path);
      if (!applied.ok) throw new ToolError(`${applied.message}${staleNote(known)}`);
      if (known !== 'same' && !edits.every((edit) => isThere(current.text, edit))) {
        const why = known === 'changed' ? 'changed since you read it' : 'was not read yet';
        throw new ToolError(
          `${target.path} ${why}, and search is not in it letter for letter. Nothing was changed. Read it, then edit.`,
        );
      }
      if (applied.text.includes('\0')) throw new ToolError('The replacement is not text. Nothing was changed.');
      const after = applied.text.toWellFormed();
      const plan = await planWrite(deps, { typed, target, current, after, notes: applied.notes }, context);
      return { ...plan, meant: typed };
    },
});

/** Returns the text of a new file, which other agents write as the replacement of an empty search. */
function onlyText([edit, ...others]: readonly EditBlock[]): string | undefined {
  const isOnly = edit?.search === '' && edit.replace !== '' && !edit.replace.includes('\0') && others.length === 0;
  return isOnly ? edit.replace.toWellFormed() : undefined;
}

function staleNote(known: 'same' | 'changed' | 'unread'): string {
  if (known === 'same') return '';
  return known === 'changed' ? ' The file changed since you read it: read it again.' : ' Read the file first.';
}

function isThere(text: string, edit: EditBlock): boolean {
  const { search, replaceAll } = edit;
  const chunks = chunksOf(edit);
  if (chunks !== undefined) return findChunks(chunks, toTextLines(text).lines).every(({ kind }) => kind === 'changes');
  const haystack = text.replaceAll('\r\n', '\n');
  const needle = search.replaceAll('\r\n', '\n');
  const first = needle === '' ? -1 : haystack.indexOf(needle);
  return first >= 0 && (replaceAll || haystack.indexOf(needle, first + 1) < 0);
}
