import type { TurnInput } from '../agent/turn.ts';
import { expandCommand, type PromptText } from '../conversation/composing/slash-commands.ts';
import type { ChatRequest } from '../service/contract.ts';
import type { NextPrice } from '../shared/panel/panel-info.ts';
import type { EditedMessage } from './edited-message.ts';
import { createPricePreview, type LiveHistory, type PricePreview, type PricePreviewDeps } from './price-preview.ts';
import type { TurnRunner } from './run-turn.ts';
import type { TurnContext } from './turn-context.ts';
import type { ChatViewModel } from './view-model.ts';

export interface NextMessageDeps
  extends Pick<
    PricePreviewDeps,
    'estimator' | 'model' | 'contextWindowOf' | 'note' | 'compactionEstimate' | 'takesImages' | 'usual'
  > {
  viewModel: ChatViewModel;
  edited: EditedMessage;
  turnContext: Pick<TurnContext, 'toSent' | 'overhead'>;
  turns: Pick<TurnRunner, 'next' | 'last'>;
  request(): TurnInput['request'];
  historyOf(conversation: ReturnType<ChatViewModel['conversation']>): LiveHistory | undefined;
  prompts(): readonly PromptText[];
}

export interface NextRequest {
  request: ChatRequest;
  price: NextPrice;
  running: boolean;
  empty: boolean;
  sent: ChatRequest | undefined;
}

/** Makes content and price of a view's next message. It sends nothing. */
export interface NextMessage {
  price: PricePreview;
  estimate(model: string, text: string): number;
  /** Resolves with exactly what would be sent, made of the same parts as a turn. */
  request(): Promise<NextRequest>;
}

export function createNextMessage(deps: NextMessageDeps): NextMessage {
  const {
    viewModel,
    edited,
    turnContext,
    turns,
    estimator,
    model,
    contextWindowOf,
    note,
    compactionEstimate,
    takesImages,
  } = deps;
  const liveHistory = () => deps.historyOf(viewModel.conversation());
  const expand = (text: string) => expandCommand(text, deps.prompts());
  const pricing: Omit<PricePreviewDeps, 'model' | 'draft' | 'replaces'> = {
    estimator,
    attachments: edited.attachments,
    history: liveHistory,
    running: () => viewModel.state().running !== undefined,
    toSent: turnContext.toSent,
    overhead: (history) => turnContext.overhead(viewModel.conversation().id, history),
    note,
    contextWindowOf,
    takesImages,
    compactionEstimate,
    expand,
    usual: deps.usual,
  };
  const next = { ...pricing, model, draft: viewModel.draft.text, replaces: edited.messageId };
  return {
    price: createPricePreview(next),
    estimate: (other, text) =>
      createPricePreview({ ...pricing, model: () => other, draft: () => text })('all').microUsd,
    async request() {
      const draft = viewModel.draft.text();
      const history = liveHistory()?.withNext(expand(draft), edited.attachments(), edited.messageId()) ?? [];
      const { id: conversationId, running } = viewModel.conversation();
      const request = await turns.next({ conversationId, history, model: model(), request: deps.request() });
      return {
        request,
        // A running turn has added to what is shown here.
        price: createPricePreview(next)('all'),
        running,
        empty: draft.trim() === '',
        sent: turns.last(conversationId),
      };
    },
  };
}
