import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { codeName, replaceUnseen } from '../../../src/shared/invisible-signs.ts';
import { maxTextLength } from '../../../src/shared/messages.ts';
import { type Panel, usePanel } from '../panel.ts';
import { takeFile } from './drop.ts';
import { editText } from './edit-text.ts';

const minLetters = 40;
const maxNamed = 5;
/** Longer texts hide the question about them and slow the text box down, so they are attached. */
const maxLetters = 4096;
const maxAttached = 100_000;

/** Turns pasted code whose source the host knows into an attachment, which can be turned back into text. */
export interface Paste {
  onPaste(event: ClipboardEvent): void;
  textOf(attachmentId: string): string | undefined;
  asText(attachmentId: string): void;
}

export function usePaste(input: RefObject<HTMLTextAreaElement | null>): Paste {
  const panel = usePanel();
  const last = useRef({ id: 0, text: '', start: 0 });
  const texts = useRef(new Map<string, string>());
  const attached = panel.composer.pasteAttached.value;

  useEffect(() => {
    const { id, text, start } = last.current;
    const box = input.current;
    if (!box || attached?.id !== id || text === '') return;
    texts.current.set(attached.attachmentId, text);
    // What was typed since is left alone: the text goes only where it still stands as it was pasted.
    if (box.value.slice(start, start + text.length) === text) editText(box, start, start + text.length, '');
  }, [attached]);

  return {
    onPaste(event) {
      const files = [...(event.clipboardData?.files ?? [])];
      // Table cells come as an image too, but their text is worth more.
      if (files.length > 0 && event.clipboardData?.getData('text/plain') === '') {
        event.preventDefault();
        for (const file of files) void takeFile(panel, file, pastedName(file));
        return;
      }
      const box = input.current;
      const text = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? '';
      const unseen = unseenIn(text);
      if (unseen.length > 0) {
        panel.composer.say(
          l10n.t('The pasted text has invisible characters, which are sent too: {0}', unseen.join(', ')),
        );
      }
      if (text.length > maxLetters) {
        event.preventDefault();
        const id = attachLong(panel, text);
        if (id !== undefined && text.length <= maxAttached) texts.current.set(id, text);
        return;
      }
      if (!box || (text.trim().length < minLetters && !text.trim().includes('\n'))) return;
      last.current = { id: last.current.id + 1, text, start: box.selectionStart };
      panel.post({ type: 'pasted', id: last.current.id, text });
    },
    textOf: (id) => texts.current.get(id),
    asText(id) {
      const box = input.current;
      const text = texts.current.get(id);
      if (!box || text === undefined) return;
      panel.post({ type: 'removeAttachment', id });
      texts.current.delete(id);
      editText(box, box.selectionStart, box.selectionEnd, text);
    },
  };
}

function unseenIn(text: string): string[] {
  const names = new Set<string>();
  replaceUnseen(text, (code) => {
    names.add(codeName(code));
    return '';
  });
  return [...names].slice(0, maxNamed);
}

function attachLong(panel: Panel, text: string): string | undefined {
  if (text.length > maxTextLength) {
    panel.composer.say(l10n.t('This text is too long to paste. Save it to a file and attach part of it.'));
    return undefined;
  }
  const id = crypto.randomUUID();
  const locale = panel.info.value?.locale;
  const kilobytes = new Intl.NumberFormat(locale).format(Math.ceil(Math.min(text.length, maxAttached) / 1000));
  const name = l10n.t('Pasted text, {0} kB', kilobytes);
  panel.post({ type: 'attachText', id, name, text, pasted: true });
  panel.announce(l10n.t('Attaching {0}', name));
  if (text.length > maxAttached) {
    const kept = new Intl.NumberFormat(locale).format(maxAttached);
    panel.composer.say(l10n.t('The pasted text is long, so its first {0} characters were attached.', kept));
  }
  return id;
}

function pastedName({ name }: File): string {
  return name === '' || name === 'image.png' ? l10n.t('Pasted image') : name;
}
