import '../translations.ts';
import '../page.css';
import './chat.css';
import './first-steps.css';
import './composer.css';
import './conditions.css';
import './agent.css';
import { effect, signal } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { render } from 'preact';
import { systemClock } from '../../src/base/clock.ts';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import { App } from './app.tsx';
import { createWaitingAlert } from './cards/waiting-alert.ts';
import { createImages } from './composer/images.ts';
import { createPageReads } from './composer/page-reads.ts';
import { createHost, type Host } from './host.ts';
import { createCodeColors } from './markdown/code-colors.ts';
import { createNames } from './markdown/names.ts';
import { createPalette } from './markdown/palette.ts';
import { type Panel, PanelProvider } from './panel.ts';
import { createPanelState } from './state.ts';
import { createAnnouncer } from './transcript/announcer.ts';
import { createContextMenu } from './transcript/context-menu.ts';
import { createFrameQueue } from './transcript/frame-queue.ts';
import { createInView } from './transcript/in-view.ts';

const root = document.getElementById('root');
if (root) start(root, createHost());

function start(element: HTMLElement, host: Host): void {
  reportErrors(host);
  const frames = createFrameQueue((run) => requestAnimationFrame(run));
  const { epochMs: now, after } = systemClock;
  const state = createPanelState({ host, now, requestFrame: frames.draw, after });
  const inView = createInView();
  const status = signal('');
  const alert = signal('');
  const panel: Panel = {
    ...state,
    status,
    alert,
    post(message) {
      if (asksForTurn(message)) state.setGoesAlong(true);
      host.post(message);
    },
    colors: createCodeColors({
      post: host.post,
      theme: () => document.body.dataset.vscodeThemeId ?? '',
      usePalette: createPalette(),
      newId: () => crypto.randomUUID(),
      now,
      after,
    }),
    images: createImages(host.post),
    pageReads: createPageReads(host.post),
    inView,
    names: createNames({ post: host.post, inView }),
    announce: (text) => {
      // The same sentence twice is still news.
      status.value = text === status.value ? `${text}\u00a0` : text;
    },
  };
  const menu = createContextMenu({ items: () => panel.items.value, post: panel.post, announce: panel.announce });
  announceTurns(panel);
  const attention = createWaitingAlert();
  effect(() => {
    const text = attention(panel.chat.value);
    if (text !== undefined) alert.value = text;
  });
  effect(() => {
    for (const [name, font] of Object.entries(panel.info.value?.fonts ?? {}))
      document.body.style.setProperty(name, font);
  });
  reportFocus(host, state.draft.report);
  host.listen((message) => {
    state.receive(message);
    panel.images.receive(message);
    panel.pageReads.receive(message);
    if (message.type === 'names') panel.names.receive(message);
    if (message.type === 'menuAction') menu.choose(message.action);
    if (message.type === 'codeColors') frames.prepare(() => panel.colors.receive(message));
    else panel.colors.receive(message);
  });
  new MutationObserver(panel.colors.themeChanged).observe(document.body, { attributeFilter: ['data-vscode-theme-id'] });
  render(
    <PanelProvider value={panel}>
      <App />
    </PanelProvider>,
    element,
  );
  host.post({ type: 'ready' });
}

/**
 * The reader wants to see the answer to a message that they send. The turn of a queued message may begin while they
 * read something else.
 */
function asksForTurn(message: PanelMessage): boolean {
  switch (message.type) {
    case 'send':
    case 'rerun':
    case 'action':
      return true;
    case 'queue':
      return (message.when === 'now') === true;
    case 'queueEdit':
      return message.action === 'sendNow';
    case 'queueResume':
      return message.action === 'resume';
    default:
      return false;
  }
}

function announceTurns(panel: Panel): void {
  const announcer = createAnnouncer(panel.nameOf);
  effect(() => {
    const text = announcer(panel.chat.value, panel.now.value);
    if (text !== undefined) panel.announce(text);
  });
  let asked = false;
  effect(() => {
    const info = panel.info.value;
    if (!info || asked === !info.hasKey) return;
    asked = !info.hasKey;
    // Cleared once there is a key: a screen reader can read the status later.
    panel.announce(asked ? l10n.t('Set an API key to start') : '');
  });
}

/**
 * Reports the focus for the host's context keys, and the draft with it, because a command from the palette acts on
 * the present text of the composer.
 */
function reportFocus(host: Host, reportDraft: () => void): void {
  let last: { chat: boolean; input: boolean; used: boolean } | undefined;
  let used = false;
  const report = () => {
    const chat = document.hasFocus();
    const input = chat && document.activeElement?.matches('.composer textarea') === true;
    const next = { chat, input, used: chat && used };
    if (next.chat === last?.chat && next.input === last.input && next.used === last.used) return;
    if (last?.input && !input) reportDraft();
    last = next;
    host.post({ type: 'focusChanged', ...next });
  };
  const use = () => {
    used = true;
    // A pointer goes down before the page gets the focus.
    if (document.hasFocus()) report();
  };
  window.addEventListener('blur', () => {
    used = false;
  });
  for (const type of ['focus', 'blur']) window.addEventListener(type, report);
  for (const type of ['focusin', 'focusout']) document.addEventListener(type, () => queueMicrotask(report));
  // In the capture phase, so that the host knows of the use before VS Code runs a key's command.
  window.addEventListener('pointerdown', use, { capture: true });
  window.addEventListener(
    'keydown',
    // The key that took something in the palette may still be down.
    ({ repeat }) => {
      if (!repeat) use();
    },
    { capture: true },
  );
}

function reportErrors(host: Host): void {
  const post = (error: unknown) => {
    const message = error instanceof Error ? `${error.message}\n${error.stack ?? ''}` : String(error);
    host.post({ type: 'panelError', message: message.slice(0, 10_000) });
  };
  window.addEventListener('error', (event) => post(event.error ?? event.message));
  window.addEventListener('unhandledrejection', (event) => post(event.reason));
}
