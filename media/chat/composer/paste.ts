import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { maxTextLength } from '../../../src/shared/messages.ts';
import { type Panel, usePanel } from '../panel.ts';
import { takeFile } from './drop.ts';
import { editText } from './edit-text.ts';

/** A word or two is text, wherever it was copied. */
const leastLetters = 40;
/** Longer ones make a text box slow, up to half a minute for 2 MB: they are attached, which keeps as many letters. */
const mostLetters = 100_000;

/** Pasted code that the host knows the place of becomes an attachment; the text it was can be had back. */
export interface Paste {
  onPaste(event: ClipboardEvent): void;
  /** The text of an attachment that was pasted. */
  textOf(attachmentId: string): string | undefined;
  /** Takes the attachment away and writes its text at the cursor. */
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
      // Cells of a table come as a picture too: words are worth more.
      if (files.length > 0 && event.clipboardData?.getData('text/plain') === '') {
        event.preventDefault();
        for (const file of files) {
          takeFile(panel, file, pastedName(file)).catch(() => panel.composer.say(l10n.t("The file couldn't be read.")));
        }
        return;
      }
      const box = input.current;
      const text = event.clipboardData?.getData('text/plain').replaceAll('\r\n', '\n') ?? '';
      if (text.length > mostLetters) {
        event.preventDefault();
        attachLong(panel, text);
        return;
      }
      if (!box || (text.trim().length < leastLetters && !text.trim().includes('\n'))) return;
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

function attachLong(panel: Panel, text: string): void {
  if (text.length <= maxTextLength) {
    panel.post({ type: 'attachText', name: l10n.t('Pasted text'), text, pasted: true });
    const kept = new Intl.NumberFormat(panel.info.value?.locale).format(mostLetters);
    panel.composer.say(l10n.t('The pasted text is long, so its first {0} characters were attached.', kept));
  } else panel.composer.say(l10n.t('This text is too long to paste. Save it to a file and attach part of it.'));
}

/** Every browser names a pasted image that is no file `image.png`. */
function pastedName({ name }: File): string {
  return name === '' || name === 'image.png' ? l10n.t('Pasted image') : name;
}
