import * as vscode from 'vscode';
import type { LimitChoice } from '../account/limit-choice.ts';
import { askText } from '../host/ask-text.ts';
import type { Settings } from '../host/settings.ts';
import { section } from '../host/user-values.ts';

const dailyKey = 'spend.dailyLimitUsd';

interface Limit extends vscode.QuickPickItem {
  key: string;
  value: number | undefined;
  prompt: string;
}

/**
 * Runs `svc.setSpendLimit`: asks which limit, then how much; an empty answer removes it. An amount in dollars, or
 * `null` for no limit, sets the daily limit without a question, and `daily` asks for its amount alone; any other
 * argument is ignored.
 */
export async function setSpendLimit(
  settings: Pick<Settings, 'limits'>,
  choice: Pick<LimitChoice, 'choose'>,
  daily?: unknown,
): Promise<void> {
  if (daily === null || (typeof daily === 'number' && daily > 0)) return choice.choose(daily);
  const all = limits(settings.limits());
  const placeHolder = vscode.l10n.t(
    'Select a limit. All limits are in US dollars and count only what is sent from this machine.',
  );
  const picked = daily === 'daily' ? all[0] : await vscode.window.showQuickPick(all, { placeHolder });
  if (!picked) return;
  const text = await askText({
    title: picked.label,
    prompt: picked.prompt,
    value: picked.value === undefined ? '' : String(picked.value),
    placeHolder: vscode.l10n.t('For example, 2.50. Leave empty for no limit.'),
    validateInput: (value) => problemOf(value),
  });
  if (text === undefined) return;
  // Asking has a default; to want none has to be said.
  const usd = text.trim() === '' ? null : parseUsd(text);
  if (picked.key === dailyKey) await choice.choose(usd ?? null);
  else await vscode.workspace.getConfiguration(section).update(picked.key, usd, vscode.ConfigurationTarget.Global);
}

function limits(now: ReturnType<Settings['limits']>): Limit[] {
  const limit = (key: string, label: string, value: number | undefined, prompt: string): Limit => ({
    key,
    label,
    value,
    prompt,
    description: value === undefined ? vscode.l10n.t('no limit') : `$${value}`,
  });
  return [
    limit(
      dailyKey,
      vscode.l10n.t('Daily Limit'),
      now.dailyLimitUsd,
      vscode.l10n.t('svc blocks requests once this much has been spent today.'),
    ),
    limit(
      'spend.conversationLimitUsd',
      vscode.l10n.t('Limit per Conversation'),
      now.conversationLimitUsd,
      vscode.l10n.t('svc blocks requests once one conversation has cost this much.'),
    ),
    limit(
      'spend.confirmAboveUsd',
      vscode.l10n.t('Confirm Above'),
      now.confirmAboveUsd,
      vscode.l10n.t('svc asks before sending a request whose estimate is above this.'),
    ),
  ];
}

function problemOf(text: string): string | undefined {
  if (text.trim() === '' || parseUsd(text) !== undefined) return undefined;
  return vscode.l10n.t('Enter an amount in US dollars, such as 2.50, or leave it empty for no limit.');
}

/** Accepts plain decimal numbers only, because `1e9`, `-1` and `1,000.50` are more likely a slip than intended. */
function parseUsd(text: string): number | undefined {
  const digits = /^\$?\s*(\d{1,7}(?:[.,]\d{1,6})?)$/.exec(text.trim())?.[1];
  return digits === undefined ? undefined : Number(digits.replace(',', '.'));
}
