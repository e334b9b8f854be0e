import * as l10n from '@vscode/l10n';
import { type ComponentChildren, createElement } from 'preact';
import { useState } from 'preact/hooks';
import { requestsWords } from '../../src/shared/charge-words.ts';
import { formatMicroUsd } from '../../src/shared/money.ts';
import type { SpendDay, SpendReport } from '../../src/shared/panel/spend-report.ts';
import { axisValues } from './axis-values.ts';
import { dayName, daySentence, money } from './words.ts';

const width = 720;
const height = 220;
const left = 64;
const right = 16;
const bottom = 24;
const top = 12;
/** Color and pattern repeat after this many models; the table still names each one. */
export const kinds = 7;

/** Gives a part of the drawing the role of an image, for which HTML has no element. */
const picture = (name: string) => ({ role: 'img' as const, 'aria-label': name });
const silent = { 'aria-hidden': true };

/** Shows one stacked bar for each day. Arrow keys move between bars; the text below describes the day. */
export function Chart({ report }: { report: SpendReport }) {
  const { days, locale } = report;
  const [at, setAt] = useState(days.length - 1);
  const current = Math.min(at, days.length - 1);
  const scale = scaleOf(report);
  const step = (width - left - right) / Math.max(1, days.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const next = { ArrowLeft: current - 1, ArrowRight: current + 1, Home: 0, End: days.length - 1 }[event.key];
    if (next === undefined || next < 0 || next >= days.length) return;
    event.preventDefault();
    setAt(next);
    const bars = (event.currentTarget as Element).querySelectorAll<SVGElement>('.day');
    bars[next]?.focus();
  };
  const shownDay = days[current];
  return (
    <figure>
      <Drawing name={summary(report)} onKeyDown={onKeyDown}>
        <Patterns />
        <Axis scale={scale} locale={locale} />
        {days.map((day, index) => (
          <Bar
            key={day.day}
            day={day}
            report={report}
            x={left + index * step}
            step={step}
            max={scale.max}
            focusable={index === current}
            label={isLabelled(index, days.length) ? dayName(day.day, locale, 'short') : undefined}
            onFocus={() => setAt(index)}
          />
        ))}
        {scale.limit !== undefined && <LimitLine limit={scale.limit} max={scale.max} locale={locale} />}
      </Drawing>
      <figcaption>{shownDay && daySentence(shownDay, locale)}</figcaption>
      {report.dailyLimitMicroUsd !== undefined && (
        <p class="quiet">
          {scale.limit === undefined
            ? l10n.t('Daily limit: {0}, far above the bars', formatMicroUsd(report.dailyLimitMicroUsd, false, locale))
            : l10n.t('Daily limit: {0}, the dashed line', formatMicroUsd(report.dailyLimitMicroUsd, false, locale))}
        </p>
      )}
      <Legend report={report} />
    </figure>
  );
}

interface DrawingProps {
  name: string;
  onKeyDown(event: KeyboardEvent): void;
  children: ComponentChildren;
}

/** The role is a group and not an image, because each bar in it can be read on its own. */
function Drawing({ name, onKeyDown, children }: DrawingProps) {
  const viewBox = `0 0 ${width} ${height}`;
  return createElement('svg', { viewBox, class: 'chart', role: 'group', 'aria-label': name, onKeyDown }, children);
}

interface Scale {
  values: readonly number[];
  max: number;
  /** The limit is left out where it would flatten every bar. */
  limit?: number;
}

function scaleOf({ days, dailyLimitMicroUsd }: SpendReport): Scale {
  const highest = Math.max(...days.map((day) => day.microUsd), 0);
  const limit = dailyLimitMicroUsd !== undefined && dailyLimitMicroUsd <= highest * 4 ? dailyLimitMicroUsd : undefined;
  const values = axisValues(Math.max(highest, limit ?? 0));
  return { values, max: values.at(-1) ?? 0, limit };
}

function toY(microUsd: number, max: number): number {
  return height - bottom - (microUsd / max) * (height - bottom - top);
}

interface BarProps {
  day: SpendDay;
  report: SpendReport;
  x: number;
  step: number;
  max: number;
  focusable: boolean;
  label?: string;
  onFocus(): void;
}

function Bar({ day, report, x, step, max, focusable, label, onFocus }: BarProps) {
  let below = 0;
  const attributes = {
    ...picture(daySentence(day, report.locale)),
    tabIndex: focusable ? 0 : -1,
    onFocus,
    onPointerEnter: onFocus,
  };
  return (
    <g class="day" {...attributes}>
      <rect class="room" x={x} y={top} width={step} height={height - bottom - top} />
      {day.models.map((model) => {
        const y = toY(below + model.microUsd, max);
        const tall = toY(below, max) - y;
        below += model.microUsd;
        const kind = report.models.findIndex((one) => one.name === model.name) % kinds;
        const box = { x: x + step * 0.15, y, width: step * 0.7, height: tall };
        return (
          <g key={model.name}>
            <rect class={`colour-${kind}`} {...box} />
            <rect fill={`url(#pattern-${kind})`} {...box} />
          </g>
        );
      })}
      {label && (
        <text class="tick" x={x + step / 2} y={height - 6} text-anchor="middle">
          {label}
        </text>
      )}
    </g>
  );
}

function isLabelled(index: number, count: number): boolean {
  const every = Math.ceil(count / 7);
  return (count - 1 - index) % every === 0;
}

function Axis({ scale, locale }: { scale: Scale; locale: string }) {
  return (
    <g {...silent}>
      {scale.values.map((value) => {
        const y = toY(value, scale.max);
        return (
          <g key={value}>
            <line class="grid" x1={left} x2={width - right} y1={y} y2={y} />
            <text class="tick" x={left - 6} y={y + 4} text-anchor="end">
              {formatMicroUsd(value, false, locale)}
            </text>
          </g>
        );
      })}
    </g>
  );
}

function LimitLine({ limit, max, locale }: { limit: number; max: number; locale: string }) {
  const y = toY(limit, max);
  return (
    <g class="limit" {...picture(l10n.t('Daily limit: {0}', formatMicroUsd(limit, false, locale)))}>
      <line x1={left} x2={width - right} y1={y} y2={y} />
    </g>
  );
}

/** Every kind has its own pattern, so that bars differ without color. */
function Patterns() {
  const drawings = ['', 'M0 8L8 0', 'M0 0L8 8', 'M0 4H8', 'M4 0V8', 'M0 4H8M4 0V8', 'M3 3h2v2h-2z'];
  return (
    <defs>
      {drawings.map((path, kind) => (
        <pattern key={path} id={`pattern-${kind}`} width="8" height="8" patternUnits="userSpaceOnUse">
          <path class="stroke" d={path} />
        </pattern>
      ))}
    </defs>
  );
}

function Legend({ report }: { report: SpendReport }) {
  return (
    <ul class="legend">
      {report.models.map((model, index) => (
        <li key={model.name}>
          <svg width="14" height="14" aria-hidden="true">
            <rect class={`colour-${index % kinds}`} width="14" height="14" />
            <rect fill={`url(#pattern-${index % kinds})`} width="14" height="14" />
          </svg>
          {model.name}
        </li>
      ))}
    </ul>
  );
}

function summary(report: SpendReport): string {
  const { days, total, locale } = report;
  const dearest = days.reduce((most, day) => (day.microUsd > most.microUsd ? day : most), days[0] as SpendDay);
  const sum = l10n.t('Spend of {0} days: {1} in {2}.', days.length, money(total, locale), requestsWords(total, locale));
  if (total.microUsd === 0) return sum;
  const most = l10n.t('Highest on {0}: {1}.', dayName(dearest.day, locale, 'long'), money(dearest, locale));
  return `${sum} ${most}`;
}
