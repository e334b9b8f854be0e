import * as l10n from '@vscode/l10n';
import { type AnswerItem, modelsLeft } from '../../../src/shared/chat/chat-state.ts';
import type { Failure } from '../../../src/shared/failure/failure.ts';
import { actionLabel, type FailureAction } from '../../../src/shared/failure/failure-action.ts';
import { modelsIn } from '../../../src/shared/failure/failure-sentences.ts';
import {
  describeFailure,
  type FailureOffers,
  type FailureText,
  otherModel,
} from '../../../src/shared/failure/failure-text.ts';
import type { Charge } from '../../../src/shared/messages.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { type Panel, usePanel } from '../panel.ts';
import { priceToGoOn } from '../sections/go-on-price.ts';
import { Folding } from '../transcript/folding.tsx';
import { FactList } from './approval-facts.tsx';

interface FailureProps {
  answer: AnswerItem;
  failure: Failure;
  /** Is true when the conversation continued: one line remains that unfolds to what can still be read and reported. */
  past: boolean;
}

export const FailureCard = memo(({ answer, failure, past }: FailureProps) => {
  const panel = usePanel();
  const { turnId } = answer;
  const { title, detail, actions, money } = describeFailure(failure, panel.nameOf, offersOf(panel, answer, failure));
  // The charge is that of the whole turn; a single failed request of a longer turn is shown separately.
  const moneyLine = moneyText(money, answer.cost?.charge);
  const button = (action: FailureAction, label: string, primary: boolean) => (
    <TextButton key={action} primary={primary} onPress={() => panel.post({ type: 'action', turnId, action })}>
      {label}
    </TextButton>
  );
  const help = button('open-help', actionLabel('open-help'), false);
  if (past) {
    const summary = (
      <>
        <Icon name="error" />
        <span>{[visibleText(title), moneyLine].filter(Boolean).join(' · ')}</span>
      </>
    );
    return (
      <Folding id={`${turnId}/failed`} className="past-failure" summary={summary}>
        {() => (
          <>
            <p>{visibleText(detail)}</p>
            <Details failure={failure} />
            <div class="actions">
              {button('copy-report', actionLabel('copy-report'), false)}
              {help}
            </div>
          </>
        )}
      </Folding>
    );
  }
  return (
    <div class="failure" role="alert">
      <p class="failure-title">
        <Icon name="error" />
        <strong>{visibleText(title)}</strong>
      </p>
      <p>{visibleText(detail)}</p>
      {moneyLine !== '' && <p class="money">{moneyLine}</p>}
      <div class="actions">{actions.map(({ action, label }, index) => button(action, label, index === 0))}</div>
      <Folding id={`${turnId}/failure`} className="failure-details" summary={<span>{l10n.t('Details')}</span>}>
        {() => (
          <>
            <Details failure={failure} />
            <div class="actions">{help}</div>
          </>
        )}
      </Folding>
    </div>
  );
});

function offersOf(panel: Panel, answer: AnswerItem, failure: Failure): FailureOffers {
  const offers: FailureOffers = {};
  const order = panel.info.value?.tryOrder ?? [];
  if (order.length > 0) offers.otherModel = otherModel(order, failure, modelsLeft(answer)) ?? 'none';
  const estimate = priceToGoOn(panel, answer.turnId);
  if (estimate !== undefined) offers.estimate = estimate;
  return offers;
}

function moneyText(money: FailureText['money'], charge: Charge | undefined): string {
  if (money === 'none') return '';
  if (charge === 'no') return l10n.t('Not charged');
  if (charge === 'maybe' || money === 'maybe') return l10n.t('Possibly charged');
  // What was charged has its price below the answer.
  if (money === 'charged') return '';
  return charge === 'yes' ? l10n.t('The failed request was not charged') : l10n.t('Not charged');
}

/** Shows the facts that a report needs; the service's own words are plain text. */
function Details({ failure }: { failure: Failure }) {
  const { nameOf } = usePanel();
  const busy = [...modelsIn(failure, 'asked'), ...modelsIn(failure, 'busy')];
  const rows: [string, string | undefined][] = [
    [l10n.t('Time'), failure.at],
    [l10n.t('Status'), failure.status === undefined ? l10n.t('No response') : String(failure.status)],
    [l10n.t('Endpoint'), failure.endpoint],
    [l10n.t('Model'), failure.model && `${nameOf(failure.model)} (${failure.model})`],
    [l10n.t('At capacity'), busy.map(nameOf).join(', ')],
    [l10n.t('Cause'), failure.message],
  ];
  return (
    <>
      <FactList rows={rows.flatMap(([name, value]) => (value ? [[name, value]] : []))} />
      {failure.serverMessage && (
        <ScrollBox tag="pre" className="raw" label={l10n.t('What the service said')}>
          {visibleText(failure.serverMessage)}
        </ScrollBox>
      )}
    </>
  );
}
