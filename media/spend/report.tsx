import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { requestsWords } from '../../src/shared/charge-words.ts';
import {
  type NamedSum,
  reportDays,
  type SpendPageMessage,
  type SpendReport,
  type SpendSum,
} from '../../src/shared/panel/spend-report.ts';
import { Chart } from './chart.tsx';
import { dayName, money } from './words.ts';

type Post = (message: SpendPageMessage) => void;

export function Report({ report, post }: { report: SpendReport; post: Post }) {
  const { locale } = report;
  return (
    <main>
      <h1>{l10n.t('Spend')}</h1>
      <p class="quiet">
        {l10n.t(
          "Calculated on this machine from the service's token counts × 0.33 USD per 1M tokens. Your balance and usage from other machines are shown only in the dashboard.",
        )}
      </p>
      <div class="actions">
        <button type="button" class="primary" onClick={() => post({ type: 'run', command: 'svc.openDashboard' })}>
          {l10n.t('Open Dashboard')}
        </button>
        <button type="button" onClick={() => post({ type: 'run', command: 'svc.exportSpend' })}>
          {l10n.t('Export as CSV…')}
        </button>
        <button type="button" onClick={() => post({ type: 'run', command: 'svc.setSpendLimit' })}>
          {l10n.t('Set Spend Limit…')}
        </button>
      </div>
      <dl class="cards">
        <Card name={l10n.t('Today')} sum={report.today} locale={locale} />
        <Card name={l10n.t('7 days')} sum={report.week} locale={locale} />
        <Card name={l10n.t('30 days')} sum={report.month} locale={locale} />
      </dl>
      {report.damaged > 0 && (
        <p class="warning">
          {l10n.t("{0} lines of the spend ledger couldn't be read and aren't counted. They were kept.", report.damaged)}
        </p>
      )}
      <Range days={report.days.length} post={post} />
      <h2>{l10n.t('By day')}</h2>
      <Chart report={report} />
      <details>
        <summary>{l10n.t('Show as a table')}</summary>
        <DayTable report={report} />
      </details>
      <h2>{l10n.t('By model')}</h2>
      <SumTable title={l10n.t('Model')} rows={byName(report.models)} locale={locale} />
      <h2>{l10n.t('By feature')}</h2>
      <SumTable title={l10n.t('Feature')} rows={byName(report.surfaces)} locale={locale} />
      <h2>{l10n.t('Most expensive conversations, all time')}</h2>
      <Conversations report={report} post={post} />
      <p class="quiet">
        {l10n.t(
          "≈ marks totals that are partly estimated or include requests that were possibly charged. Failed and empty requests aren't charged.",
        )}
      </p>
    </main>
  );
}

function Card({ name, sum, locale }: { name: string; sum: SpendSum; locale: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class="amount">{money(sum, locale)}</dd>
      <dd class="quiet">{requestsWords(sum, locale)}</dd>
    </div>
  );
}

function Range({ days, post }: { days: number; post: Post }) {
  return (
    <fieldset>
      <legend>{l10n.t('Days shown')}</legend>
      {reportDays.map((count) => (
        <label key={count}>
          <input
            type="radio"
            name="days"
            checked={count === days}
            onChange={() => post({ type: 'days', days: count })}
          />
          {count}
        </label>
      ))}
    </fieldset>
  );
}

/** Leaves out days without a request and shows the newest first. */
function DayTable({ report }: { report: SpendReport }) {
  const { locale } = report;
  const days = report.days.filter((day) => day.requests > 0).toReversed();
  const rows = days.map((day) => ({
    key: day.day,
    name: dayName(day.day, locale, 'short'),
    sum: day,
    parts: day.models.map((model) => `${model.name} ${money(model, locale)}`),
  }));
  return <SumTable title={l10n.t('Day')} label={l10n.t('Spend by day')} rows={rows} locale={locale} />;
}

function Conversations({ report, post }: { report: SpendReport; post: Post }) {
  const { conversations, locale } = report;
  if (conversations.length === 0) return <p>{l10n.t('No conversation has cost anything yet.')}</p>;
  const rows = conversations.map((one) => ({
    key: one.id,
    name: one.exists ? (
      <button type="button" class="link" onClick={() => post({ type: 'openConversation', id: one.id })}>
        {one.name}
      </button>
    ) : (
      one.name
    ),
    sum: one,
  }));
  return <SumTable title={l10n.t('Conversation')} rows={rows} locale={locale} />;
}

function byName(sums: readonly NamedSum[]): SumRow[] {
  return sums.map((sum) => ({ key: sum.name, name: sum.name, sum }));
}

interface SumRow {
  key: string;
  name: ComponentChildren;
  sum: SpendSum;
  parts?: readonly string[];
}

function SumTable(props: { title: string; label?: string; rows: readonly SumRow[]; locale: string }) {
  const { title, label, rows, locale } = props;
  if (rows.length === 0) return <p>{l10n.t('No requests in this period.')}</p>;
  return (
    <table aria-label={label ?? title}>
      <thead>
        <tr>
          <th scope="col">{title}</th>
          <th scope="col">{l10n.t('Spent')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, name, sum, parts = [] }) => (
          <tr key={key}>
            <th scope="row">
              {name}
              <div class="quiet">{[...parts, ...counts(sum, locale)].join(' · ')}</div>
            </th>
            <td>{money(sum, locale)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function counts(sum: SpendSum, locale: string): string[] {
  const count = new Intl.NumberFormat(locale);
  return [
    l10n.t('{0} tokens in', count.format(sum.promptTokens)),
    l10n.t('{0} tokens out', count.format(sum.completionTokens)),
    requestsWords(sum, locale),
  ];
}
