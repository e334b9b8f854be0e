import * as l10n from '@vscode/l10n';
import { chargeWords } from '../../../src/shared/charge-words.ts';
import { type Receipt, type ReceiptLine, receiptOf } from '../../../src/shared/chat/receipt.ts';
import type { RequestRow } from '../../../src/shared/chat/request-rows.ts';
import type { SentTokens } from '../../../src/shared/events.ts';
import { costMicroUsd, formatMicroUsd } from '../../../src/shared/money.ts';
import { TextButton } from '../controls/buttons.tsx';
import { formatAbout, formatCount } from '../controls/format.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

interface RequestRowsProps {
  totals: readonly string[];
  priceNote: string;
  rows: readonly RequestRow[];
  sent: SentTokens | undefined;
}

export function RequestRows({ totals, priceNote, rows, sent }: RequestRowsProps) {
  return (
    <ScrollBox tag="div" className="request-rows" label={l10n.t('Cost Details')}>
      {totals.length > 0 && <p>{totals.join(' · ')}</p>}
      {rows.length > 1 && <RequestTable rows={rows} />}
      <ReceiptTable receipt={receiptOf(rows, sent)} />
      <p class="quiet">{priceNote}</p>
    </ScrollBox>
  );
}

function RequestTable({ rows }: { rows: readonly RequestRow[] }) {
  const { info, nameOf } = usePanel();
  const several = new Set(rows.map(({ model }) => model)).size > 1;
  const locale = info.value?.locale ?? 'en';
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">{l10n.t('Request')}</th>
          <th scope="col">{l10n.t('In')}</th>
          <th scope="col">{l10n.t('Out')}</th>
          <th scope="col">{l10n.t('Price')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={`${index + 1} ${row.model}`}>
            <th scope="row">
              {index + 1}. {visibleText(purposeText(row))}
              {several && <span class="quiet"> {visibleText(nameOf(row.model))}</span>}
            </th>
            <td>{figure(row.promptTokens, row.estimated, locale)}</td>
            <td>{figure(row.completionTokens, row.estimated, locale)}</td>
            <td>{chargeWords(row, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function figure(count: number, estimated: boolean, locale: string): string {
  return `${estimated && count > 0 ? '≈ ' : ''}${formatCount(count, locale)}`;
}

function purposeText({ purpose }: RequestRow): string {
  switch (purpose.kind) {
    case 'answer':
      return l10n.t('Final answer');
    case 'tools':
      return purpose.names.join(', ');
    case 'summary':
      return l10n.t('Summary of the answer so far');
    case 'subagent':
      return l10n.t('Subagent');
    case 'failed':
      return l10n.t('Failed');
  }
}

function ReceiptTable({ receipt: { lines, savedByCompacting } }: { receipt: Receipt }) {
  const { info, post } = usePanel();
  const { locale = 'en', compactsWhenCheaper = false } = info.value ?? {};
  const price = (tokens: number) => formatMicroUsd(costMicroUsd(tokens), true, locale);
  const saved = costMicroUsd(savedByCompacting);
  const worth = saved >= worthMicroUsd;
  return (
    <>
      <table class="receipt">
        <thead>
          <tr>
            <th scope="col">{l10n.t('Paid for')}</th>
            <th scope="col">{l10n.t('Tokens')}</th>
            <th scope="col">{l10n.t('Price')}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ line, tokens }) => (
            <tr key={line}>
              <th scope="row">{lineTexts[line]()}</th>
              <td>{formatAbout(tokens, locale)}</td>
              <td>{price(tokens)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {(worth || compactsWhenCheaper) && (
        <div class="message-limit">
          <span>
            {compactsWhenCheaper
              ? l10n.t('svc compacts before a message when that is cheaper.')
              : l10n.t('Compacting before this message would have saved {0}.', formatMicroUsd(saved, true, locale))}
          </span>
          <TextButton onPress={() => post({ type: 'compactWhenCheaper', on: !compactsWhenCheaper })}>
            {compactsWhenCheaper ? l10n.t('Stop Compacting') : l10n.t('Compact from Now On')}
          </TextButton>
        </div>
      )}
    </>
  );
}

const worthMicroUsd = 300;

const lineTexts: Readonly<Record<ReceiptLine, () => string>> = {
  overhead: () => l10n.t('Tools and instructions'),
  history: () => l10n.t('Your message, and history sent again'),
  steps: () => l10n.t('Earlier steps sent again'),
  others: () => l10n.t('Subagents, summaries, and repeated requests'),
  thinking: () => l10n.t('Thinking'),
  reply: () => l10n.t('Answer and tool calls'),
};
