import type { Conversation } from '../conversation/conversation.ts';
import type { QueuedMessage } from '../conversation/queue.ts';
import type { ChatRequest } from '../service/contract.ts';
import type { Attachment } from '../shared/messages.ts';
import type { PanelInfo } from '../shared/panel/panel-info.ts';
import type { Estimator } from '../spend/estimate.ts';
import { costMicroUsd } from '../spend/price.ts';
import type { StepEstimate } from './step-estimate.ts';

export interface SteerPriceDeps {
  estimator: Pick<Estimator, 'prompt' | 'text'>;
  estimate(attachment: Attachment): { tokens?: number };
  stepEstimate: Pick<StepEstimate, 'left'>;
  last(conversationId: string): ChatRequest | undefined;
}

export interface SteerPrice {
  /** Estimates the price of a message that joins the running turn: its tokens in each request that usually follows. */
  atNextStep(message: QueuedMessage, conversation: Conversation): number;
  /** Estimates the price of the request that a Stop cuts off and that may be charged; undefined where none was sent. */
  lostByStop(conversation: Conversation): number | undefined;
}

export function createSteerPrice({ estimator, estimate, stepEstimate, last }: SteerPriceDeps): SteerPrice {
  // Both are asked for with every change of the panel.
  const weights = new WeakMap<readonly Attachment[], number>();
  const prompts = new WeakMap<ChatRequest, number>();
  const tokensOf = ({ text, attachments, model }: QueuedMessage): number => {
    const known = weights.get(attachments);
    if (known !== undefined) return known;
    const attached = attachments.reduce((sum, one) => sum + (estimate(one).tokens ?? 0), 0);
    const tokens = estimator.text(model, text).tokens + attached;
    weights.set(attachments, tokens);
    return tokens;
  };
  return {
    atNextStep(message, conversation) {
      const item = conversation.state().items.at(-1);
      const step = item?.kind === 'answer' ? (item.parts.at(-1)?.step ?? 0) : 0;
      return costMicroUsd(tokensOf(message) * stepEstimate.left(step));
    },
    lostByStop({ id }) {
      const request = last(id);
      if (request === undefined) return undefined;
      const tokens = prompts.get(request) ?? estimator.prompt(request).tokens;
      prompts.set(request, tokens);
      return costMicroUsd(tokens);
    },
  };
}

export function shownQueue(conversation: Conversation, price: SteerPrice): PanelInfo['queue'] {
  const { items: messages, paused } = conversation.queue();
  const isRunning = conversation.state().running !== undefined;
  const items = messages.map((message) => ({
    ...{ id: message.id, text: labelOf(message) },
    ...(message.atNextStep && { atNextStep: true as const }),
    ...(isRunning && { nextStepMicroUsd: price.atNextStep(message, conversation) }),
  }));
  const lost = isRunning && items.length > 0 ? price.lostByStop(conversation) : undefined;
  return { items, paused, ...(lost !== undefined && { lostMicroUsd: lost }) };
}

function labelOf({ text, typed, attachments }: QueuedMessage): string {
  const words = typed ?? text;
  return words.trim() === '' ? attachments.map(({ label }) => label).join(', ') : words;
}
