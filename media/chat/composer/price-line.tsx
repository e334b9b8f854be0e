import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { NextPrice, PriceCategory } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { formatAbout, formatCount, formatShortCount } from '../controls/format.ts';
import { usePopover } from '../controls/popover.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { type Panel, usePanel } from '../panel.ts';
import { isLimitKey, MessageLimit } from './message-limit.tsx';

const categories: readonly PriceCategory[] = ['draft', 'attachments', 'history', 'rules', 'tools'];
const warnShare = 0.8;
const errorShare = 0.95;

export function PriceLine() {
  const panel = usePanel();
  const { root, isOpen, toggle } = usePopover<HTMLDivElement>(panel.chat.value.conversationId);
  const [limiting, setLimiting] = useState(false);
  useEffect(() => {
    if (!isOpen) setLimiting(false);
    const onKey = (event: KeyboardEvent) => {
      if (!isLimitKey(event) || !panel.price.value) return;
      event.preventDefault();
      setLimiting(true);
      if (!isOpen) toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [isOpen]);
  const price = panel.price.value;
  if (!price) return null;
  const locale = panel.info.value?.locale ?? 'en';
  const money = formatMicroUsd(price.microUsd, false, locale);
  const usual = usualOf(price, locale);
  const share = shareOf(price);
  const limitMicroUsd = panel.info.value?.limitMicroUsd;
  const limit = limitMicroUsd === undefined ? undefined : formatMicroUsd(limitMicroUsd, false, locale);
  const loading = countLoading(panel);
  const limited = limit === undefined ? [] : [l10n.t('This message stops before it costs more than {0}.', limit)];
  const facts = [...rows(price, locale).map(([name, tokens]) => `${name}: ${tokens}`), ...uncounted(loading)];
  return (
    <div ref={root} class="price-place">
      <button
        type="button"
        class={`price ${levelOf(price)}`}
        aria-expanded={isOpen}
        title={[
          ...limited,
          ...facts,
          ...notes(price, locale),
          l10n.t('Ctrl+Shift+4 sets a limit for this message.'),
        ].join('\n')}
        onClick={toggle}
      >
        {share !== undefined && <Ring share={share} />}
        <span class="figures" aria-hidden="true">
          ≈ <span class="tokens">{formatShortCount(price.tokens, locale)} · </span>
          {money}
          {usual !== undefined && <span class="usual"> · {l10n.t('usually {0}', usual)}</span>}
          {loading > 0 && ' + …'}
          {limit !== undefined && <span class="limit"> · {l10n.t('max {0}', limit)}</span>}
        </span>
        <span class="visually-hidden">
          {[inWords(price, money, locale), ...uncounted(loading), ...limited].join(', ')}
        </span>
      </button>
      {isOpen && (
        <PriceDetails panel={panel} price={price}>
          <MessageLimit
            price={price}
            limitMicroUsd={limitMicroUsd}
            focused={limiting}
            onChange={(microUsd) => {
              panel.post({ type: 'limitMessage', microUsd });
              root.current?.closest('form')?.querySelector('textarea')?.focus();
            }}
          />
        </PriceDetails>
      )}
    </div>
  );
}

function usualOf({ usualMicroUsd }: NextPrice, locale: string): string | undefined {
  return usualMicroUsd === undefined ? undefined : formatMicroUsd(usualMicroUsd, false, locale);
}

function countLoading({ info }: Panel): number {
  return info.value?.attachments.filter(({ incoming }) => incoming === 'loading').length ?? 0;
}

/** A file has no price before it is read, and the message waits for it. */
function uncounted(loading: number): string[] {
  if (loading === 0) return [];
  return [
    loading === 1 ? l10n.t('1 attachment is not counted yet') : l10n.t('{0} attachments are not counted yet', loading),
  ];
}

function Ring({ share }: { share: number }) {
  return (
    <svg class="ring" viewBox="0 0 16 16" aria-hidden="true">
      <circle class="ring-whole" cx="8" cy="8" r="6" />
      {share > 0 && (
        <circle
          class="ring-part"
          cx="8"
          cy="8"
          r="6"
          pathLength={100}
          stroke-dasharray={`${Math.min(100, Math.round(share * 100))} 100`}
          transform="rotate(-90 8 8)"
        />
      )}
    </svg>
  );
}

function shareOf({ tokens, limit }: NextPrice): number | undefined {
  return limit === undefined ? undefined : tokens / limit.tokens;
}

function levelOf(price: NextPrice): string {
  const share = shareOf(price) ?? 0;
  if (share < warnShare) return 'limit-far';
  return share < errorShare ? 'limit-near' : 'limit-reached';
}

function inWords(price: NextPrice, money: string, locale: string): string {
  const about = l10n.t('Next message: about {0} tokens, about {1}', formatAbout(price.tokens, locale), money);
  const share = shareOf(price);
  return share === undefined ? about : `${about}, ${limitShare(price, share)}`;
}

function limitShare({ limit }: NextPrice, share: number): string {
  const percent = Math.round(share * 100);
  return limit?.by === 'set'
    ? l10n.t('{0}% of the limit you set', percent)
    : l10n.t('{0}% of the learned limit', percent);
}

function PriceDetails({ panel, price, children }: { panel: Panel; price: NextPrice; children: ComponentChildren }) {
  const locale = panel.info.value?.locale ?? 'en';
  return (
    <div class="price-details">
      <ScrollBox tag="div" className="price-parts" label={l10n.t('What the next message sends')}>
        <dl>
          {rows(price, locale).map(([name, tokens]) => [
            <dt key={name}>{name}</dt>,
            <dd key={`${name} tokens`}>{tokens}</dd>,
          ])}
        </dl>
        {[...uncounted(countLoading(panel)), ...notes(price, locale)].map((note) => (
          <p key={note} class="quiet">
            {note}
          </p>
        ))}
      </ScrollBox>
      {children}
      <PriceActions panel={panel} price={price} />
    </div>
  );
}

function PriceActions({ panel, price }: { panel: Panel; price: NextPrice }) {
  const attachments = panel.info.value?.attachments ?? [];
  const removeAll = () => {
    for (const { id } of attachments) panel.post({ type: 'removeAttachment', id });
  };
  return (
    <div class="price-actions">
      {price.compact && (
        <>
          <TextButton onPress={() => panel.post({ type: 'compact' })}>{l10n.t('Compact')}</TextButton>
          <TextButton onPress={() => panel.post({ type: 'newChatFromSummary' })}>
            {l10n.t('New Chat from Summary')}
          </TextButton>
        </>
      )}
      {attachments.length > 0 && <TextButton onPress={removeAll}>{l10n.t('Remove Attachments')}</TextButton>}
      <TextButton
        onPress={() => {
          panel.draft.report();
          panel.post({ type: 'showNextRequest' });
        }}
      >
        {l10n.t('Show What Will Be Sent')}
      </TextButton>
      <TextButton onPress={() => panel.post({ type: 'showSpend' })}>{l10n.t('Show Spend')}</TextButton>
    </div>
  );
}

function rows({ parts }: NextPrice, locale: string): [string, string][] {
  return categories.map((category) => [
    categoryNames[category](),
    parts[category] === 0 ? '0' : `≈ ${formatAbout(parts[category], locale)}`,
  ]);
}

const categoryNames: Readonly<Record<PriceCategory, () => string>> = {
  draft: () => l10n.t('Draft'),
  attachments: () => l10n.t('Attachments'),
  history: () => l10n.t('History'),
  rules: () => l10n.t('Instruction files'),
  tools: () => l10n.t('Tools and instructions'),
};

function notes(price: NextPrice, locale: string): string[] {
  const { error, historyMicroUsd, compact } = price;
  const history = formatMicroUsd(historyMicroUsd, true, locale);
  const usual = usualOf(price, locale);
  return [
    historyMicroUsd > 0 && l10n.t('The history adds {0} to every message of this conversation.', history),
    compact &&
      l10n.t(
        'Compacting saves {0} on every later request. It costs {1} once and pays for itself after {2} requests.',
        formatMicroUsd(compact.savedMicroUsd, true, locale),
        formatMicroUsd(compact.priceMicroUsd, true, locale),
        compact.paysAfterRequests,
      ),
    usual !== undefined &&
      l10n.t(
        'A message in this mode with this model usually costs {0}, all its requests, its answer and its thinking included.',
        usual,
      ),
    l10n.t('One request at 0.33 USD per 1M tokens. The answer and further steps come on top.'),
    l10n.t('Usually right to ±{0}%.', Math.max(1, Math.ceil(error * 100))),
    price.assumed &&
      l10n.t(
        "How many tokens this model counts for an image isn't known until the first one. A typical value is assumed.",
      ),
    limitNote(price, locale),
  ].filter((note) => typeof note === 'string');
}

function limitNote(price: NextPrice, locale: string): string {
  const { limit } = price;
  const share = shareOf(price);
  if (limit === undefined || share === undefined) return l10n.t("This service doesn't publish context limits.");
  const tokens = formatCount(limit.tokens, locale);
  const percent = Math.round(share * 100);
  return limit.by === 'set'
    ? l10n.t('You set a limit of {0} tokens: {1}% used.', tokens, percent)
    : l10n.t('This model has refused more than {0} tokens (learned): {1}% used.', tokens, percent);
}
