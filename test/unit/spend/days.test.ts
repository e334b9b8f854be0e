import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { describe, it } from 'mocha';
import { cutOf, daysOf, lastDays } from '../../../src/spend/days.ts';

describe('days of the ledger', () => {
  it('S11 7 and 30 days end today and count today', () => {
    assert.deepEqual(lastDays('2026-11-20', 7), { from: '2026-11-14', to: '2026-11-20' });
    assert.deepEqual(lastDays('2026-03-01', 30), { from: '2026-01-31', to: '2026-03-01' });
    assert.equal(daysOf(lastDays('2028-03-01', 30)).length, 30);
    assert.deepEqual(daysOf({ from: '2026-12-31', to: '2027-01-01' }), ['2026-12-31', '2027-01-01']);
  });

  it('S11 are neither lost nor doubled where the clock changes', () => {
    const script = `
      import { lastDays, daysOf, localDay } from ${JSON.stringify(new URL('../../../src/spend/days.ts', import.meta.url).href)};
      const hours = Array.from({ length: 24 * 20 }, (_, hour) => localDay(new Date(2026, 9, 15).getTime() + hour * 3600000));
      const seen = [...new Set(hours)];
      const counted = daysOf(lastDays(seen.at(-1), seen.length));
      console.log(JSON.stringify({ same: seen.join() === counted.join(), of25: hours.filter((day) => day === '2026-10-25').length }));`;
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, TZ: 'Europe/Berlin' },
    });
    assert.deepEqual(JSON.parse(out.toString()), { same: true, of25: 25 });
  });

  it('tells apart how time zones cut a month, and only where they do', () => {
    const zones = [
      'UTC',
      'Etc/UTC',
      'Africa/Abidjan',
      'Europe/Berlin',
      'Africa/Lagos',
      'Asia/Kathmandu',
      'Pacific/Apia',
    ];
    const dayIn = (timeZone: string) => {
      const format = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
      return (at: number) => format.format(at);
    };
    for (const month of ['2011-12', '2026-03', '2026-11']) {
      const quarters = Array.from({ length: 31 * 96 }, (_, index) => Date.parse(`${month}-01`) + index * 15 * 60_000);
      const inMonth = quarters.filter((at) => new Date(at).toISOString().startsWith(month));
      const seen = zones.map((zone) => {
        const dayOf = dayIn(zone);
        return { zone, cut: cutOf(month, dayOf), days: inMonth.map(dayOf).join() };
      });
      for (const one of seen) {
        for (const other of seen) {
          assert.equal(one.cut === other.cut, one.days === other.days, `${month}: ${one.zone}, ${other.zone}`);
        }
      }
    }
  });
});
