import * as l10n from '@vscode/l10n';
import { chargeWords } from '../../../src/shared/charge-words.ts';
import type { RequestRow } from '../../../src/shared/chat/request-rows.ts';
import type { SentTokens } from '../../../src/shared/events.ts';
import { costMicroUsd, formatMicroUsd } from '../../../src/shared/money.ts';
import { formatAbout, formatCount } from '../controls/format.ts';
import { ScrollBox } from '../controls/scroll-box.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

interface RequestRowsProps {
  counted: readonly string[];
  basis: string;
  rows: readonly RequestRow[];
  sent: SentTokens | undefined;
}

export function RequestRows({ counted, basis, rows, sent }: RequestRowsProps) {
  const locale = usePanel().info.value?.locale ?? 'en';
  return (
    <ScrollBox tag="div" className="request-rows" label={l10n.t('Cost Details')}>
      {counted.length > 0 && <p>{counted.join(' · ')}</p>}
      {rows.length > 1 && <RequestTable rows={rows} />}
      {sent && <p class="quiet">{sentText(sent, locale)}</p>}
      <p class="quiet">{basis}</p>
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

function sentText({ overhead, history, steps }: SentTokens, locale: string): string {
  // The sign of an estimate does not end a line.
  const price = (tokens: number) => formatMicroUsd(costMicroUsd(tokens), true, locale).replaceAll(' ', '\u00a0');
  const part = (tokens: number) => [formatAbout(tokens, locale), price(tokens)];
  return l10n.t(
    'Sent in total: {0} tokens of tools and instructions ({1}), {2} of earlier conversation ({3}), {4} of earlier steps of this answer ({5}).',
    ...part(overhead),
    ...part(history),
    ...part(steps),
  );
}
