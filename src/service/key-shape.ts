import * as l10n from '@vscode/l10n';

const keyShape = /^sk-svc-[A-Za-z0-9._~+/-]{4,2000}=*$/;

/**
 * Removes spaces, line breaks, quotes and a leading `Bearer ` from what was typed. The error is a sentence for the
 * input box and never contains what was typed.
 */
export function validateKeyShape(typed: string): { key: string } | { error: string } {
  const key = typed
    .trim()
    .replace(/^authorization:\s*/i, '')
    .replace(/^["'`]+|["'`]+$/g, '')
    .replace(/^bearer\s+/i, '')
    .replace(/^["'`]+|["'`]+$/g, '')
    .trim();
  if (key === '') return { error: l10n.t('Enter the key that the dashboard showed when you created it.') };
  if (!key.startsWith('sk-svc-')) return { error: l10n.t('A key of this service begins with sk-svc-.') };
  if (/\s/.test(key)) return { error: l10n.t('The key contains a space or a line break. Copy it again as one piece.') };
  if (!keyShape.test(key))
    return { error: l10n.t("The key is incomplete or contains characters that keys don't use.") };
  return { key };
}
