import type { Page } from 'playwright-core';

/** Drags the sash between editor and secondary side bar. */
export async function resizeSideBar(page: Page, width: number): Promise<void> {
  const bar = page.locator('.part.auxiliarybar');
  const box = await bar.boundingBox();
  if (!box) throw new Error('the secondary side bar is not showing');
  // The sash is in the gap in front of the bar.
  await page.mouse.move(box.x - 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - width, box.y + box.height / 2, { steps: 10 });
  await page.mouse.up();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
}
