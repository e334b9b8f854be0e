import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { waitsForUser } from '../../src/shared/chat/chat-state.ts';
import { earlyTextBoxId } from '../../src/shared/panel/early-text-box.ts';
import type { PanelInfo } from '../../src/shared/panel/panel-info.ts';
import { Composer } from './composer/composer.tsx';
import type { Draft } from './composer/draft.ts';
import { focusInPage } from './controls/focus-in-page.ts';
import { handlePanelKey } from './controls/panel-keys.ts';
import { visibleText } from './markdown/visible-text.ts';
import { usePanel } from './panel.ts';
import { Banner } from './sections/banner.tsx';
import { CompactCard } from './sections/compact-card.tsx';
import { Onboarding, Welcome } from './sections/onboarding.tsx';
import { Sections } from './sections/sections.tsx';
import { messagesOf } from './transcript/message-list.ts';
import { Transcript } from './transcript/transcript.tsx';

export function App() {
  const panel = usePanel();
  const root = useRef<HTMLElement>(null);
  const input = useRef<HTMLTextAreaElement>(null);
  const info = panel.info.value;
  const empty = panel.isEmpty.value;
  const focusRequest = panel.focusRequest.value;
  const focusInput = () => input.current?.focus();
  const enterList = () => {
    const log = root.current?.querySelector<HTMLElement>('[role=log]');
    if (log) messagesOf(log).at(-1)?.focus();
  };

  const isDrawn = info !== undefined;
  useLayoutEffect(() => {
    if (input.current) takeEarlyText(input.current, panel.draft);
  }, [isDrawn, panel]);
  useEffect(() => {
    if (focusRequest.number === 0) return;
    const waiting = root.current?.querySelector<HTMLElement>('.approval.waiting');
    const wanted = focusRequest.to === 'focusApproval' && waiting ? waiting : input.current;
    if (focusRequest.late && wanted) focusInPage(wanted);
    else wanted?.focus();
  }, [focusRequest]);
  useKeptFocus(root, input);

  if (!info) return <main aria-busy="true" />;
  const ready = info.hasAddress && info.hasKey;
  return (
    <main
      ref={root}
      class={info.sendKey === 'ctrlEnter' ? 'sends-with-ctrl' : undefined}
      onKeyDownCapture={(event) => handlePanelKey(event, panel, info)}
    >
      <Heading info={info} />
      <Banner info={info} empty={empty} />
      <Transcript
        empty={ready ? <Welcome info={info} focusInput={focusInput} /> : <Onboarding info={info} />}
        leaveList={focusInput}
      />
      <Sections />
      <CompactCard locale={info.locale} />
      <Composer info={info} input={input} enterList={enterList} />
      <Status />
      <Alert />
    </main>
  );
}

/**
 * Names the conversation in the side bar, because VS Code shows no title of a view that is alone in its container. An
 * editor tab has its own title.
 */
function Heading({ info }: { info: PanelInfo }) {
  const { chat } = usePanel();
  const title = useComputed(() => chat.value.title).value;
  const asks = useComputed(() => waitsForUser(chat.value)).value;
  if (info.inTab || title === '') return <h1 class="visually-hidden">{l10n.t('svc Assistant')}</h1>;
  const text = visibleText(asks ? l10n.t('Needs you: {0}', title) : title);
  return (
    <h1 class="heading" title={text}>
      {text}
    </h1>
  );
}

function Status() {
  const { status } = usePanel();
  return (
    <div class="visually-hidden" role="status" aria-live="polite">
      {status.value}
    </div>
  );
}

/** Shows an alert only while the turn waits for a person, because screen readers announce it when it appears. */
function Alert() {
  const { alert } = usePanel();
  if (alert.value === '') return null;
  return (
    <div class="visually-hidden" role="alert">
      {alert.value}
    </div>
  );
}

/** Gives the input the focus when the focused element is removed, so that it is never lost. */
function useKeptFocus(root: { current: HTMLElement | null }, input: { current: HTMLElement | null }): void {
  useEffect(() => {
    let focused: Element | null = null;
    const remember = () => {
      focused = document.activeElement;
    };
    const changes = new MutationObserver(() => {
      if (!focused || focused.isConnected || !document.hasFocus()) return;
      focused = null;
      if (document.activeElement === document.body || document.activeElement === null) input.current?.focus();
    });
    document.addEventListener('focusin', remember);
    changes.observe(root.current ?? document.body, { childList: true, subtree: true });
    return () => {
      document.removeEventListener('focusin', remember);
      changes.disconnect();
    };
  }, [root, input]);
}

/**
 * Moves text typed before the panel started from the page's own text box into the composer, after the existing draft,
 * with selection and focus, and removes that box. It waits for an unfinished word of an input method.
 */
function takeEarlyText(composer: HTMLTextAreaElement, draft: Pick<Draft, 'text' | 'set'>): void {
  const early = document.getElementById(earlyTextBoxId);
  const box = early?.querySelector('textarea');
  if (!early || !box) return;
  const move = () => {
    const { value, selectionStart, selectionEnd } = box;
    const hadFocus = document.activeElement === box;
    if (value !== '') {
      const before = draft.text.value === '' ? '' : `${draft.text.value}\n`;
      composer.value = before + value;
      draft.set(composer.value);
      composer.setSelectionRange(before.length + selectionStart, before.length + selectionEnd);
    }
    early.remove();
    if (hadFocus) focusInPage(composer);
  };
  if (early.hasAttribute('data-composing')) box.addEventListener('compositionend', move, { once: true });
  else move();
}
