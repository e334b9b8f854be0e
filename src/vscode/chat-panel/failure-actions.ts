import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Learned } from '../../service/step/learned.ts';
import { type AnswerItem, answerOf, errorsLeft, modelsLeft, turnFactsIn } from '../../shared/chat/chat-state.ts';
import type { ErrorsLeft, TurnFacts } from '../../shared/events.ts';
import type { FailureAction } from '../../shared/failure/failure-action.ts';
import { otherModel, raisedLimit } from '../../shared/failure/failure-text.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import { limitSetting } from '../../spend/budget.ts';
import type { CommandId } from '../host/command-ids.ts';
import { openSetting } from '../host/settings.ts';
import { showMessage } from '../host/show-message.ts';

export interface FailureActionDeps {
  conversation(): Conversation;
  run(command: CommandId, ...args: unknown[]): Thenable<unknown>;
  enterKey(): Promise<boolean>;
  model(): string;
  tryOrder(): readonly string[];
  copyReport(turnId: string): Promise<void>;
  learned: Pick<Learned, 'get' | 'learn'>;
  longestRequest(model: string): number | undefined;
  log: { error(line: string, error?: unknown): void };
}

/** Handles the buttons of a failure card and below an answer. Nothing is sent that the button did not name. */
export function createFailureActions(deps: FailureActionDeps): (turnId: string, action: FailureAction) => void {
  const follow = (turn: Promise<unknown>) => {
    turn.catch((error: unknown) => deps.log.error('A turn could not be run', error));
  };
  const retry = () => follow(deps.conversation().retry());
  const send = (text: string) => {
    if (text !== '') follow(deps.conversation().send({ text, attachments: [], model: deps.model() }));
  };
  const handlers: Record<FailureAction, (answer: AnswerItem) => unknown> = {
    'enter-key': async () => {
      if (await deps.enterKey()) retry();
    },
    'open-dashboard': () => deps.run('svc.openDashboard'),
    'open-address-setting': () => deps.run('svc.setBaseUrl'),
    retry,
    continue: () => follow(deps.conversation().continueTurn()),
    'continue-once': () => follow(deps.conversation().continueOverBudget()),
    'wait-and-run': () => follow(deps.conversation().waitAndRun()),
    'raise-limit': ({ failure }) => failure && follow(deps.conversation().continueUpTo(raisedLimit(failure))),
    'send-without-images': (answer) => {
      // The model that refused them, and not with them even if what was learned has been reset since.
      const model = answer.failure?.model ?? answer.model;
      const at = new Date().toISOString();
      const evidence = answer.failure?.serverMessage ?? '';
      if (deps.learned.get(model).images?.works !== false) {
        deps.learned.learn(model, { images: { works: false, at, evidence } });
      }
      deps.conversation().setModel(model);
      return retry();
    },
    'try-other-model': (answer) => {
      const { failure } = answer;
      const other = failure && otherModel(deps.tryOrder(), failure, modelsLeft(answer));
      if (other === undefined) return deps.run('svc.selectModel');
      deps.conversation().setModel(other);
      return retry();
    },
    'change-order': () => openSetting('fallback.models'),
    'use-nearest-model': async (answer) => {
      const nearest = answer.failure?.facts?.nearestModel;
      if (typeof nearest !== 'string') return deps.run('svc.selectModel');
      await deps.run('svc.selectModel', nearest);
      return retry();
    },
    'select-model': () => deps.run('svc.selectModel'),
    'open-proxy-settings': () => vscode.commands.executeCommand('workbench.action.openSettings', 'http.proxy'),
    'check-service': () => deps.run('svc.checkService'),
    'change-limit': (answer) => openSetting(limitSetting(answer.failure?.facts?.limit)),
    compact: () => deps.run('svc.compactConversation'),
    'new-chat': () => deps.run('svc.newChat'),
    'new-from-summary': () => deps.run('svc.newChatFromSummary'),
    'remember-size': (answer) => rememberSize(deps.longestRequest, deps.learned, answer.failure?.model ?? answer.model),
    'copy-report': (answer) => deps.copyReport(answer.turnId),
    'open-help': (answer) => {
      const kind = answer.failure?.kind;
      return deps.run('svc.help', kind === undefined ? undefined : `troubleshooting#${kinds[kind].help}`);
    },
    'report-issue': () => deps.run('svc.copySupportReport'),
    'show-capabilities': () => deps.run('svc.showCapabilities'),
    'show-log': () => deps.run('svc.showLog'),
    'show-problems': () => vscode.commands.executeCommand('workbench.actions.view.problems'),
    'fix-errors': (answer) => send(fixRequest(errorsLeft(answer), turnFactsIn(answer))),
    'run-tests': () => send(vscode.l10n.t('Run the tests.')),
    'review-by-hunk': () => deps.run('svc.reviewByHunk'),
    'open-source-control': () => vscode.commands.executeCommand('workbench.view.scm'),
  };
  return (turnId, action) => {
    const answer = answerOf(deps.conversation().state(), turnId);
    const done = answer && handlers[action](answer);
    if (done instanceof Promise) follow(done);
  };
}

function fixRequest(left: ErrorsLeft | undefined, { test }: Partial<TurnFacts> = {}): string {
  const asked = [
    ...(test?.exitCode !== undefined && test.exitCode !== 0
      ? [
          vscode.l10n.t('The last run of this command failed with exit code {0}. Fix that.', test.exitCode),
          test.command,
        ]
      : []),
    ...(test?.exitCode === 0 && test.editsSince > 0
      ? [vscode.l10n.t('You edited files after this command passed. Run it again.'), test.command]
      : []),
    ...(left ? [vscode.l10n.t('Fix these errors. They are new since your changes.'), left.report] : []),
  ];
  return asked.join('\n\n');
}

/** The service named no limit, so the largest request that it accepted is remembered. */
async function rememberSize(
  longestRequest: FailureActionDeps['longestRequest'],
  learned: FailureActionDeps['learned'],
  model: string,
): Promise<void> {
  const contextTokens = longestRequest(model);
  if (contextTokens === undefined) {
    return showMessage(vscode.l10n.t("No request to {0} has succeeded yet, so there's no size to remember.", model));
  }
  const at = new Date().toISOString();
  learned.learn(model, { contextTokens, contextTokensFrom: { at, evidence: 'the longest request that it has taken' } });
  const undo = vscode.l10n.t('Undo');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Remembered for {0}: {1} tokens, its longest accepted request. svc offers to compact before that.',
      model,
      contextTokens.toLocaleString(vscode.env.language),
    ),
    undo,
  );
  if (answer === undo) learned.learn(model, { contextTokens: undefined });
}
