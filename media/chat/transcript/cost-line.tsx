import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { RequestRow } from '../../../src/shared/chat/request-rows.ts';
import type { SentTokens } from '../../../src/shared/events.ts';
import type { Cost } from '../../../src/shared/messages.ts';
import { formatCost } from '../../../src/shared/money.ts';
import { RequestRows } from '../composer/request-rows.tsx';
import { formatCount, formatDuration } from '../controls/format.ts';
import { memo } from '../controls/memo.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

interface CostLineProps {
  model: string;
  cost: Cost;
  durationMs?: number;
  /** Estimated tokens that did not have to be sent again. */
  savedTokens?: number;
  requests?: readonly RequestRow[];
  sent?: SentTokens;
}

/** `Kimi K3 · 12,431 in · 842 out · $0.0044 · 8.2 s`; screen readers get it in words. */
export const CostLine = memo(({ model, cost, durationMs, savedTokens = 0, requests = [], sent }: CostLineProps) => {
  const [open, setOpen] = useState(false);
  const panel = usePanel();
  const locale = panel.info.value?.locale ?? 'en';
  const name = visibleText(panel.nameOf(model));
  const estimated = cost.estimated && cost.charge !== 'no';
  const tooltip = estimated
    ? l10n.t('Partly estimated: the service reported no tokens, or none that add up.')
    : l10n.t('Tokens reported by the service, at 0.33 USD per 1M.');
  const saved = savedTokens > 0 ? [l10n.t('≈ {0} tokens saved', formatCount(savedTokens, locale))] : [];
  const shown = [name, ...[...figures(cost, durationMs, locale), ...saved].map(unbroken)];
  return (
    <div class="cost-box">
      <p class="cost" title={tooltip}>
        <span aria-hidden="true">{shown.join('\u00a0· ')}</span>
        <span class="visually-hidden">{[inWords(name, cost, locale), ...saved].join(' ')}</span>
        {requests.length > 1 && (
          <>
            {' '}
            <button type="button" class="cost-rows" aria-expanded={open} onClick={() => setOpen(!open)}>
              {l10n.t('Requests and their cost')}
            </button>
          </>
        )}
      </p>
      {open && <RequestRows rows={requests} sent={sent} />}
    </div>
  );
});

/** `842 out` stays on one line. */
function unbroken(figure: string): string {
  return figure.replaceAll(' ', '\u00a0');
}

function figures(cost: Cost, durationMs: number | undefined, locale: string): string[] {
  const { promptTokens, completionTokens, requests } = cost;
  const hasTokens = promptTokens > 0 || completionTokens > 0;
  const about = cost.estimated ? '≈ ' : '';
  return [
    ...(hasTokens ? [l10n.t('{0} in', about + formatCount(promptTokens, locale))] : []),
    ...(hasTokens ? [l10n.t('{0} out', about + formatCount(completionTokens, locale))] : []),
    ...money(cost, locale),
    ...(requests > 1 ? [l10n.t('{0} requests', formatCount(requests, locale))] : []),
    ...(durationMs === undefined ? [] : [formatDuration(durationMs, locale)]),
  ];
}

function money(cost: Cost, locale: string): string[] {
  switch (cost.charge) {
    case 'yes':
      return [formatCost(cost, locale)];
    case 'no':
      return [l10n.t('Not charged')];
    case 'maybe':
      return cost.microUsd > 0 ? [formatCost(cost, locale), l10n.t('Possibly charged')] : [l10n.t('Possibly charged')];
  }
}

function inWords(name: string, cost: Cost, locale: string): string {
  const tokens = l10n.t(
    '{0}: {1} tokens in, {2} tokens out.',
    name,
    formatCount(cost.promptTokens, locale),
    formatCount(cost.completionTokens, locale),
  );
  const price = money({ ...cost, estimated: false }, locale).join(', ');
  return cost.estimated && cost.charge !== 'no'
    ? l10n.t('{0} About {1}, estimated.', tokens, price)
    : `${tokens} ${price}.`;
}
