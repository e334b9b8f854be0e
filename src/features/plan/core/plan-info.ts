import type { LiveHistory } from '../../../chat/price-preview.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { Plans } from '../../../conversation/store/plans.ts';
import type { Attachment, HistoryMessage } from '../../../shared/messages.ts';
import type { SectionStates } from '../../../shared/panel/sections.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import { type PlanPrice, planPrice, runMessage } from './plan-price.ts';
import { taskOf } from './plan-start.ts';

export interface PlanInfoDeps {
  plans: Pick<Plans, 'known'>;
  estimator: Pick<Estimator, 'prompt' | 'text' | 'usual'>;
  model(): string;
  historyOf(conversation: Conversation): LiveHistory | undefined;
  toSent(messages: readonly HistoryMessage[], model: string): readonly HistoryMessage[];
  estimate(attachment: Attachment): { tokens?: number };
}

export interface PlanInfo {
  price(conversation: Conversation): PlanPrice | undefined;
  shown(conversation: Conversation): SectionStates['plan'] | undefined;
}

export function createPlanInfo({ plans, estimator, model, ...deps }: PlanInfoDeps): PlanInfo {
  let last: { key: string; is: PlanPrice } | undefined;
  const price = (conversation: Conversation): PlanPrice | undefined => {
    const text = plans.known(conversation.id)?.text;
    if (text === undefined) return undefined;
    const history = deps.historyOf(conversation);
    const key = JSON.stringify([conversation.id, model(), history?.version(), text]);
    if (last?.key === key) return last.is;
    const task = taskOf(conversation);
    const attached = task.attachments.reduce((sum, one) => sum + (deps.estimate(one).tokens ?? 0), 0);
    const messages = deps.toSent(history?.before(undefined) ?? [], model());
    const tokens = {
      task: estimator.text(model(), runMessage(task.text, text)).tokens + attached,
      history: messages.length === 0 ? 0 : estimator.prompt({ model: model(), messages }).tokens,
    };
    const is = planPrice(text, tokens, (expects) => estimator.usual(model(), expects));
    last = { key, is };
    return is;
  };
  return {
    price,
    shown(conversation) {
      const plan = plans.known(conversation.id);
      const priced = price(conversation);
      if (plan === undefined || priced === undefined) return undefined;
      const { started } = plan;
      const isStarted = started?.text === plan.text;
      return {
        ...priced,
        ...(isStarted && { started: started.conversationId === conversation.id ? 'here' : 'fresh' }),
      };
    },
  };
}
