import * as vscode from 'vscode';
import * as z from 'zod/mini';
import type { Clock } from '../../../base/clock.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import type { CommandHandlers, CommandId } from '../../../vscode/host/command-ids.ts';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import { showMessage } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import { isReadOnlyInEditor } from '../../../vscode/workspace/read-only.ts';
import {
  type CompletionDeps,
  type CompletionResult,
  createCompletions,
  type PlannedCompletion,
} from '../core/ask-completion.ts';
import { createCompletionCache } from '../core/completion-cache.ts';
import { askOf } from './completion-place.ts';
import { registerCompletionProvider } from './completion-provider.ts';

export interface CompleteDeps extends CompletionDeps {
  extensionId: string;
  ensureReady(): Promise<boolean>;
  nameOf(model: string): string;
  /** Notifies the user when the answer is no. */
  mayRead(document: vscode.TextDocument): Promise<boolean>;
}

export type CompletionCommands = Pick<CommandHandlers, 'svc.completeHere' | 'svc.stopCompletion'>;

const argumentSchema = z.object({ another: z.optional(z.boolean()) });

/** Completes only on the user's request. Nothing is registered before the first one. */
export function createCompleteHere(deps: CompleteDeps): { commands: CompletionCommands } & vscode.Disposable {
  const completions = createCompletions(deps);
  const held = createCompletionCache();
  let used: Used | undefined;
  let running: AbortController | undefined;
  const complete = async (argument: unknown): Promise<void> => {
    const editor = vscode.window.activeTextEditor;
    if (editor === undefined) return showMessage(vscode.l10n.t('Open the file you want to complete first.'));
    if (!editor.selection.isEmpty) {
      await vscode.commands.executeCommand('svc.inlineEdit');
      return;
    }
    const { document } = editor;
    if (isReadOnlyInEditor(document.uri)) return showMessage(vscode.l10n.t("This file can't be changed."));
    if (running !== undefined || !(await deps.ensureReady()) || !(await deps.mayRead(document))) return;
    if (vscode.window.activeTextEditor !== editor || running !== undefined) return;
    used ??= firstUse(deps, held);
    await vscode.commands.executeCommand('hideSuggestWidget');
    const caret = editor.selection.active;
    const uri = document.uri.toString();
    const isAnother = argumentSchema.safeParse(argument).data?.another === true;
    const shown = isAnother ? held.restAt(uri, caret).map(({ text }) => text) : [];
    const planned = completions.plan(askOf(document, caret, shown));
    const show = async (text: string): Promise<void> => {
      held.hold({ uri, anchor: { line: caret.line, character: caret.character }, texts: [text, ...shown] });
      await trigger(deps.extensionId);
    };
    if (planned.text !== undefined) return show(planned.text);
    running = new AbortController();
    setContextKey('svc.isCompleting', true);
    used.status.asking(vscode.l10n.t('Completion · {0}', priceBefore(planned)));
    const stopping = stopWhenLeft(editor, running);
    const result = await completions.run(planned, running.signal).finally(() => {
      running = undefined;
      setContextKey('svc.isCompleting', false);
      stopping.dispose();
    });
    if (result.outcome === 'found') await show(result.text);
    showResult(deps, used.status, { result, planned, retry: () => void complete(argument) });
  };
  return {
    commands: { 'svc.completeHere': complete, 'svc.stopCompletion': () => running?.abort() },
    dispose() {
      running?.abort();
      used?.dispose();
    },
  };
}

interface Used extends vscode.Disposable {
  status: ReturnType<typeof createCompletionStatus>;
}

function firstUse({ clock }: CompleteDeps, held: ReturnType<typeof createCompletionCache>): Used {
  const status = createCompletionStatus(clock);
  const all = vscode.Disposable.from(status, registerCompletionProvider(held));
  return { status, dispose: () => all.dispose() };
}

/** Triggers only our provider, so that no other extension sends anything because of our key. */
async function trigger(extensionId: string): Promise<void> {
  // The editor would keep the one that it shows.
  await vscode.commands.executeCommand('editor.action.inlineSuggest.hide');
  const command = 'editor.action.inlineSuggest.trigger';
  try {
    await vscode.commands.executeCommand(command, { providerId: `${extensionId}:*`, explicit: true });
  } catch {
    await vscode.commands.executeCommand(command);
  }
}

function stopWhenLeft(editor: vscode.TextEditor, running: AbortController): vscode.Disposable {
  const { document } = editor;
  return vscode.Disposable.from(
    vscode.workspace.onDidChangeTextDocument((event) => {
      if (event.document === document && event.contentChanges.length > 0) running.abort();
    }),
    vscode.window.onDidChangeTextEditorSelection((event) => {
      if (event.textEditor === editor) running.abort();
    }),
    vscode.window.onDidChangeActiveTextEditor((next) => {
      if (next !== editor) running.abort();
    }),
  );
}

function priceBefore({ thinks, answerMs, estimateMicroUsd }: PlannedCompletion): string {
  const price = formatMicroUsd(estimateMicroUsd, true, vscode.env.language);
  if (!thinks) return price;
  if (answerMs === undefined) return vscode.l10n.t('thinks first · {0}', price);
  return vscode.l10n.t('thinks first: ≈ {0} s · {1}', Math.round(answerMs / 1000), price);
}

interface Shown {
  result: CompletionResult;
  planned: PlannedCompletion;
  retry(): void;
}

function showResult(deps: CompleteDeps, status: Used['status'], { result, planned, retry }: Shown): void {
  if (result.outcome === 'failed') {
    status.hide();
    void showFailure(result.failure, { nameOf: deps.nameOf, retry });
    return;
  }
  const price = chargeWords(result.cost, vscode.env.language);
  if (result.outcome !== 'nothing') {
    if (result.outcome === 'stopped' && result.cost.charge === 'no') status.hide();
    else status.done(vscode.l10n.t('Completion · {0}', price));
    return;
  }
  status.done(vscode.l10n.t('No completion · {0}', price));
  if (result.problem !== 'thinks') return;
  const text = vscode.l10n.t(
    '{0} thinks before it answers, so completions use another model from now on. Forget Learned Model Limits takes that back.',
    deps.nameOf(planned.model),
  );
  showMessage(text);
}

const shownMs = 5000;

function createCompletionStatus(clock: Clock) {
  const item = vscode.window.createStatusBarItem('svc.completion', vscode.StatusBarAlignment.Right, 101);
  item.name = vscode.l10n.t('svc Assistant: Completion');
  const stop: CommandId = 'svc.stopCompletion';
  let cancel = (): void => undefined;
  const show = (text: string, tooltip?: string, command?: CommandId): void => {
    cancel();
    item.text = text;
    item.tooltip = tooltip;
    item.command = command;
    item.show();
  };
  return {
    asking: (words: string) => show(`$(loading~spin) ${words} $(debug-stop)`, vscode.l10n.t('Stop'), stop),
    done(words: string) {
      show(words);
      cancel = clock.after(shownMs, () => item.hide());
    },
    hide() {
      cancel();
      item.hide();
    },
    dispose() {
      cancel();
      item.dispose();
    },
  };
}
