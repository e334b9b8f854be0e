import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../shared/money.ts';

interface Spent {
  microUsd: number;
  estimated: boolean;
}

export interface StatusInput {
  content: 'model' | 'modelAndSpend' | 'hidden';
  hasKey: boolean;
  keyRejected: boolean;
  busy: boolean;
  approvals: number;
  questions: number;
  unreachable: boolean;
  done?: { conversationId: string; cost: Spent };
  modelName: string;
  modelId: string;
  today: Spent & { requests: number };
  dailyLimitUsd?: number;
  recent?: { week: Spent; month: Spent };
  conversation?: { microUsd: number; limitUsd: number };
  locale: string;
}

export interface StatusBarState {
  visible: boolean;
  text: string;
  tooltip: string;
  label: string;
  background?: 'warning' | 'error';
  command: string;
  args?: readonly unknown[];
}

export function statusBarState(input: StatusInput): StatusBarState {
  const spent = formatMicroUsd(input.today.microUsd, input.today.estimated, input.locale);
  const { recent, conversation } = input;
  const daily = limitLevel(input.today.microUsd, input.dailyLimitUsd);
  const level =
    daily === 'reached' ? daily : (limitLevel(conversation?.microUsd ?? 0, conversation?.limitUsd) ?? daily);
  const isDaily = level === daily;
  const name = input.content === 'modelAndSpend' ? `${input.modelName} · ${spent}` : input.modelName;
  const tooltip = [
    `**svc Assistant** · \`${input.modelId}\``,
    todayLine(spent, input),
    ...(recent === undefined
      ? []
      : [l10n.t('7 days: {0} · 30 days: {1}', amount(recent.week, input.locale), amount(recent.month, input.locale))]),
    l10n.t('Calculated on this machine at 0.33 USD per 1M tokens. Your balance is shown only in the dashboard.'),
  ].join('\n\n');
  const base = { visible: input.content !== 'hidden', tooltip, command: 'svc.showMenu' };
  if (!input.hasKey) {
    return {
      ...base,
      text: l10n.t('$(key) svc: Set Key'),
      label: l10n.t('svc: set API key'),
      command: 'svc.setApiKey',
    };
  }
  if (input.keyRejected) {
    return {
      ...base,
      text: l10n.t('$(error) svc: Key rejected'),
      label: l10n.t('svc: the API key was rejected'),
      background: 'error',
      command: 'svc.setApiKey',
    };
  }
  if (input.approvals > 0) {
    const one = input.approvals === 1;
    return {
      ...base,
      text: one ? l10n.t('$(bell) svc: 1 approval') : l10n.t('$(bell) svc: {0} approvals', input.approvals),
      label: one ? l10n.t('svc: 1 approval needed') : l10n.t('svc: {0} approvals needed', input.approvals),
      background: 'warning',
      command: 'svc.focusApproval',
    };
  }
  if (input.questions > 0) {
    const one = input.questions === 1;
    return {
      ...base,
      text: one ? l10n.t('$(bell) svc: 1 question') : l10n.t('$(bell) svc: {0} questions', input.questions),
      label: one ? l10n.t('svc: 1 question for you') : l10n.t('svc: {0} questions for you', input.questions),
      background: 'warning',
      command: 'svc.focusApproval',
    };
  }
  if (level === 'reached') {
    return {
      ...base,
      text: `$(error) ${name}`,
      label: isDaily
        ? l10n.t('svc: daily limit reached, {0} today', spent)
        : l10n.t('svc: limit of this conversation reached, {0} today', spent),
      background: 'error',
    };
  }
  const { busy, unreachable, modelName } = input;
  if (busy) {
    const label = l10n.t('svc: {0}, {1} spent today, working', modelName, spent);
    return { ...base, text: `$(loading~spin) ${name}`, label };
  }
  if (input.done) {
    const cost = amount(input.done.cost, input.locale);
    const text = l10n.t('$(check) svc: Done · {0}', cost);
    const label = l10n.t('svc: an answer is done, {0}', cost);
    return { ...base, text, label, command: 'svc.openConversation', args: [input.done.conversationId] };
  }
  if (unreachable) {
    const label = l10n.t('svc: {0}, {1} spent today, service unreachable', modelName, spent);
    return { ...base, text: `$(warning) ${name}`, label, background: 'warning' };
  }
  if (level === 'near') {
    const label = isDaily
      ? l10n.t('svc: {0}, {1} spent today, near the daily limit', modelName, spent)
      : l10n.t('svc: {0}, {1} spent today, near the limit of this conversation', modelName, spent);
    return { ...base, text: `$(warning) ${name}`, label, background: 'warning' };
  }
  return { ...base, text: name, label: l10n.t('svc: {0}, {1} spent today', modelName, spent) };
}

function todayLine(spent: string, { today: { requests }, dailyLimitUsd, locale }: StatusInput): string {
  if (dailyLimitUsd === undefined) {
    return requests === 1
      ? l10n.t('Today: {0} in 1 request', spent)
      : l10n.t('Today: {0} in {1} requests', spent, requests);
  }
  const limit = formatMicroUsd(dailyLimitUsd * 1_000_000, false, locale);
  return requests === 1
    ? l10n.t('Today: {0} of {1} in 1 request', spent, limit)
    : l10n.t('Today: {0} of {1} in {2} requests', spent, limit, requests);
}

function amount({ microUsd, estimated }: Spent, locale: string): string {
  return formatMicroUsd(microUsd, estimated, locale);
}

/** Returns `near` from 80 % of the limit and `reached` from 100 %. */
export function limitLevel(microUsd: number, limitUsd: number | undefined): 'near' | 'reached' | undefined {
  if (limitUsd === undefined) return undefined;
  if (microUsd >= limitUsd * 1e6) return 'reached';
  return microUsd >= limitUsd * 0.8e6 ? 'near' : undefined;
}
