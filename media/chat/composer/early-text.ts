import { earlyTextBoxId } from '../../../src/shared/panel/early-text-box.ts';
import { focusInPage } from '../controls/focus-in-page.ts';

/**
 * Moves what was typed before the panel lived from the page's own text box to the composer's, behind the draft that is there, with
 * selection and focus; the text box of the page goes. A word that an input method is still making is waited for.
 */
export function takeEarlyText(
  composer: HTMLTextAreaElement,
  draft: () => string,
  setDraft: (text: string) => void,
): void {
  const early = document.getElementById(earlyTextBoxId);
  const box = early?.querySelector('textarea');
  if (!early || !box) return;
  const move = () => {
    const { value, selectionStart, selectionEnd } = box;
    const hadFocus = document.activeElement === box;
    if (value !== '') {
      const before = draft() === '' ? '' : `${draft()}\n`;
      composer.value = before + value;
      setDraft(composer.value);
      composer.setSelectionRange(before.length + selectionStart, before.length + selectionEnd);
    }
    early.remove();
    if (hadFocus) focusInPage(composer);
  };
  if (early.hasAttribute('data-composing')) box.addEventListener('compositionend', move, { once: true });
  else move();
}
