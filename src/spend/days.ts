import { dayMs } from '../base/clock.ts';

/** Whole local days, `YYYY-MM-DD`, both included. */
export interface DayRange {
  from: string;
  to: string;
}

const quarterMs = 15 * 60 * 1000;

/** The last `count` days up to `today`, by the calendar: a day of 23 or 25 hours is one day. */
export function lastDays(today: string, count: number): DayRange {
  return { from: addDays(today, 1 - count), to: today };
}

/** Every day of a range, in order. */
export function daysOf({ from, to }: DayRange): string[] {
  const days: string[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** UTC has no daylight saving, so adding hours to a UTC date counts calendar days. */
function addDays(day: string, count: number): string {
  return new Date(Date.parse(day) + count * dayMs).toISOString().slice(0, 10);
}

/** Remembers the last quarter of an hour: no day of any time zone ends within one, and lines come in order of time. */
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
 * How `dayOf` cuts a UTC month, `YYYY-MM`, into days: where it is equal, each instant of the month falls on the same day. Worked out
 * from `dayOf`, as asking `Intl` for the name of the time zone takes the host's thread for tens of milliseconds the first time.
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

/** The day in the time zone of this machine. */
export function localDay(epochMs: number): string {
  const date = new Date(epochMs);
  const pad = (value: number, digits: number): string => String(value).padStart(digits, '0');
  return `${pad(date.getFullYear(), 4)}-${pad(date.getMonth() + 1, 2)}-${pad(date.getDate(), 2)}`;
}
