import { createEmitter, type Event } from '../../base/emitter.ts';
import type { Compacting } from '../../chat/compact.ts';
import type { Focus } from '../../chat/focus.ts';
import type { SendFlow } from '../../chat/send-flow.ts';
import type { ChatViewModel } from '../../chat/view-model.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { waitsForUser } from '../../shared/chat/chat-state.ts';
import type { Composer } from '../composer/create-composer.ts';
import type { ChatView } from './chat-view.ts';
import type { WebviewChannel } from './webview-channel.ts';

export interface ChatWidget {
  viewModel: ChatViewModel;
  channel: WebviewChannel;
  view: ChatView;
  show(): Promise<void>;
  showApproval(): Promise<void>;
  addContext(): Promise<void>;
  model(): string;
  composer: Composer;
  flow: SendFlow;
  compaction: Compacting;
  estimate(model: string, text: string): number;
  /** Closes the view; it is absent for the side bar, which stays. */
  close?(): void;
  showNext(): Promise<void>;
}

export interface ChatWidgets {
  sideBar(): ChatWidget;
  active(): ChatWidget;
  all(): readonly ChatWidget[];
  /** Prefers the active or a visible view over others. */
  showing(conversation: Conversation): ChatWidget | undefined;
  onDidShow: Event;
  add(widget: ChatWidget): void;
  remove(widget: ChatWidget): void;
}

export function createChatWidgets(focus: Focus<ChatViewModel>): ChatWidgets {
  const widgets: ChatWidget[] = [];
  const shown = createEmitter();
  const sideBar = () => {
    const [first] = widgets;
    if (first === undefined) throw new Error('The side bar is the first view.');
    return first;
  };
  return {
    sideBar,
    active: () => widgets.find(({ viewModel }) => viewModel === focus.active()) ?? sideBar(),
    all: () => widgets,
    showing(conversation) {
      const shows = widgets.filter((widget) => widget.viewModel.conversation() === conversation);
      return (
        shows.find(({ viewModel }) => viewModel === focus.active()) ??
        shows.find((widget) => widget.channel.visible()) ??
        shows[0]
      );
    },
    onDidShow: shown.event,
    add(widget) {
      widgets.push(widget);
      widget.channel.onDidShow(shown.fire);
      focus.add(widget.viewModel);
    },
    remove(widget) {
      widgets.splice(widgets.indexOf(widget), 1);
      focus.remove(widget.viewModel);
    },
  };
}

/**
 * Shows the oldest call that waits for consent or for an answer, in the view that has its conversation, or else in
 * the side bar.
 */
export async function showPendingApproval(widgets: ChatWidgets, live: readonly Conversation[]): Promise<void> {
  const waiting = live.filter((conversation) => waitsForUser(conversation.state()));
  const shown = waiting.flatMap((conversation) => widgets.showing(conversation) ?? []);
  const widget = shown.find((each) => each === widgets.active()) ?? shown[0] ?? widgets.sideBar();
  const [first] = waiting;
  if (shown.length === 0 && first) await widget.viewModel.open(first.id);
  await widget.showApproval();
}

export async function openNeighbour(viewModel: ChatViewModel, by: 1 | -1): Promise<void> {
  const list = await viewModel.list();
  const at = list.findIndex(({ id }) => id === viewModel.conversation().id);
  const neighbour = at === -1 && by === -1 ? undefined : list[at + by];
  if (neighbour) await viewModel.open(neighbour.id);
}
