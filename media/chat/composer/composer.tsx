import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { ChatMode } from '../../../src/shared/approval.ts';
import { asTyped } from '../../../src/shared/chat/chat-state.ts';
import { maxQueued, maxTextLength } from '../../../src/shared/messages.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { IconButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { isComposing } from '../controls/keys.ts';
import { Picker } from '../controls/picker.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { type Panel, usePanel } from '../panel.ts';
import { Chips } from './chips.tsx';
import { useCompletion } from './completion.ts';
import { CompletionList, completionListId, completionOptionId } from './completion-list.tsx';
import { useDrop } from './drop.ts';
import { editText } from './edit-text.ts';
import { EditingLine } from './editing-line.tsx';
import { usePaste } from './paste.ts';
import { PriceLine } from './price-line.tsx';
import { createPromptHistory } from './prompt-history.ts';
import { Sending, takeBackLast } from './sending.tsx';

interface ComposerProps {
  info: PanelInfo;
  input: RefObject<HTMLTextAreaElement | null>;
  enterList: () => void;
}

export function Composer({ info, input, enterList }: ComposerProps) {
  const panel = usePanel();
  const history = useRef(createPromptHistory());
  const waitsForKey = useRef<string | undefined>(undefined);
  const isReady = info.hasAddress && info.hasKey;
  const submit = (when?: WhenBusy) => {
    if (isReady) send(panel, info, when);
    else if (hasMessage(panel, info)) {
      waitsForKey.current = panel.draft.text.value;
      panel.post({ type: 'setApiKey' });
    }
  };
  useEffect(() => {
    if (isReady && waitsForKey.current === panel.draft.text.value) send(panel, info);
    if (isReady) waitsForKey.current = undefined;
  }, [isReady]);
  const completion = useCompletion(input, () => {
    const box = input.current;
    if (info.sendKey === 'enter') submit();
    else if (box) editText(box, box.selectionStart, box.selectionEnd, '\n');
  });
  const request = panel.focusRequest.value;
  useEffect(() => {
    if (request.to === 'addContext') completion.openContext();
  }, [request]);
  const paste = usePaste(input);
  const dropping = useDrop();
  const running = panel.running.value;
  const draft = panel.draft.text.value;

  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (isComposing(event)) return;
    waitsForKey.current = undefined;
    if (completion.onKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === '/' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      completion.openContext();
    } else if (event.key === 'Escape' && panel.editing.current.value) {
      event.preventDefault();
      panel.editing.cancel();
    } else if (event.key === 'Escape' && info.sending?.length) {
      event.preventDefault();
      takeBackLast(panel, info);
    } else if (event.key === 'Escape' && running) {
      event.preventDefault();
      panel.post({ type: 'stop' });
    } else if (running && isSendOtherwise(event)) {
      event.preventDefault();
      submit(info.whileBusy === 'queue' ? 'nextStep' : 'queue');
    } else if (isSend(event, info.sendKey)) {
      event.preventDefault();
      submit(isSendNow(event, info.sendKey) ? 'now' : info.whileBusy);
    } else if (event.key === 'ArrowUp' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      enterList();
    } else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
      recall(event, panel, history.current);
    }
  };
  const { open } = completion;

  return (
    <form
      class={dropping ? 'composer dropping' : 'composer'}
      aria-label={l10n.t('New message')}
      // Another window goes on with the conversation; what stands here waits.
      inert={info.sections.elsewhere !== undefined}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Sending info={info} />
      <EditingLine focusInput={() => input.current?.focus()} />
      <CompletionList completion={completion} />
      <Chips
        chips={info.attachments}
        name={l10n.t('Attached to the next message')}
        imagesRefused={info.imagesRefused}
        onRemove={(id) => {
          input.current?.focus();
          panel.post({ type: 'removeAttachment', id });
        }}
        onAsText={(id) => (paste.textOf(id) === undefined ? undefined : () => paste.asText(id))}
      />
      <Note />
      <textarea
        ref={input}
        dir="auto"
        aria-label={l10n.t('Message')}
        aria-autocomplete="list"
        aria-controls={open && completionListId}
        aria-activedescendant={open && completionOptionId(open.active)}
        placeholder={l10n.t('Ask about your code')}
        rows={1}
        value={draft}
        onInput={(event) => {
          panel.draft.set(event.currentTarget.value);
          completion.update();
        }}
        onSelect={completion.update}
        onFocus={completion.update}
        onBlur={completion.leave}
        onPaste={paste.onPaste}
        onKeyDown={onKeyDown}
      />
      <div class="composer-footer">
        <IconButton icon="add" name={l10n.t('Add Context')} onPress={completion.openContext} />
        {info.inTab && (
          <IconButton icon="chat" name={l10n.t('New Chat')} onPress={() => panel.post({ type: 'newChat' })} />
        )}
        <ModePicker mode={info.mode} agent={info.agent} />
        <ModelPicker name={info.model.name} id={info.model.id} />
        <PriceLine />
        <SendButton
          running={running !== undefined}
          stopping={running?.phase === 'stopping'}
          empty={!hasMessage(panel, info)}
          onPress={() => {
            input.current?.focus();
            if (running) panel.post({ type: 'stop' });
            else send(panel, info);
          }}
        />
      </div>
    </form>
  );
}

function Note() {
  const panel = usePanel();
  const text = panel.composer.note.value;
  useEffect(() => {
    if (text !== '') panel.announce(text);
  }, [text]);
  if (text === '') return null;
  return (
    <div class="composer-note">
      <Icon name="info" />
      <p class="composer-note-text">{visibleText(text)}</p>
      <IconButton icon="close" name={l10n.t('Dismiss')} onPress={panel.composer.clearNote} />
    </div>
  );
}

/** Picks the access of the next message. A custom agent keeps the mode or reduces it, and never extends it. */
function ModePicker({ mode, agent }: { mode: ChatMode; agent: string | undefined }) {
  const { name: modeName, meaning } = modeTexts[mode]();
  const name = agent === undefined ? modeName : l10n.t('{0} ({1})', visibleText(agent), modeName);
  return (
    <Picker
      picker="mode"
      name={l10n.t('Mode')}
      current={name}
      title={l10n.t('Mode: {0}. {1}', name, meaning)}
      text={agent === undefined ? modeName : visibleText(agent)}
    />
  );
}

const modeTexts: Record<ChatMode, () => { name: string; meaning: string }> = {
  ask: () => ({ name: l10n.t('Ask'), meaning: l10n.t('Reads only. Changes nothing and runs nothing.') }),
  plan: () => ({ name: l10n.t('Plan'), meaning: l10n.t('Reads, and writes a plan. Changes and runs nothing.') }),
  edit: () => ({ name: l10n.t('Edit'), meaning: l10n.t('Reads and edits files. Runs nothing.') }),
  agent: () => ({ name: l10n.t('Agent'), meaning: l10n.t('Reads and edits files, and runs commands.') }),
};

function ModelPicker({ name, id }: { name: string; id: string }) {
  const shown = visibleText(name);
  const title = l10n.t('Model: {0} ({1})', shown, visibleText(id));
  return <Picker picker="model" name={l10n.t('Model')} current={shown} title={title} text={shown} />;
}

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

/** Alt+Enter sends a message during a turn to the other of queue and next step. */
function isSendOtherwise(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && event.altKey && !event.shiftKey && !event.ctrlKey && !event.metaKey;
}

function isSend(event: KeyboardEvent, sendKey: PanelInfo['sendKey']): boolean {
  if (event.key !== 'Enter' || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return true;
  return sendKey === 'enter' && !event.shiftKey;
}

/** Ctrl+Shift+Enter sends now, and so does Ctrl+Enter where it is not the key that queues. */
function isSendNow(event: KeyboardEvent, sendKey: PanelInfo['sendKey']): boolean {
  return (event.ctrlKey || event.metaKey) && (event.shiftKey || sendKey === 'enter');
}

type WhenBusy = 'now' | 'queue' | 'nextStep';

function send(panel: Panel, info: PanelInfo, when: WhenBusy = info.whileBusy): void {
  if (!hasMessage(panel, info)) return;
  if (panel.draft.text.value.length > maxTextLength) {
    const max = new Intl.NumberFormat(info.locale).format(maxTextLength);
    panel.composer.say(
      l10n.t('A message can have up to {0} characters. Shorten it, or attach the text as a file.', max),
    );
    return;
  }
  panel.composer.clearNote();
  if (panel.editing.current.value) sendEdited(panel);
  else if (panel.running.value) queue(panel, info, when);
  else panel.post({ type: 'send', ...panel.draft.take() });
}

function hasMessage({ draft, editing, pageReads }: Panel, { attachments }: PanelInfo): boolean {
  if (draft.text.value.trim() !== '' || pageReads.hasImage()) return true;
  const kept = editing.current.value?.attachments ?? [];
  return attachments.some(({ kind }) => kind === 'image') || kept.some(({ image }) => image !== undefined);
}

/** Replaces the earlier message; a running turn is stopped for it. */
function sendEdited(panel: Panel): void {
  const taken = panel.editing.take();
  if (taken) panel.post({ type: 'rerun', ...taken, pickModel: false });
}

/** Puts the message into the queue; a full queue leaves the text in the composer. */
function queue(panel: Panel, info: PanelInfo, when: WhenBusy): void {
  if (info.queue.items.length >= maxQueued) {
    panel.composer.say(l10n.t('The queue is full. Your message is kept.'));
    return;
  }
  panel.post({ type: 'queue', ...panel.draft.take(), ...(when !== 'queue' && { when }) });
  const announced: Record<WhenBusy, string> = {
    now: l10n.t('Stopping the answer to send this message.'),
    queue: l10n.t('Queued. Your message is sent when the answer finishes.'),
    nextStep: l10n.t('Your message goes in at the next step.'),
  };
  panel.announce(announced[when]);
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
  const known = panel.composer.prompts.value;
  const asked = panel.items.value.flatMap((item) => (item.kind === 'user' ? [asTyped(item)] : []));
  const prompts = known.length > 0 ? known : asked;
  const text = history.move(up ? -1 : 1, box.value, prompts);
  if (text === undefined) return;
  event.preventDefault();
  panel.draft.set(text);
}
