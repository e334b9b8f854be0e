import * as vscode from 'vscode';
import { type CodeTask, codePrompts, explainProblemPrompt } from '../../features/inline/core/prompts.ts';
import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import { problemsIn, problemsOf } from '../composer/add-to-chat.ts';
import type { ReadContext } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { showMessage } from '../host/show-message.ts';
import { cellOf } from '../workspace/notebook-cells.ts';
import { type AskDeps, ask } from './ask.ts';
import { type AskAboutDeps, askAbout, readEach } from './ask-about.ts';

export interface CodeCommandDeps extends AskDeps {
  addToChat: { read: ReadContext };
  attach: AskAboutDeps['attach'];
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
  const about = (task: CodeTask) => () => askAboutCode(deps, codePrompts[task], selection());
  return {
    'svc.explain': (target) => {
      const subject = toExplain(target);
      const isProblem = subject.some(({ kind }) => kind === 'problems');
      return askAboutCode(deps, isProblem ? explainProblemPrompt : codePrompts.explain, subject);
    },
    'svc.fix': (target) => askAboutCode(deps, codePrompts.fix, toFix(target)),
    'svc.refactor': about('refactor'),
    'svc.addTests': about('tests'),
    'svc.addDocs': about('doc'),
    'svc.review': about('review'),
  };
}

async function askAboutCode(deps: CodeCommandDeps, prompt: string, subject: readonly ContextPick[]): Promise<unknown> {
  if (subject.length === 0) return showMessage(vscode.l10n.t('Select the code first.'));
  const asking = { attach: deps.attach, ask: (text: string) => ask(deps, { prompt: text }) };
  return askAbout(asking, prompt, () => readEach(subject, deps.addToChat.read));
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
