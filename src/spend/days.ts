import { dayMs } from '../base/clock.ts';

/** Both days are included. They are local days in the form `YYYY-MM-DD`. */
export interface DayRange {
  from: string;
  to: string;
}

const quarterMs = 15 * 60 * 1000;

export function lastDays(today: string, count: number): DayRange {
  return { from: addDays(today, 1 - count), to: today };
}

export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

/** Caches the last quarter of an hour: no day of any time zone ends within one, and lines come in order of time. */
export function rememberDay(dayOf: (epochMs: number) => string): (epochMs: number) => string {
  let quarter = Number.NaN;
  let day = '';
  return (epochMs) => {
    const asked = Math.floor(epochMs / quarterMs);
    if (asked !== quarter) {
      quarter = asked;
      day = dayOf(epochMs);
    }
    return day;
  };
}

/**
 * Describes how `dayOf` cuts a UTC month (`YYYY-MM`) into days. Where two results are equal, each instant of the
 * month falls on the same day. It is derived from `dayOf`, because asking `Intl` for the time zone blocks the host's
 * thread for tens of milliseconds the first time.
 */
export function cutOf(month: string, dayOf: (epochMs: number) => string): string {
  const first = Date.parse(`${month}-01`);
  const cuts: number[] = [];
  for (let start = first; new Date(start).getUTCMonth() === new Date(first).getUTCMonth(); start += dayMs) {
    const day = dayOf(start);
    let [before, after] = [0, dayMs / quarterMs];
    while (after - before > 1) {
      const middle = Math.floor((before + after) / 2);
      if (dayOf(start + middle * quarterMs) === day) before = middle;
      else after = middle;
    }
    cuts.push(after);
  }
  return `${dayOf(first)} ${cuts.join(' ')}`;
}

export function localDay(epochMs: number): string {
  const date = new Date(epochMs);
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}
