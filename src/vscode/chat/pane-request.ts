import type { ChatSession } from '../../chat/chat-session.ts';
import type { EditedMessage } from '../../chat/edited-message.ts';
import { createPricePreview, type PricePreviewDeps } from '../../chat/price-preview.ts';
import { expandCommand } from '../../conversation/composing/slash-commands.ts';
import type { HistoryMessage } from '../../shared/messages.ts';
import type { ChatPane } from './chat-panes.ts';
import type { PaneDeps } from './create-pane.ts';

export interface PaneRequestDeps extends Pick<PricePreviewDeps, 'model' | 'note' | 'quote'> {
  /** The message in whose place the next one is sent. */
  edited: EditedMessage;
  /** Whether nothing is known against sending images to this model. */
  images(model: string): boolean;
}

/** What the next message of one view would send, and what it would cost. */
export function createPaneRequest(
  { chat, reports }: PaneDeps,
  session: ChatSession,
  { edited, model, images, note, quote }: PaneRequestDeps,
) {
  const { turns, offer, instructions, estimator, limit } = chat;
  const kept = () => chat.historyOf(session.conversation());
  /** A slash command becomes its text. */
  const expand = (text: string) => expandCommand(text, instructions.promptFiles());
  const pricing = {
    estimator,
    attachments: edited.attachments,
    kept,
    running: () => session.state().running !== undefined,
    toSent: offer.toSent,
    overhead: (history: readonly HistoryMessage[]) => offer.overhead(session.conversation().id, history),
    note,
    limit,
    takesImages: images,
    quote,
    expand,
  };
  const next = { ...pricing, model, draft: session.draft, replaces: edited.messageId };
  const price = createPricePreview(next);
  const estimate: ChatPane['estimate'] = (other, text) =>
    createPricePreview({ ...pricing, model: () => other, draft: () => text })('all').microUsd;
  return {
    price,
    estimate,
    /** The same parts as a turn, asked for what they would send. */
    async showNext(): Promise<void> {
      const draft = session.draft();
      const history = kept()?.withNext(expand(draft), edited.attachments(), edited.messageId()) ?? [];
      const { id: conversationId, running } = session.conversation();
      const request = await turns.next({ conversationId, history, model: model(), request: chat.request() });
      await reports.showNext({
        request,
        // A running turn has added to what is shown here.
        price: createPricePreview(next)('all'),
        running,
        empty: draft.trim() === '',
        sent: turns.last(conversationId),
      });
    },
  };
}
