import type { ChatViewModel } from '../../../../src/chat/view-model.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import type { Asked } from '../../../../src/shared/interaction.ts';
import type { ChatWidget } from '../../../../src/vscode/chat-panel/chat-widgets.ts';

/** Near to what the model takes. */
export const compactAsked: Asked<'compact'> = {
  ...{ id: 'compact', kind: 'compact' },
  about: {
    near: { tokens: 32_000, by: 'set' },
    ...{ priceMicroUsd: 7200, savedMicroUsd: 5610, paysAfterRequests: 2 },
  },
};

/** A conversation with calls that wait for consent, and whether its model waits for an answer. */
export function conversationWith(id: string, { approvals = 0, asks = false, title = '', paths = [] as string[] } = {}) {
  const parts = Array.from({ length: approvals }, (_, at) => ({
    ...{ type: 'tool', id: `${id}-${at}`, name: 'run_command', state: 'approval' },
    approval: { request: { callId: `${id}-${at}`, subject: { kind: 'command' } } },
  }));
  const stopped: string[] = [];
  const state = {
    ...emptyChat,
    title,
    items: [{ kind: 'answer', turnId: 't', at: 0, parts, ...(paths.length > 0 && { checkpoint: { id: 'k', paths } }) }],
    ...(asks && { running: { turnId: 't', phase: 'question' } }),
  };
  let asked: Asked<'compact'> | undefined;
  const conversation = {
    ...{ id, running: true, stop: () => void stopped.push(id), stopped },
    state: () => (asked ? { ...state, asked } : state),
    /** Whether a message of it waits for the answer. */
    asksToCompact: (isAsked: boolean) => {
      asked = isAsked ? compactAsked : undefined;
    },
  };
  return conversation as unknown as Conversation & Pick<typeof conversation, 'stopped' | 'asksToCompact'>;
}

/** A view that notes what is asked of it. */
export function paneWith(name: string, conversation: Conversation, { visible = true } = {}) {
  const done: string[] = [];
  let shown = conversation;
  const note = (what: string) => async () => void done.push(`${name} ${what}`);
  const widget = {
    viewModel: {
      conversation: () => shown,
      open: async (id: string) => {
        done.push(`${name} opens ${id}`);
        shown = { ...shown, id };
      },
    } as unknown as ChatViewModel,
    channel: { visible: () => visible, onDidShow: () => ({ dispose: () => undefined }) },
    view: { focusInput: () => void done.push(`${name} focusInput`) },
    show: note('show'),
    showApproval: note('showApproval'),
    close: () => void done.push(`${name} close`),
  };
  return Object.assign(widget as unknown as ChatWidget, { done });
}
