import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ToolContext, ToolError, toolRecord } from '../agent/tool.ts';
import { type CurrentFile, maxEditedBytes, readCurrentFile } from '../edits/apply/current-file.ts';
import { type EditToolDeps, planWrite } from '../edits/apply/plan-write.ts';
import { resolveWritePlace, type WritePlace } from '../edits/apply/write-place.ts';
import { createDialect } from './dialect/edits.ts';

/**
 * Over a file that the model knows in its current form, the text of `create_file` is an edit like any other: shown,
 * kept by hunk, undone.
 */
export const createFile = toolRecord({
  name: 'create_file',
  description: 'Creates a text file and its folders, or replaces one read whole.',
  parameters: z.object({ path: z.string(), content: z.string() }),
  dialect: createDialect,
  kind: 'edit',
  access: 'write',
  presentation: () => ({
    words: l10n.t('Create file'),
    icon: 'edit',
    subject: ['path'],
    gathers: 'edits',
    card: 'diff',
    opens: true,
  }),
  title: ({ path }) => l10n.t('Create {0}', path),
  plan:
    (deps: EditToolDeps) =>
    async ({ path: typed, content }, context) => {
      const target = await resolveWritePlace(deps.workspace, deps.policy, typed);
      const current = await readCurrentFile(deps, target);
      if (/[\\/]$/.test(typed)) throw new ToolError('The path names a folder, not a file.');
      if (content.includes('\0')) throw new ToolError('The content is not text.');
      if (Buffer.byteLength(content) > maxEditedBytes) {
        throw new ToolError(`The content is larger than ${maxEditedBytes / 1024 / 1024} MB.`);
      }
      const { text, notes } =
        current === undefined
          ? { text: content, notes: notesOn(content) }
          : await over(deps, { target, current }, content, context);
      const change = { typed, target, ...(current && { current, isWhole: true }), after: text.toWellFormed(), notes };
      return planWrite(deps, change, context);
    },
});

function notesOn(content: string): readonly string[] {
  const written = content.split(String.raw`\n`).length - 1;
  if (written < 2 || content.includes('\n')) return [];
  return [
    `It is one line, in which \`\\n\` stands ${written} times as two signs. Write it again if line ends are meant.`,
  ];
}

/**
 * Plans a write over an existing file. Throws `ToolError` where the model does not know the current file or never saw
 * parts of it, or where the content is not a whole text.
 */
async function over(
  { tracker, work }: EditToolDeps,
  { target: { place, path }, current }: { target: WritePlace; current: CurrentFile },
  content: string,
  { isShown }: ToolContext,
): Promise<{ text: string; notes: readonly string[] }> {
  const known = tracker.state(place, current.text);
  if (known !== 'same') {
    const why = known === 'changed' ? 'changed since you read it' : 'was not read yet';
    throw new ToolError(`${path} exists and ${why}. Nothing was changed. Read it, then use edit_file to change it.`);
  }
  const unseen = tracker.firstUnseen(place, current.text, isShown);
  if (unseen !== undefined) {
    throw new ToolError(
      `${path} exists, and you have not seen line ${unseen} as it is now. Nothing was changed. Read it whole, or use edit_file for a part.`,
    );
  }
  const whole = await work.readWholeText(current.text, content, path);
  if (!whole.ok) throw new ToolError(`${path} exists, and ${whole.problem}. Nothing was changed.`);
  if (whole.text === current.text) throw new ToolError(`${path} reads like that already. Nothing was changed.`);
  return whole;
}
