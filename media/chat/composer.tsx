import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { PanelInfo } from '../../src/shared/protocol.ts';
import { type Panel, usePanel } from './panel.ts';
import { createPromptHistory } from './prompt-history.ts';
import { IconButton } from './view/buttons.tsx';
import { Icon } from './view/icon.tsx';
import { PriceDetails, PriceLine } from './view/price-line.tsx';
import { visibleText } from './visible-text.ts';

const maxQueued = 10;

interface ComposerProps {
  info: PanelInfo;
  input: RefObject<HTMLTextAreaElement | null>;
  /** Goes to the last message. */
  enterList: () => void;
}

/** Where the user writes. Typing goes on while a turn runs; the text stays until it can be sent. */
export function Composer({ info, input, enterList }: ComposerProps) {
  const panel = usePanel();
  const history = useRef(createPromptHistory());
  const running = panel.running.value;
  const draft = panel.draft.value;
  const [priceOpen, setPriceOpen] = useState(false);

  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    // Enter that picks a word of an input method is not ours (229: Safari-style events).
    if (event.isComposing || event.keyCode === 229) return;
    if (event.key === 'Escape' && running) {
      event.preventDefault();
      panel.post({ type: 'stop' });
    } else if (isSend(event, info.sendKey)) {
      event.preventDefault();
      send(panel, info);
    } else if (event.key === 'ArrowUp' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      enterList();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      recall(event, panel, history.current);
    }
  };

  return (
    <form
      class="composer"
      aria-label={l10n.t('New message')}
      onSubmit={(event) => {
        event.preventDefault();
        send(panel, info);
      }}
    >
      <Attachments info={info} input={input} />
      <textarea
        ref={input}
        aria-label={l10n.t('Message')}
        placeholder={l10n.t('Ask about your code')}
        rows={1}
        value={draft}
        onInput={(event) => panel.setDraft(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {priceOpen && <PriceDetails />}
      <div class="composer-footer">
        <IconButton icon="add" name={l10n.t('Add Context')} onPress={() => panel.post({ type: 'addContext' })} />
        <IconButton icon="chat" name={l10n.t('New Chat')} onPress={() => panel.post({ type: 'newChat' })} />
        <ModelButton name={info.model.name} id={info.model.id} />
        <PriceLine open={priceOpen} onToggle={() => setPriceOpen(!priceOpen)} />
        <SendButton
          running={running !== undefined}
          stopping={running?.phase === 'stopping'}
          empty={draft.trim() === ''}
          onPress={() => (running ? panel.post({ type: 'stop' }) : send(panel, info))}
        />
      </div>
    </form>
  );
}

function ModelButton({ name, id }: { name: string; id: string }) {
  const { post } = usePanel();
  const shown = visibleText(name);
  return (
    <button
      type="button"
      class="model-button"
      aria-label={l10n.t('Model: {0}', shown)}
      title={l10n.t('Model: {0} ({1})', shown, visibleText(id))}
      onClick={() => post({ type: 'selectModel' })}
    >
      <span>{shown}</span>
      <Icon name="chevron" />
    </button>
  );
}

/** One button at one place: what it does is what can be done now. */
function SendButton(props: { running: boolean; stopping: boolean; empty: boolean; onPress: () => void }) {
  const { running, stopping, empty, onPress } = props;
  const name = running ? l10n.t('Stop') : l10n.t('Send');
  return (
    <button
      type="button"
      class={running ? 'send stop' : 'send'}
      aria-label={name}
      title={name}
      aria-disabled={stopping || (!running && empty) ? true : undefined}
      onClick={() => {
        if (!stopping) onPress();
      }}
    >
      <Icon name={running ? 'stop' : 'send'} />
    </button>
  );
}

function Attachments({ info, input }: { info: PanelInfo; input: RefObject<HTMLTextAreaElement | null> }) {
  const { post } = usePanel();
  if (info.attachments.length === 0) return null;
  return (
    <ul class="chips" aria-label={l10n.t('Attached to the next message')}>
      {info.attachments.map(({ id, label }) => (
        <li key={id} class="chip">
          <Icon name="file" />
          <span title={visibleText(label)}>{visibleText(label)}</span>
          <IconButton
            icon="close"
            name={l10n.t('Remove {0}', visibleText(label))}
            onPress={() => {
              input.current?.focus();
              post({ type: 'removeAttachment', id });
            }}
          />
        </li>
      ))}
    </ul>
  );
}

function isSend(event: KeyboardEvent, sendKey: PanelInfo['sendKey']): boolean {
  if (event.key !== 'Enter' || event.shiftKey || event.altKey) return false;
  return sendKey === 'enter' || event.ctrlKey || event.metaKey;
}

/** Without address or key, Send leads to entering it; the text stays. While a turn runs the message waits in the queue. */
function send(panel: Panel, info: PanelInfo): void {
  if (panel.draft.value.trim() === '') return;
  if (!info.hasAddress) panel.post({ type: 'setBaseUrl' });
  else if (!info.hasKey) panel.post({ type: 'setApiKey' });
  else if (panel.running.value) queue(panel, info);
  else panel.post({ type: 'send', text: panel.takeDraft() });
}

/** Waits for the running turn; a full queue leaves the text where it is. */
function queue(panel: Panel, info: PanelInfo): void {
  if (info.queue.items.length >= maxQueued) {
    panel.announce(l10n.t('The queue is full. Your message is kept.'));
    return;
  }
  panel.post({ type: 'queue', text: panel.takeDraft() });
  panel.announce(l10n.t('Queued. It is sent when the answer is finished.'));
}

function recall(
  event: KeyboardEvent & { currentTarget: HTMLTextAreaElement },
  panel: Panel,
  history: ReturnType<typeof createPromptHistory>,
): void {
  const box = event.currentTarget;
  if (event.shiftKey || event.altKey || event.ctrlKey || event.metaKey || box.selectionStart !== box.selectionEnd)
    return;
  const up = event.key === 'ArrowUp';
  const beyond = up ? box.value.slice(0, box.selectionStart) : box.value.slice(box.selectionEnd);
  if (beyond.includes('\n')) return;
  const prompts = panel.items.value.flatMap((item) => (item.kind === 'user' ? [item.text] : []));
  const text = history.move(up ? -1 : 1, box.value, prompts);
  if (text === undefined) return;
  event.preventDefault();
  panel.setDraft(text);
}
