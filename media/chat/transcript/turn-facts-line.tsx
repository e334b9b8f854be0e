import * as l10n from '@vscode/l10n';
import { type AnswerItem, errorsLeft, turnFactsIn } from '../../../src/shared/chat/chat-state.ts';
import type { ErrorsLeft, TurnFacts } from '../../../src/shared/events.ts';
import type { FailureAction } from '../../../src/shared/failure/failure-action.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { priceToGoOn, withPrice } from '../sections/go-on-price.ts';

interface Props {
  item: AnswerItem;
  past: boolean;
}

/** States in one line what happened where the answer may suggest otherwise. */
export function TurnFactsLine({ item, past }: Props) {
  const panel = usePanel();
  const left = errorsLeft(item);
  const turnFacts = turnFactsIn(item);
  if (left === undefined && turnFacts === undefined) return null;
  const act = (action: FailureAction) => () => panel.post({ type: 'action', turnId: item.turnId, action });
  const failed = left !== undefined || (turnFacts?.test?.exitCode ?? 0) !== 0;
  const fix = fixLabel(left, turnFacts);
  return (
    <div class="running ending">
      <p title={turnFacts?.test && visibleText(turnFacts.test.command)}>
        <Icon name={failed ? 'error' : 'info'} />
        <span>{visibleText(turnFactsWords(left, turnFacts).join(' · '))}</span>
      </p>
      {!past && fix !== undefined && (
        <div class="actions">
          {left && <TextButton onPress={act('show-problems')}>{l10n.t('Show')}</TextButton>}
          <TextButton onPress={act('fix-errors')}>{withPrice(fix, priceToGoOn(panel, item.turnId))}</TextButton>
        </div>
      )}
    </div>
  );
}

function turnFactsWords(left: ErrorsLeft | undefined, { test, unchanged, unnamed = [] }: TurnFacts = {}): string[] {
  return [
    ...(left ? [left.count === 1 ? l10n.t('1 new error') : l10n.t('{0} new errors', left.count)] : []),
    ...(test ? [testWords(test)] : []),
    ...(unchanged ? [l10n.t('No files were changed')] : []),
    ...(unnamed.length > 0 ? [l10n.t('Also changed: {0}', unnamed.join(', '))] : []),
  ];
}

const maxOfCommand = 40;

function testWords({ command, exitCode, editsSince }: NonNullable<TurnFacts['test']>): string {
  if (exitCode === 0) {
    return editsSince === 1
      ? l10n.t('Tests passed before the last edit')
      : l10n.t('Tests passed before the last {0} edits', editsSince);
  }
  const name = command.length > maxOfCommand ? `${command.slice(0, maxOfCommand).toWellFormed()}…` : command;
  if (editsSince === 0) return l10n.t('Last run of {0} failed (exit {1})', name, exitCode);
  return editsSince === 1
    ? l10n.t('Last run of {0} failed (exit {1}), before the last edit', name, exitCode)
    : l10n.t('Last run of {0} failed (exit {1}), before the last {2} edits', name, exitCode, editsSince);
}

function fixLabel(left: ErrorsLeft | undefined, turnFacts: TurnFacts | undefined): string | undefined {
  if (left || turnFacts?.unchanged || turnFacts?.test?.exitCode) return l10n.t('Fix');
  return turnFacts?.test && l10n.t('Test Again');
}
