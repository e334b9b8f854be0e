import * as vscode from 'vscode';
import { coalesced } from '../../base/coalesced.ts';
import type { Event } from '../../base/emitter.ts';
import type { OpenConversations } from '../../chat/open-conversations.ts';
import type { Waiting } from '../../chat/waiting.ts';
import { waiting } from '../../shared/event-traits.ts';
import type { ChatEvent } from '../../shared/events.ts';
import { kinds } from '../../shared/failure/kinds.ts';
import { lastDays } from '../../spend/days.ts';
import type { Ledger } from '../../spend/ledger.ts';
import { type StatusInput, statusBarState } from '../../spend/status-bar-state.ts';
import type { Readiness } from '../account/readiness.ts';
import type { KeyStore } from '../account/secrets.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Settings } from '../host/settings.ts';

export interface StatusDeps {
  settings: Settings;
  keys: KeyStore;
  readiness: Readiness;
  ledger: Pick<Ledger, 'today' | 'currentDay' | 'totals' | 'conversation' | 'onDidChange' | 'refresh'>;
  conversations: OpenConversations;
  attention: {
    waiting(): Waiting;
    unseenEnds(): readonly NonNullable<StatusInput['done']>[];
    onDidChange: Event;
  };
  conversationId(): string;
  model(): string;
  nameOf(id: string): string;
  /** Runs work that an opening chat need not wait for. */
  afterSent(run: () => void): { dispose(): void };
  onError(error: unknown): void;
}

export function createStatus(deps: StatusDeps): vscode.Disposable {
  const bar = createStatusBar();
  let keyRejected = false;
  let unreachable = false;
  let summed: Pick<StatusInput, 'recent' | 'conversation'> = {};
  const draw = () => {
    const id = deps.model();
    const busy = deps.conversations.all().some((conversation) => conversation.running);
    const { approvals, questions } = deps.attention.waiting();
    setContextKey('svc.requestInProgress', busy);
    setContextKey('svc.hasPendingApproval', approvals + questions > 0);
    bar.draw({
      content: deps.settings.statusBarContent(),
      hasKey: deps.readiness.hasKey(),
      keyRejected,
      busy,
      approvals,
      questions,
      unreachable,
      done: deps.attention.unseenEnds()[0],
      locale: vscode.env.language,
      modelName: deps.nameOf(id),
      modelId: id,
      today: deps.ledger.today(),
      dailyLimitUsd: deps.settings.limits().dailyLimitUsd,
      ...summed,
    });
  };
  /** These sums are read from files, so the item is drawn without them first. */
  const sum = coalesced(async () => {
    summed = await sumUp(deps);
    draw();
  });
  const drawAndSum = () => {
    draw();
    sum().catch(deps.onError);
  };
  const emitted = (_conversation: unknown, events: readonly ChatEvent[]) => {
    for (const event of events) {
      if (waiting(event) !== undefined || event.type === 'modelChanged') draw();
      if (event.type === 'userMessage') setContextKey('svc.hasSentMessage', true);
      if (event.type !== 'turnEnded') continue;
      keyRejected = event.failure?.kind === 'key-rejected';
      unreachable = event.failure !== undefined && kinds[event.failure.kind].about === 'network';
      draw();
    }
  };
  const { conversations, ledger } = deps;
  const subscriptions = [
    bar,
    conversations.onDidEmit(emitted),
    conversations.onDidChange(drawAndSum),
    ledger.onDidChange(drawAndSum),
    deps.attention.onDidChange(draw),
    deps.readiness.onDidChange(draw),
    deps.settings.onDidChange(drawAndSum),
    deps.keys.onDidChange(() => {
      keyRejected = false;
    }),
    // Spending of other windows is read when this one gets the focus again; nothing polls.
    vscode.window.onDidChangeWindowState((state) => {
      if (state.focused) deps.ledger.refresh().then(draw, deps.onError);
    }),
  ];
  // VS Code takes its time to read what the item shows when pointed at: a chat that is being opened is sent first.
  return vscode.Disposable.from(...subscriptions, deps.afterSent(drawAndSum));
}

async function sumUp({
  ledger,
  settings,
  conversationId,
}: StatusDeps): Promise<Pick<StatusInput, 'recent' | 'conversation'>> {
  const today = ledger.currentDay();
  const [week, month] = await Promise.all([ledger.totals(lastDays(today, 7)), ledger.totals(lastDays(today, 30))]);
  const limitUsd = settings.limits().conversationLimitUsd;
  if (limitUsd === undefined) return { recent: { week, month } };
  const { microUsd } = await ledger.conversation(conversationId());
  return { recent: { week, month }, conversation: { microUsd, limitUsd } };
}

/** Draws the item in the status bar. `draw` is cheap, because VS Code receives only what changed. */
export function createStatusBar(): { draw(input: StatusInput): void } & vscode.Disposable {
  const item = vscode.window.createStatusBarItem('svc.status', vscode.StatusBarAlignment.Right, 100);
  item.name = 'svc Assistant';
  return {
    draw(input) {
      const shown = statusBarState(input);
      item.text = shown.text;
      item.tooltip = new vscode.MarkdownString(shown.tooltip);
      const { command, args } = shown;
      item.command = args ? { command, title: shown.label, arguments: [...args] } : command;
      item.accessibilityInformation = { label: shown.label };
      item.backgroundColor = shown.background
        ? new vscode.ThemeColor(`statusBarItem.${shown.background}Background`)
        : undefined;
      if (shown.visible) item.show();
      else item.hide();
    },
    dispose: () => item.dispose(),
  };
}
