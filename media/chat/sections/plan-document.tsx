import * as l10n from '@vscode/l10n';
import type { ChatState } from '../../../src/shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { TextButton } from '../controls/buttons.tsx';
import { usePanel } from '../panel.ts';
import { StripLine } from './strip-line.tsx';
import { useSection } from './use-section.ts';

export function PlanDocument() {
  const { running } = usePanel();
  const { state: plan, act, locale } = useSection('plan');
  if (plan === undefined || running.value !== undefined) return null;
  const { steps, freshMicroUsd, hereMicroUsd, capMicroUsd, started } = plan;
  const about = (microUsd: number) => usd(microUsd, locale, { maximumSignificantDigits: 2 });
  const cap = usd(capMicroUsd, locale, cents);
  const count = steps === 1 ? l10n.t('1 step') : l10n.t('{0} steps', steps);
  return (
    <section class="strip plan-document" aria-label={l10n.t('Plan')}>
      <StripLine icon="plan" text={started ? l10n.t('Plan · started') : l10n.t('Plan · {0}', count)}>
        <TextButton onPress={act('open')}>{l10n.t('Open Plan')}</TextButton>
        {started === 'fresh' && <TextButton onPress={act('start')}>{l10n.t('Show Run')}</TextButton>}
      </StripLine>
      {!started && (
        <div class="actions">
          <TextButton
            primary
            title={l10n.t('In a new conversation with the task and the plan alone. Edits and commands ask as ever.')}
            onPress={act('start')}
          >
            {l10n.t('Start · {0} · usually {1} · stops at {2} · Agent', count, about(freshMicroUsd), cap)}
          </TextButton>
          <TextButton
            title={l10n.t('In this conversation: everything that was looked at is sent again with each request.')}
            onPress={act('goOnHere')}
          >
            {l10n.t('Continue Here · usually {0}', about(hereMicroUsd))}
          </TextButton>
        </div>
      )}
    </section>
  );
}

const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 };

function usd(microUsd: number, locale: string, digits: Intl.NumberFormatOptions): string {
  const currency = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const;
  return new Intl.NumberFormat(locale, { ...currency, ...digits }).format(microUsd / 1e6);
}

export function BudgetLine() {
  const { chat, info } = usePanel();
  const locale = info.value?.locale ?? 'en';
  const words = budgetWords(chat.value, locale);
  return words === undefined || chat.value.worktree !== undefined ? null : <p class="strip budget">{words}</p>;
}

/** Returns `$0.03 of $0.20`, or undefined for a conversation without a cap. */
export function budgetWords({ budgetMicroUsd, items }: ChatState, locale: string): string | undefined {
  if (budgetMicroUsd === undefined) return undefined;
  let spent = 0;
  for (const item of items) {
    if (item.kind !== 'answer') continue;
    spent += item.cost?.microUsd ?? item.requests?.reduce((sum, row) => sum + row.microUsd, 0) ?? 0;
  }
  return l10n.t('{0} of {1}', formatMicroUsd(spent, false, locale), usd(budgetMicroUsd, locale, cents));
}
