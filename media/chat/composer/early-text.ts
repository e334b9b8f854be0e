import { earlyTextBoxId } from '../../../src/shared/panel/early-text-box.ts';
import { focusInPage } from '../controls/focus-in-page.ts';
import type { Draft } from './draft.ts';

/**
 * Moves text typed before the panel started from the page's own text box into the composer, after the existing draft,
 * with selection and focus, and removes that box. It waits for an unfinished word of an input method.
 */
export function takeEarlyText(composer: HTMLTextAreaElement, draft: Pick<Draft, 'text' | 'set'>): void {
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
