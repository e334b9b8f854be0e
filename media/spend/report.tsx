import * as l10n from '@vscode/l10n';
import {
  type NamedSum,
  reportDays,
  type SpendPageMessage,
  type SpendReport,
  type SpendSum,
} from '../../src/shared/panel/spend-report.ts';
import { ScrollBox } from '../chat/controls/scroll-box.tsx';
import { Chart } from './chart.tsx';
import { dayName, money, requests } from './words.ts';

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
      <SumTable title={l10n.t('Model')} sums={report.models} locale={locale} />
      <h2>{l10n.t('By feature')}</h2>
      <SumTable title={l10n.t('Feature')} sums={report.surfaces} locale={locale} />
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
      <dd class="quiet">{requests(sum, locale)}</dd>
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

/** The chart's twin. Days without a request are left out; the newest is on top. */
function DayTable({ report }: { report: SpendReport }) {
  const { locale, models } = report;
  const days = report.days.filter((day) => day.requests > 0).toReversed();
  if (days.length === 0) return <p>{l10n.t('No requests in this period.')}</p>;
  return (
    <ScrollBox tag="div" className="scroll" label={l10n.t('Spend by day')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Day')}</th>
            {models.map((model) => (
              <th scope="col" key={model.name}>
                {model.name}
              </th>
            ))}
            <SumHeads />
          </tr>
        </thead>
        <tbody>
          {days.map((day) => (
            <tr key={day.day}>
              <th scope="row">{dayName(day.day, locale, 'short')}</th>
              {models.map((model) => {
                const sum = day.models.find((one) => one.name === model.name);
                return <td key={model.name}>{sum ? money(sum, locale) : '–'}</td>;
              })}
              <SumCells sum={day} locale={locale} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function SumTable({ title, sums, locale }: { title: string; sums: readonly NamedSum[]; locale: string }) {
  if (sums.length === 0) return <p>{l10n.t('No requests in this period.')}</p>;
  return (
    <ScrollBox tag="div" className="scroll" label={title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{title}</th>
            <SumHeads />
          </tr>
        </thead>
        <tbody>
          {sums.map((sum) => (
            <tr key={sum.name}>
              <th scope="row">{sum.name}</th>
              <SumCells sum={sum} locale={locale} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function Conversations({ report, post }: { report: SpendReport; post: Post }) {
  const { conversations, locale } = report;
  if (conversations.length === 0) return <p>{l10n.t('No conversation has cost anything yet.')}</p>;
  return (
    <ScrollBox tag="div" className="scroll" label={l10n.t('Conversations')}>
      <table>
        <thead>
          <tr>
            <th scope="col">{l10n.t('Conversation')}</th>
            <SumHeads />
          </tr>
        </thead>
        <tbody>
          {conversations.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                {one.exists ? (
                  <button type="button" class="link" onClick={() => post({ type: 'openConversation', id: one.id })}>
                    {one.name}
                  </button>
                ) : (
                  one.name
                )}
              </th>
              <SumCells sum={one} locale={locale} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function SumHeads() {
  return [l10n.t('Spent'), l10n.t('Tokens in'), l10n.t('Tokens out'), l10n.t('Requests'), l10n.t('Not charged')].map(
    (name) => (
      <th scope="col" key={name}>
        {name}
      </th>
    ),
  );
}

function SumCells({ sum, locale }: { sum: SpendSum; locale: string }) {
  const count = new Intl.NumberFormat(locale);
  return (
    <>
      <td>{money(sum, locale)}</td>
      <td>{count.format(sum.promptTokens)}</td>
      <td>{count.format(sum.completionTokens)}</td>
      <td>{count.format(sum.requests)}</td>
      <td>{count.format(sum.notCharged)}</td>
    </>
  );
}
