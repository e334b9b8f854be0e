import * as vscode from 'vscode';
import { type CodeTask, codePrompts, explainProblemPrompt } from '../../features/inline/core/prompts.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import { problemsIn, problemsOf } from '../composer/add-to-chat.ts';
import { type PickedImage, type ReadContext, showWhyNothing } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { showMessage } from '../host/show-message.ts';
import { cellOf } from '../workspace/notebook-cells.ts';
import { type AskDeps, ask } from './ask.ts';

export interface CodeCommandDeps extends AskDeps {
  addToChat: { read: ReadContext };
  attach(attachment: Attachment | PickedImage): void;
}

type CodeCommands = Pick<
  CommandHandlers,
  'svc.explain' | 'svc.fix' | 'svc.refactor' | 'svc.addTests' | 'svc.addDocs' | 'svc.review'
>;

/**
 * Attaches the subject of a command about code and sends the question to the chat, whose tools change files only as
 * its edits do. Explain and Fix may also mean a problem: the one that an action was picked for, else the one at the
 * cursor.
 */
export function createCodeCommands(deps: CodeCommandDeps): CodeCommands {
  const about = (task: CodeTask) => () => askAbout(deps, codePrompts[task], selection());
  return {
    'svc.explain': (target) => {
      const subject = toExplain(target);
      const isProblem = subject.some(({ kind }) => kind === 'problems');
      return askAbout(deps, isProblem ? explainProblemPrompt : codePrompts.explain, subject);
    },
    'svc.fix': (target) => askAbout(deps, codePrompts.fix, toFix(target)),
    'svc.refactor': about('refactor'),
    'svc.addTests': about('tests'),
    'svc.addDocs': about('doc'),
    'svc.review': about('review'),
  };
}

async function askAbout(deps: CodeCommandDeps, prompt: string, subject: readonly ContextPick[]): Promise<unknown> {
  if (subject.length === 0) return showMessage(vscode.l10n.t('Select the code first.'));
  const attachments = await readAll(deps.addToChat.read, subject);
  if (attachments === undefined) return undefined;
  for (const attachment of attachments) deps.attach(attachment);
  return ask(deps, { prompt });
}

/**
 * Resolves with undefined when the user declined one or one could not be read, which is shown; a question is never
 * sent without its subject.
 */
async function readAll(
  read: ReadContext,
  picks: readonly ContextPick[],
): Promise<(Attachment | PickedImage)[] | undefined> {
  const found: (Attachment | PickedImage)[] = [];
  try {
    for (const pick of picks) {
      const attachment = await read(pick);
      if (attachment === undefined) return undefined;
      found.push(attachment);
    }
  } catch (error) {
    return showWhyNothing(error);
  }
  return found;
}

/** The selection comes first, then the problems in it, then the whole cell. */
function toExplain(target: unknown): ContextPick[] {
  const named = problemsOf(target);
  if (named) return [named];
  const editor = vscode.window.activeTextEditor;
  const found = editor?.selection.isEmpty ? problemsIn(editor) : undefined;
  return found ? [found] : selection();
}

function toFix(target: unknown): ContextPick[] {
  const named = problemsOf(target);
  if (named) return [named];
  const editor = vscode.window.activeTextEditor;
  const found = editor && problemsIn(editor);
  return found ? [...selection(), found] : selection();
}

/** Without a selection, a whole notebook cell is meant, even one whose text does not have the cursor. */
function selection(): ContextPick[] {
  const editor = vscode.window.activeTextEditor;
  if (editor && !editor.selection.isEmpty) return [{ kind: 'selection' }];
  const book = vscode.window.activeNotebookEditor;
  const cell = (editor && cellOf(editor.document.uri)) ?? book?.notebook.cellAt(book.selection.start);
  return cell === undefined ? [] : [{ kind: 'file', uri: cell.document.uri.toString() }];
}
