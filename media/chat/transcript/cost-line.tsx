import * as l10n from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import { chargeWords } from '../../../src/shared/charge-words.ts';
import type { RequestRow } from '../../../src/shared/chat/request-rows.ts';
import type { SentTokens } from '../../../src/shared/events.ts';
import type { Cost } from '../../../src/shared/messages.ts';
import { RequestRows } from '../composer/request-rows.tsx';
import { formatCount, formatDuration } from '../controls/format.ts';
import { memo } from '../controls/memo.ts';
import { usePanel } from '../panel.ts';

interface CostLineProps {
  cost: Cost;
  durationMs?: number;
  /** Counts estimated tokens that did not have to be sent again. */
  savedTokens?: number;
  requests?: readonly RequestRow[];
  sent?: SentTokens;
}

/** Shows `$0.0044 · 8.2 s` and unfolds to the details; the button's name has every figure for screen readers. */
export const CostLine = memo(({ cost, durationMs, savedTokens = 0, requests = [], sent }: CostLineProps) => {
  const [open, setOpen] = useState(false);
  const all = useId();
  const locale = usePanel().info.value?.locale ?? 'en';
  const short = [chargeWords(cost, locale), ...(durationMs === undefined ? [] : [formatDuration(durationMs, locale)])];
  const counted = counts(cost, savedTokens, locale);
  const basis =
    cost.estimated && cost.charge !== 'no'
      ? l10n.t("Partly estimated because the service didn't report usable token counts.")
      : l10n.t('Tokens reported by the service, at 0.33 USD per 1M.');
  return (
    <div class="cost">
      <button
        type="button"
        class="cost-figure"
        aria-expanded={open}
        aria-describedby={all}
        title={[l10n.t('Cost Details'), ...counted, basis].join('\n')}
        onClick={() => setOpen(!open)}
      >
        {short.join(' · ')}
      </button>
      <span id={all} class="visually-hidden">
        {[...counted, basis].join(' · ')}
      </span>
      {open && <RequestRows totals={counted} priceNote={basis} rows={requests} sent={sent} />}
    </div>
  );
});

function counts(cost: Cost, savedTokens: number, locale: string): string[] {
  const { promptTokens, completionTokens, requests } = cost;
  const hasTokens = promptTokens > 0 || completionTokens > 0;
  const about = cost.estimated ? '≈ ' : '';
  return [
    ...(hasTokens ? [l10n.t('{0} tokens in', about + formatCount(promptTokens, locale))] : []),
    ...(hasTokens ? [l10n.t('{0} tokens out', about + formatCount(completionTokens, locale))] : []),
    ...(requests > 1 ? [l10n.t('{0} requests', formatCount(requests, locale))] : []),
    ...(savedTokens > 0 ? [l10n.t('≈ {0} tokens saved', formatCount(savedTokens, locale))] : []),
  ];
}
