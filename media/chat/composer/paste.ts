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
  const pasted = useRef<string[]>([]);
  const texts = useRef(new Map<string, string>());
  const attached = panel.composer.pasteAttached.value;

  useEffect(() => {
    const box = input.current;
    const text = pasted.current[(attached?.id ?? 0) - 1];
    if (!box || !attached || text === undefined) return;
    texts.current.set(attached.attachmentId, text);
    // The text goes only if it still stands as it was pasted.
    const start = box.value.lastIndexOf(text);
    if (start >= 0) editText(box, start, start + text.length, '');
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
      panel.post({ type: 'pasted', id: pasted.current.push(text), text });
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
