import * as l10n from '@vscode/l10n';
import { chargeOfFailure } from '../charge.ts';
import type { Failure } from './failure.ts';
import type { FailureAction } from './failure-action.ts';
import { cutAndBusy, modelsIn, sentences } from './failure-sentences.ts';
import { kinds } from './kinds.ts';

/** A failure in plain words: what happened, what to do next, what it means for money, and the buttons. */
export interface FailureText {
  title: string;
  detail: string;
  /** In the order in which they are drawn; the first one is the primary button. */
  actions: { action: FailureAction; label: string }[];
  /** `none`: nothing was sent, so money is no question. */
  money: 'charged' | 'not-charged' | 'maybe' | 'none';
}

/**
 * The sentences and buttons for every kind of failure, for the card in the panel and for the editor's own messages.
 * `nameOf` turns a model id into its display name. What comes out is plain text; the server's own words are not in it.
 */
export function describeFailure(
  failure: Failure,
  nameOf: (id: string) => string,
  offers: FailureOffers = {},
): FailureText {
  const { title, detail, actions } = { ...sentences[failure.kind](failure, nameOf), ...cutAndBusy(failure, nameOf) };
  const offered = offers.otherModel === 'none' ? actions.filter((each) => each !== 'try-other-model') : actions;
  return {
    title,
    detail,
    actions: [...offered, 'copy-report' as const].map((action) => ({
      action,
      label: offerLabel(action, nameOf, offers),
    })),
    money: moneyOf(failure),
  };
}

/** Ids of the models that had no room for this request, and of the one that failed. */
export function refusedModels(failure: Failure): string[] {
  const { model, namedModel } = failure;
  return [model, namedModel, ...modelsIn(failure, 'asked'), ...modelsIn(failure, 'busy')].filter(
    (id) => id !== undefined,
  );
}

/** Facts that make a button's label more exact, where they are known. */
export interface FailureOffers {
  /** The id of the model that would be tried; `none` when there is none that has not just refused. */
  otherModel?: string;
  /** Price of sending again, in words: `≈ $0.0060`. */
  estimate?: string;
}

/**
 * The model to try when a turn failed: the first of `order` that has not just refused. `left`: the models that the turn left for
 * others on its way.
 */
export function otherModel(
  order: readonly string[],
  failure: Failure,
  left: readonly { from: string; failure: Failure }[] = [],
): string | undefined {
  const busy = left.filter(({ failure: each }) => kinds[each.kind].about === 'capacity').map(({ from }) => from);
  const refused = new Set([...refusedModels(failure), ...busy]);
  return order.find((id) => !refused.has(id));
}

function offerLabel(action: FailureAction, nameOf: (id: string) => string, offers: FailureOffers): string {
  const { otherModel: other, estimate } = offers;
  if (action === 'try-other-model' && other !== undefined) return l10n.t('Try {0}', nameOf(other));
  const label = actionLabel(action);
  const isSentAgain = action === 'retry' || action === 'continue' || action === 'continue-once';
  return isSentAgain && estimate !== undefined ? l10n.t('{0} {1}', label, estimate) : label;
}

/** The button text of an action. */
export function actionLabel(action: FailureAction): string {
  switch (action) {
    case 'enter-key':
      return l10n.t('Enter New Key');
    case 'open-dashboard':
      return l10n.t('Open Dashboard');
    case 'open-address-setting':
      return l10n.t('Open Setting');
    case 'retry':
      return l10n.t('Retry');
    case 'continue':
      return l10n.t('Continue');
    case 'continue-once':
      return l10n.t('Continue Once');
    case 'send-without-images':
      return l10n.t('Send Without Image');
    case 'try-other-model':
      return l10n.t('Try Another Model');
    case 'change-order':
      return l10n.t('Change Order');
    case 'use-nearest-model':
      return l10n.t('Use Suggested Model');
    case 'select-model':
      return l10n.t('Select Model');
    case 'open-proxy-settings':
      return l10n.t('Check Proxy');
    case 'check-service':
      return l10n.t('Check Service');
    case 'change-limit':
      return l10n.t('Change Limit');
    case 'compact':
      return l10n.t('Compact');
    case 'new-chat':
      return l10n.t('New Chat');
    case 'new-from-summary':
      return l10n.t('New Chat from Summary');
    case 'remember-size':
      return l10n.t('Remember This Size');
    case 'copy-report':
      return l10n.t('Copy Report');
    case 'open-help':
      return l10n.t('Help');
    case 'report-issue':
      return l10n.t('Report Issue');
    case 'show-capabilities':
      return l10n.t('Show Capabilities');
    case 'show-log':
      return l10n.t('Show Log');
    case 'show-problems':
      return l10n.t('Show');
    case 'fix-errors':
      return l10n.t('Fix');
  }
}

function moneyOf(failure: Failure): FailureText['money'] {
  const charge = chargeOfFailure(failure);
  return charge === undefined ? 'none' : moneyWords[charge];
}

const moneyWords = { yes: 'charged', no: 'not-charged', maybe: 'maybe' } as const;
