import { formatMicroUsd } from '../shared/money.ts';
import { limitLevel } from '../spend/limit-level.ts';

interface Spent {
  microUsd: number;
  estimated: boolean;
}

/** What the one status bar item is drawn from. */
export interface StatusInput {
  content: 'model' | 'modelAndSpend' | 'hidden';
  hasKey: boolean;
  /** The service refused the key in the last request. */
  keyRejected: boolean;
  busy: boolean;
  /** Calls that wait for consent. */
  approvals: number;
  unreachable: boolean;
  modelName: string;
  modelId: string;
  today: Spent & { requests: number };
  dailyLimitUsd?: number;
  /** The last 7 and 30 days, once they were summed. */
  recent?: { week: Spent; month: Spent };
  /** What the open conversation has cost, when there is a limit for that. */
  conversation?: { microUsd: number; limitUsd: number };
}

export interface StatusPicture {
  visible: boolean;
  text: string;
  tooltip: string;
  /** Read by screen readers instead of the glyphs. */
  label: string;
  background?: 'warning' | 'error';
  command: string;
}

/** State → picture, without VS Code, so that every row has a unit test. */
export function statusPicture(input: StatusInput): StatusPicture {
  const spent = formatMicroUsd(input.today.microUsd, input.today.estimated);
  const { recent, conversation } = input;
  const daily = limitLevel(input.today.microUsd, input.dailyLimitUsd);
  const level =
    daily === 'reached' ? daily : (limitLevel(conversation?.microUsd ?? 0, conversation?.limitUsd) ?? daily);
  const limitName = level === daily ? 'daily limit' : 'limit of this conversation';
  const name = input.content === 'modelAndSpend' ? `${input.modelName} · ${spent}` : input.modelName;
  const tooltip = [
    `**svc Assistant** · \`${input.modelId}\``,
    `Today: ${spent} in ${input.today.requests} requests${input.dailyLimitUsd === undefined ? '' : ` of $${input.dailyLimitUsd.toFixed(2)}`}`,
    ...(recent === undefined ? [] : [`7 days: ${amount(recent.week)} · 30 days: ${amount(recent.month)}`]),
    'Counted on this machine at 0.33 USD per 1M tokens. Your balance is only in the dashboard.',
  ].join('\n\n');
  const base = { visible: input.content !== 'hidden', tooltip, command: 'svc.showMenu' };
  if (!input.hasKey) {
    return { ...base, text: '$(key) svc: Set Key', label: 'svc: set API key', command: 'svc.setApiKey' };
  }
  if (input.keyRejected) {
    return {
      ...base,
      text: '$(error) svc: Key rejected',
      label: 'svc: the API key was rejected',
      background: 'error',
      command: 'svc.setApiKey',
    };
  }
  if (input.approvals > 0) {
    const count = input.approvals === 1 ? '1 approval' : `${input.approvals} approvals`;
    return {
      ...base,
      text: `$(bell) svc: ${count}`,
      label: `svc: ${count} needed`,
      background: 'warning',
      command: 'svc.focusApproval',
    };
  }
  if (level === 'reached') {
    return {
      ...base,
      text: `$(error) ${name}`,
      label: `svc: ${limitName} reached, ${spent} today`,
      background: 'error',
    };
  }
  const words = `svc: ${input.modelName}, ${spent} spent today`;
  if (input.busy) return { ...base, text: `$(loading~spin) ${name}`, label: `${words}, working` };
  if (input.unreachable) {
    return { ...base, text: `$(warning) ${name}`, label: `${words}, service not reached`, background: 'warning' };
  }
  if (level === 'near')
    return { ...base, text: `$(warning) ${name}`, label: `${words}, near the ${limitName}`, background: 'warning' };
  return { ...base, text: name, label: words };
}

function amount({ microUsd, estimated }: Spent): string {
  return formatMicroUsd(microUsd, estimated);
}
