import * as l10n from '@vscode/l10n';
import { chargeOfFailure } from '../charge.ts';
import { formatMicroUsd, wholeCents } from '../money.ts';
import type { Failure } from './failure.ts';
import type { FailureAction } from './failure-action.ts';
import { cutAndBusy, modelsIn, sentences } from './failure-sentences.ts';
import { kinds } from './kinds.ts';

export interface FailureText {
  title: string;
  detail: string;
  /** Actions are in drawing order; the first one is the primary button. */
  actions: { action: FailureAction; label: string }[];
  money: 'charged' | 'not-charged' | 'maybe' | 'none';
}

/** Returns the sentences and buttons for a failure, as plain text without the server's own words. */
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
      label: offerLabel(action, nameOf, { ...offers, limit: raisedLimit(failure) }),
    })),
    money: moneyOf(failure),
  };
}

export function refusedModels(failure: Failure): string[] {
  const { model, namedModel } = failure;
  return [model, namedModel, ...modelsIn(failure, 'asked'), ...modelsIn(failure, 'busy')].filter(
    (id) => id !== undefined,
  );
}

export interface FailureOffers {
  otherModel?: string;
  estimate?: string;
}

export function otherModel(
  order: readonly string[],
  failure: Failure,
  left: readonly { from: string; failure: Failure }[] = [],
): string | undefined {
  const busy = left.filter(({ failure: each }) => kinds[each.kind].about === 'capacity').map(({ from }) => from);
  const refused = new Set([...refusedModels(failure), ...busy]);
  return order.find((id) => !refused.has(id));
}

/** Returns a limit, in micro-dollars, that leaves a message as much as the one that stopped it and its next request. */
export function raisedLimit({ facts }: Failure): number {
  const { limitMicroUsd, spentMicroUsd, estimateMicroUsd } = facts ?? {};
  const least = Number(spentMicroUsd) + Number(estimateMicroUsd) + Number(limitMicroUsd);
  return wholeCents(Math.max(2 * Number(limitMicroUsd), least));
}

function offerLabel(
  action: FailureAction,
  nameOf: (id: string) => string,
  { otherModel: other, estimate, limit }: FailureOffers & { limit: number },
): string {
  if (action === 'raise-limit') return l10n.t('Continue up to {0}', formatMicroUsd(limit, false));
  if (action === 'try-other-model' && other !== undefined) return l10n.t('Try {0}', nameOf(other));
  const label = actionLabel(action);
  const isSentAgain = action === 'retry' || action === 'continue' || action === 'continue-once';
  return isSentAgain && estimate !== undefined ? l10n.t('{0} {1}', label, estimate) : label;
}

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
    case 'wait-and-run':
      return l10n.t('Wait and Run');
    case 'raise-limit':
      return l10n.t('Raise Limit and Continue');
    case 'send-without-images':
      return l10n.t('Send Without Image');
    case 'try-other-model':
      return l10n.t('Try Another Model');
    case 'change-order':
      return l10n.t('Change Fallback Order');
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
    case 'run-tests':
      return l10n.t('Run the Tests');
    case 'review-by-hunk':
      return l10n.t('Review');
    case 'open-source-control':
      return l10n.t('Commit');
  }
}

function moneyOf(failure: Failure): FailureText['money'] {
  const charge = chargeOfFailure(failure);
  return charge === undefined ? 'none' : moneyWords[charge];
}

const moneyWords = { yes: 'charged', no: 'not-charged', maybe: 'maybe' } as const;
