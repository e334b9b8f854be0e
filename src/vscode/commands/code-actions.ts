import { isDeepStrictEqual } from 'node:util';
import * as vscode from 'vscode';
import type { CommandId } from '../host/command-ids.ts';
import { isInput, isWritable } from '../workspace/read-only.ts';
import { walkthroughId } from './uri-handler.ts';

/** Lines count from 1, and both are included. */
export interface ProblemTarget {
  uri: string;
  startLine: number;
  endLine: number;
}

export interface CodeActions extends vscode.Disposable {
  /**
   * Returns, once, the problem for which the action of this command was picked, because the command itself gets no
   * arguments.
   */
  argumentsOf(command: CommandId): [] | [ProblemTarget];
}

const fixKind = vscode.CodeActionKind.QuickFix.append('svc');
const rewriteKind = vscode.CodeActionKind.RefactorRewrite.append('svc');
const documentKind = rewriteKind.append('doc');
/** These questions change no code, so they are neither fixes nor rewrites; VS Code lists them below *More Actions…*. */
const askKind = vscode.CodeActionKind.Empty.append('svc');

/**
 * Provides the lightbulb's entries; it reads and sends nothing. An entry names a command without arguments, because
 * VS Code may drop the list before the command runs. The entry that is resolved last gives the problem: Quick Fix is
 * also in hovers and in the Problems view, so the cursor may be elsewhere.
 */
export function registerCodeActions(enabled: () => boolean): CodeActions {
  const targets = new WeakMap<vscode.CodeAction, ProblemTarget>();
  let picked: vscode.CodeAction | undefined;
  const registration = vscode.languages.registerCodeActionsProvider(
    { pattern: '**' },
    {
      provideCodeActions(document, range, { diagnostics, only }) {
        const target = targetOf(document, diagnostics);
        // Picking a row of the Problems view puts the cursor there, and the editor asks for the same problem while the command of what
        // was picked is still on its way.
        if (picked !== undefined && !isDeepStrictEqual(targets.get(picked), target)) picked = undefined;
        if (!enabled() || isInput(document)) return [];
        const actions = diagnostics.length === 0 ? [] : problemActions(diagnostics);
        for (const action of actions) targets.set(action, target);
        // The range of a problem is no selection.
        const isProblem = diagnostics.length > 0 && !(range instanceof vscode.Selection);
        if (!range.isEmpty && !isProblem) {
          // A short list is read; the menu of refactorings asks for all of them.
          const most = only === undefined ? mostFirst - Math.min(actions.length, 2) : undefined;
          actions.push(...selectionActions(isWritable(document), most));
        }
        return only === undefined ? actions : actions.filter(({ kind }) => kind !== undefined && only.contains(kind));
      },
      resolveCodeAction(action) {
        picked = action;
        return action;
      },
    },
    { providedCodeActionKinds: [fixKind, rewriteKind, documentKind, askKind], documentation: documentation() },
  );
  return {
    argumentsOf(command) {
      const target = picked?.command?.command === command ? targets.get(picked) : undefined;
      picked = undefined;
      return target === undefined ? [] : [target];
    },
    dispose: () => registration.dispose(),
  };
}

/** Adds one link for the list, because users may want to know what leaves the machine before the first click. */
function documentation(): { kind: vscode.CodeActionKind; command: vscode.Command }[] {
  const command = {
    command: 'workbench.action.openWalkthrough',
    title: vscode.l10n.t('svc: Show What Is Sent'),
    arguments: [{ category: walkthroughId, step: 'ask' }],
  };
  return [fixKind, rewriteKind].map((kind) => ({ kind, command }));
}

function problemActions(diagnostics: readonly vscode.Diagnostic[]): vscode.CodeAction[] {
  const actions = [
    actionOf(vscode.l10n.t('svc: Fix'), fixKind, 'svc.fix'),
    actionOf(vscode.l10n.t('svc: Explain Problem'), fixKind, 'svc.explain'),
    actionOf(vscode.l10n.t('svc: Add to Chat'), askKind, 'svc.addToChat'),
  ];
  for (const action of actions) action.diagnostics = [...diagnostics];
  return actions;
}

/** VS Code shows this many entries above *More Actions…*. */
const mostFirst = 3;

function selectionActions(isChangeable: boolean, maxRewrites = mostFirst): vscode.CodeAction[] {
  const rewrites = [
    actionOf(vscode.l10n.t('svc: Edit Inline…'), rewriteKind, 'svc.inlineEdit'),
    actionOf(vscode.l10n.t('svc: Refactor'), rewriteKind, 'svc.refactor'),
    actionOf(vscode.l10n.t('svc: Add Documentation'), documentKind, 'svc.addDocs'),
  ];
  return [
    ...(isChangeable ? rewrites.slice(0, maxRewrites) : []),
    actionOf(vscode.l10n.t('svc: Explain'), askKind, 'svc.explain'),
    actionOf(vscode.l10n.t('svc: Add Tests'), askKind, 'svc.addTests'),
    actionOf(vscode.l10n.t('svc: Review'), askKind, 'svc.review'),
  ];
}

function actionOf(title: string, kind: vscode.CodeActionKind, command: CommandId): vscode.CodeAction {
  const action = new vscode.CodeAction(title, kind);
  action.command = { command, title };
  return action;
}

function targetOf({ uri }: vscode.TextDocument, diagnostics: readonly vscode.Diagnostic[]): ProblemTarget {
  const starts = diagnostics.map(({ range }) => range.start.line + 1);
  return { uri: uri.toString(), startLine: Math.min(...starts), endLine: Math.max(...starts) };
}
