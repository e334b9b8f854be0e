import * as l10n from '@vscode/l10n';
import { chargeOfFailure } from '../charge.ts';
import { formatMicroUsd, wholeCents } from '../money.ts';
import type { Failure } from './failure.ts';
import { actionLabel, type FailureAction } from './failure-action.ts';
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

function moneyOf(failure: Failure): FailureText['money'] {
  const charge = chargeOfFailure(failure);
  return charge === undefined ? 'none' : moneyWords[charge];
}

const moneyWords = { yes: 'charged', no: 'not-charged', maybe: 'maybe' } as const;
