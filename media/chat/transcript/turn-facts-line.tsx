import * as l10n from '@vscode/l10n';
import { type AnswerItem, errorsLeft, turnFactsIn } from '../../../src/shared/chat/chat-state.ts';
import type { ErrorsLeft, TurnFacts } from '../../../src/shared/events.ts';
import { actionLabel, type FailureAction } from '../../../src/shared/failure/failure-action.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { priceToGoOn, withPrice } from '../sections/go-on-price.ts';

interface Props {
  item: AnswerItem;
  past: boolean;
}

/** Says what should be mended, with what that costs: errors that are new, tests that failed or are older than an edit. */
export function ToMendLine({ item, past }: Props) {
  const panel = usePanel();
  const left = errorsLeft(item);
  const facts = turnFactsIn(item);
  const fix = fixLabel(left, facts?.test);
  if (fix === undefined) return null;
  const act = (action: FailureAction) => () => panel.post({ type: 'action', turnId: item.turnId, action });
  const words = [
    ...(left ? [left.count === 1 ? l10n.t('1 new error') : l10n.t('{0} new errors', left.count)] : []),
    ...(facts?.test && isToMend(facts.test) ? [testWords(facts.test)] : []),
  ];
  const failed = left !== undefined || (facts?.test?.exitCode ?? 0) !== 0;
  return (
    <div class="running ending">
      <p title={facts?.test && visibleText(facts.test.command)}>
        <Icon name={failed ? 'error' : 'info'} />
        <span>{visibleText(words.join(' · '))}</span>
      </p>
      {!past && (
        <div class="actions">
          {left && <TextButton onPress={act('show-problems')}>{l10n.t('Show')}</TextButton>}
          <TextButton onPress={act('fix-errors')}>{withPrice(fix, priceToGoOn(panel, item.turnId))}</TextButton>
        </div>
      )}
    </div>
  );
}

/** Offers what usually follows what the turn did, until the next message; where it did nothing, there is nothing. */
export function NextSteps({ item }: Pick<Props, 'item'>) {
  const panel = usePanel();
  const info = panel.info.value;
  const facts = turnFactsIn(item);
  if (!info || item.outcome !== 'finished' || (facts?.changed ?? 0) === 0) return null;
  const decided = item.parts.flatMap((part) => (part.type === 'tool' ? (info.editOutcomes?.[part.id] ?? []) : []));
  if (decided.length > 0 && decided.every((outcome) => outcome === 'undone')) return null;
  const tests = facts?.untested && info.mode === 'agent' && errorsLeft(item) === undefined;
  // What is pending is decided in the strip of changes, and what is in a worktree in its own.
  const commits = info.hasRepository && info.edits.length === 0 && panel.chat.value.worktree === undefined;
  const actions: FailureAction[] = [
    ...(tests ? (['run-tests'] as const) : []),
    ...(commits ? (['review-by-hunk', 'open-source-control'] as const) : []),
  ];
  if (actions.length === 0) return null;
  const price = priceToGoOn(panel, item.turnId);
  return (
    <div class="actions">
      {actions.map((action) => (
        <TextButton key={action} onPress={() => panel.post({ type: 'action', turnId: item.turnId, action })}>
          {withPrice(actionLabel(action), action === 'run-tests' ? price : undefined)}
        </TextButton>
      ))}
    </div>
  );
}

/** Says quietly what the turn did, whatever the answer claims. */
export function TurnFactsWords({ item }: Pick<Props, 'item'>) {
  const facts = turnFactsIn(item);
  if (facts === undefined) return null;
  const command = facts.test?.command ?? facts.last?.command;
  return (
    <span class="turn-facts" title={command && visibleText(command)}>
      {visibleText(factsWords(facts).join(' · '))}
    </span>
  );
}

function factsWords({ changed, commands, test, last, failedEdit, unnamed = [] }: TurnFacts): string[] {
  return [
    ...(changed === undefined ? [] : [changedWords(changed)]),
    ...(unnamed.length > 0 ? [l10n.t('not mentioned: {0}', unnamed.join(', '))] : []),
    ...(failedEdit === undefined ? [] : [l10n.t('an edit of {0} failed', failedEdit)]),
    ...(test === undefined || isToMend(test) ? [] : [testWords(test)]),
    ...(last === undefined ? [] : [commandWords(last, commands)]),
    ...(commands === 0 && (changed ?? 0) > 0 ? [l10n.t('nothing was run')] : []),
  ];
}

function changedWords(count: number): string {
  if (count === 0) return l10n.t('No files changed');
  return count === 1 ? l10n.t('1 file changed') : l10n.t('{0} files changed', count);
}

function commandWords({ command, exitCode = 0 }: NonNullable<TurnFacts['last']>, count: number): string {
  if (exitCode !== 0) return l10n.t('{0} ended with exit {1}', short(command), exitCode);
  return count === 1 ? l10n.t('1 command run') : l10n.t('{0} commands run', count);
}

const maxOfCommand = 40;

function short(command: string): string {
  return command.length > maxOfCommand ? `${command.slice(0, maxOfCommand).toWellFormed()}…` : command;
}

type Test = NonNullable<TurnFacts['test']>;

function isToMend({ exitCode, editsSince }: Test): boolean {
  return exitCode !== undefined && (exitCode !== 0 || editsSince > 0);
}

function testWords({ command, exitCode, editsSince }: Test): string {
  const name = short(command);
  if (exitCode === undefined) return l10n.t('result of {0} unknown', name);
  if (exitCode === 0) {
    if (editsSince === 0) return l10n.t('{0} passed', name);
    return editsSince === 1
      ? l10n.t('Tests passed before the last edit')
      : l10n.t('Tests passed before the last {0} edits', editsSince);
  }
  if (editsSince === 0) return l10n.t('Last run of {0} failed (exit {1})', name, exitCode);
  return editsSince === 1
    ? l10n.t('Last run of {0} failed (exit {1}), before the last edit', name, exitCode)
    : l10n.t('Last run of {0} failed (exit {1}), before the last {2} edits', name, exitCode, editsSince);
}

function fixLabel(left: ErrorsLeft | undefined, test: Test | undefined): string | undefined {
  if (left) return l10n.t('Fix');
  if (test === undefined || !isToMend(test)) return undefined;
  return test.exitCode === 0 ? l10n.t('Test Again') : l10n.t('Fix');
}
