export const earlyTextBoxId = 'early-text-box';

export interface EarlyTextBox {
  label: string;
  placeholder: string;
  nonce: string;
}

/**
 * Makes a text box in plain HTML where the composer will be, so that typing can begin with the first frame. It takes
 * the focus when the page has it, and the panel hands over the typed text (`media/chat/composer/early-text.ts`).
 * Enter does nothing here, because there is no receiver yet.
 */
export function earlyTextBox({ label, placeholder, nonce }: EarlyTextBox): string {
  return `<style nonce="${nonce}">${style}</style>
<div id="${earlyTextBoxId}"><textarea dir="auto" rows="1" aria-label="${escaped(label)}" placeholder="${escaped(placeholder)}"></textarea></div>
<script nonce="${nonce}">${script}</script>`;
}

const style = `
#${earlyTextBoxId} {
  background: var(--vscode-input-background);
  border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, var(--vscode-widget-border, transparent)));
  border-radius: 8px;
  box-sizing: border-box;
  inset: auto max(12px, (100% - 926px) / 2) 10px;
  padding-bottom: 32px;
  position: fixed;
}
#${earlyTextBoxId}:focus-within {
  border-color: var(--vscode-focusBorder);
}
#${earlyTextBoxId} textarea {
  background: none;
  border: 0;
  box-sizing: border-box;
  color: var(--vscode-input-foreground);
  display: block;
  field-sizing: content;
  font: var(--vscode-font-weight) var(--vscode-font-size, 13px) / 1.5 var(--vscode-font-family, sans-serif);
  max-height: 45vh;
  outline: none;
  padding: 8px 10px 2px;
  resize: none;
  width: 100%;
}
#${earlyTextBoxId} textarea::placeholder {
  color: var(--vscode-input-placeholderForeground);
  opacity: 1;
}
`;

const script = `{
const box = document.querySelector('#${earlyTextBoxId} textarea');
const take = () => box.isConnected && box.focus();
addEventListener('focus', take);
if (document.hasFocus()) take();
box.addEventListener('keydown', (event) => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) event.preventDefault();
});
box.addEventListener('compositionstart', () => box.parentElement.toggleAttribute('data-composing', true));
box.addEventListener('compositionend', () => box.parentElement.toggleAttribute('data-composing', false));
}`;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}
