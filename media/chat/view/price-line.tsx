import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { NextPrice, PriceCategory } from '../../../src/shared/protocol.ts';
import { formatAbout, formatCount, formatShortCount } from '../format.ts';
import { usePanel } from '../panel.ts';
import { ScrollBox } from './scroll-box.tsx';

const categories: readonly PriceCategory[] = ['draft', 'attachments', 'history', 'rules', 'tools'];

/** `≈ 18.2k · $0.0060`: what the next message will send (U1). Opens the list of what it is made of. */
export function PriceLine({ open, onToggle }: { open: boolean; onToggle: () => void }) {
  const panel = usePanel();
  const price = panel.price.value;
  if (!price) return null;
  const locale = panel.info.value?.locale ?? 'en';
  const money = formatMicroUsd(price.microUsd, false, locale);
  return (
    <button
      type="button"
      class="price"
      aria-expanded={open}
      title={[...rows(price, locale).map(([name, tokens]) => `${name}: ${tokens}`), ...notes(price, locale)].join('\n')}
      onClick={onToggle}
    >
      <span aria-hidden="true">
        ≈ <span class="tokens">{formatShortCount(price.tokens, locale)} · </span>
        {money}
      </span>
      <span class="visually-hidden">
        {l10n.t('Next message: about {0} tokens, about {1}', formatAbout(price.tokens, locale), money)}
      </span>
    </button>
  );
}

/** The same by category, with what is known of the estimate and of the model's limit. */
export function PriceDetails() {
  const panel = usePanel();
  const price = panel.price.value;
  if (!price) return null;
  const locale = panel.info.value?.locale ?? 'en';
  return (
    <ScrollBox tag="div" className="price-details" label={l10n.t('What the next message sends')}>
      <dl>
        {rows(price, locale).map(([name, tokens]) => [
          <dt key={name}>{name}</dt>,
          <dd key={`${name} tokens`}>{tokens}</dd>,
        ])}
      </dl>
      {notes(price, locale).map((note) => (
        <p key={note} class="quiet">
          {note}
        </p>
      ))}
    </ScrollBox>
  );
}

function rows({ parts }: NextPrice, locale: string): [string, string][] {
  return categories.map((category) => [
    nameOf(category),
    parts[category] === 0 ? '0' : `≈ ${formatAbout(parts[category], locale)}`,
  ]);
}

function nameOf(category: PriceCategory): string {
  switch (category) {
    case 'draft':
      return l10n.t('Draft');
    case 'attachments':
      return l10n.t('Attachments');
    case 'history':
      return l10n.t('History');
    case 'rules':
      return l10n.t('Rules');
    case 'tools':
      return l10n.t('Tools and instructions');
  }
}

function notes({ error, limit }: NextPrice, locale: string): string[] {
  const percent = error === undefined ? undefined : Math.max(1, Math.round(error * 100));
  return [
    l10n.t('Estimated tokens of one request, at 0.33 USD per 1M. The answer and further steps come on top.'),
    percent === undefined
      ? l10n.t('How good the estimate is shows after the first answer of this model.')
      : l10n.t('So far this estimate was off by {0} %.', percent),
    limitNote(limit, locale),
  ];
}

function limitNote(limit: NextPrice['limit'], locale: string): string {
  if (limit === undefined) return l10n.t('This service does not publish context limits.');
  const tokens = formatCount(limit.tokens, locale);
  return limit.by === 'set'
    ? l10n.t('The limit set by you is {0} tokens.', tokens)
    : l10n.t('This model has refused more than {0} tokens.', tokens);
}
