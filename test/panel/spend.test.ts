import assert from 'node:assert/strict';
import type { AxeResults } from 'axe-core';
import axe from 'axe-core';
import { someOf } from '../support/effort.ts';
import { openPanel, type PanelOptions, type PanelPage } from './panel-page.ts';
import { emptySpend, spendReport } from './spend-fixtures.ts';
import { themeNames } from './themes.ts';

const looks: Record<string, PanelOptions> = {
  ...Object.fromEntries(themeNames.map((theme) => [theme, { theme }])),
  'forced colours': { theme: 'hc-dark', forcedColors: 'active' },
  '500 px': { theme: 'light', width: 500 },
  '400 % zoom': { theme: 'dark', width: 1280, height: 1024, zoom: 4 },
};

async function open(options: PanelOptions = {}): Promise<PanelPage> {
  return openPanel({ piece: 'spend', width: 900, height: 1000, ...options });
}

async function violations({ page }: PanelPage): Promise<string[]> {
  await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
  });
  await page.evaluate(axe.source);
  const results = await page.evaluate(() =>
    (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe.run(),
  );
  return results.violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' | ')}`);
}

describe('spend report', () => {
  for (const [look, options] of Object.entries(looks)) {
    it(`ux 2.16 has no violation that axe finds and scrolls nothing sideways: ${look}`, async () => {
      const panel = await open(options);
      for (const message of [spendReport(), spendReport(emptySpend), spendReport({ damaged: 2 })]) {
        await panel.send(message);
        assert.deepEqual(await violations(panel), []);
        const sideways = await panel.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
        assert.equal(sideways, false);
      }
      assert.deepEqual([panel.problems(), panel.foreignRequests()], [[], []]);
      await panel.close();
    });
  }

  it('ux 2.16 is a drawing and a table of the same sums', async () => {
    const panel = await open();
    const message = spendReport();
    await panel.send(message);
    const days = message.report.days.filter((day) => day.requests > 0);
    assert.equal(await panel.page.locator('.day').count(), 30);
    await panel.page.getByText('Show as a table').click();
    const table = panel.page.getByRole('table', { name: 'Spend by day' });
    assert.equal(await table.locator('tbody tr').count(), days.length);
    const newest = await table.locator('tbody tr').first().innerText();
    assert.match(newest, /Nov 20/);
    const bar = await panel.page.locator('.day').last().getAttribute('aria-label');
    for (const amount of newest.match(/≈ \$[\d.]+/g) ?? ['no amount']) assert.ok(bar?.includes(amount), amount);
    assert.match(
      (await panel.page.getByRole('group', { name: /^Spend of 30 days: / }).getAttribute('aria-label')) ?? '',
      /Highest on /,
    );
    await panel.close();
  });

  it('ux 2.16 walks the bars with the arrow keys and says each day', async () => {
    const panel = await open();
    await panel.send(spendReport());
    assert.equal(await panel.page.locator('.day[tabindex="0"]').count(), 1);
    await panel.page.locator('.day[tabindex="0"]').focus();
    await panel.page.keyboard.press('ArrowLeft');
    await panel.page.keyboard.press('ArrowLeft');
    const caption = panel.page.locator('figcaption');
    assert.match(await caption.innerText(), /Wednesday, November 18, 2026: no requests/);
    assert.match((await panel.page.locator(':focus').getAttribute('aria-label')) ?? '', /November 18/);
    await panel.page.keyboard.press('Home');
    assert.match(await caption.innerText(), /October 22/);
    await panel.close();
  });

  it('ux 2.16 tells models apart without colours', async () => {
    const panel = await open();
    await panel.send(spendReport());
    const patterns = await panel.page.evaluate(() =>
      [...document.querySelectorAll('pattern path')].map((path) => path.getAttribute('d')),
    );
    assert.equal(new Set(patterns).size, 7);
    assert.equal(await panel.page.locator('.legend li').count(), 7);
    await panel.close();
  });

  for (const theme of someOf(themeNames, themeNames.length)) {
    it(`ux 2.19 has colours that stand out from the page, and words that can be read at 500 px: ${theme}`, async () => {
      const panel = await open({ theme, width: 500 });
      await panel.send(spendReport());
      const found = await panel.page.evaluate(() => {
        const canvas = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
        const luminance = (color: string) => {
          if (!canvas) return 0;
          canvas.fillStyle = color;
          canvas.fillRect(0, 0, 1, 1);
          const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((part) => {
            const share = part / 255;
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
          });
          return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const page = luminance(getComputedStyle(document.body).backgroundColor);
        const bars = [...document.querySelectorAll('.legend rect:first-child')].map((bar) => {
          const own = luminance(getComputedStyle(bar).fill);
          return (Math.max(own, page) + 0.05) / (Math.min(own, page) + 0.05);
        });
        const ticks = [...document.querySelectorAll('.tick')].map((tick) => tick.getBoundingClientRect());
        return { bars, small: ticks.filter(({ height }) => height < 12).length, ticks: ticks.length };
      });
      assert.equal(found.bars.length, 7);
      assert.ok(Math.min(...found.bars) >= 3, `${found.bars}`);
      assert.ok(found.ticks > 5 && found.small === 0, `${found.small} of ${found.ticks}`);
      await panel.close();
    });
  }

  it('S12 S14 ux 2.16 says what is counted here, shows no balance and leads to the dashboard', async () => {
    const panel = await open();
    await panel.send(spendReport());
    const text = await panel.page.locator('main').innerText();
    assert.match(text, /Calculated on this machine from the service's token counts × 0\.33 USD per 1M tokens/);
    assert.match(text, /Your balance and usage from other machines are shown only in the/);
    assert.match(text, /Daily limit: \$1\.50, the dashed line/);
    await panel.forgetPosted();
    await panel.page.getByRole('button', { name: 'Open Dashboard' }).click();
    await panel.page.getByRole('button', { name: 'Rename the loader everywhere' }).click();
    await panel.page.getByRole('radio', { name: '7', exact: true }).click();
    assert.deepEqual(await panel.posted(), [
      { type: 'run', command: 'svc.openDashboard' },
      { type: 'openConversation', id: 'c1' },
      { type: 'days', days: 7 },
    ]);
    await panel.close();
  });

  it('X17 shows names of conversations as text', async () => {
    const panel = await open();
    const { report } = spendReport();
    const name = '<img src=x onerror=alert(1)>';
    await panel.send(spendReport({ conversations: report.conversations.map((one) => ({ ...one, name })) }));
    assert.equal(await panel.page.locator('img').count(), 0);
    assert.equal(await panel.page.getByRole('button', { name }).count(), 1);
    await panel.close();
  });
});
