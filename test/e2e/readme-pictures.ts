import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../run/pool.ts';
import { buildExtension } from '../vscode/build-extension.ts';
import { exitOnSignal } from '../vscode/exit-on-signal.ts';
import { openChat } from './chat.ts';
import { resizeSideBar } from './resize-side-bar.ts';
import { enterKey, type Session, startSession } from './session.ts';
import { shippingAnswer } from './shop.ts';
import { newChat } from './use-chat.ts';

const edits = [
  {
    search: `export interface Total {
  itemsCents: number;
  discountCents: number;
  shippingCents: number;
  totalCents: number;
}

/** What the customer pays. Shipping depends on what the items cost before the voucher. */
export function totalOf(items: readonly Item[], voucher?: string): Total {`,
    replace: `/** What the customer pays, in cents. Shipping depends on what is left after the voucher. */
export function totalOf(items: readonly Item[], voucher?: string): number {`,
  },
  {
    search: `  const discount = discountCents(itemsCents, voucher);
  const shipping = shippingCents(itemsCents);
  return {
    itemsCents,
    discountCents: discount,
    shippingCents: shipping,
    totalCents: itemsCents - discount + shipping,
  };`,
    replace: `  const leftCents = itemsCents - discountCents(itemsCents, voucher);
  return leftCents + shippingCents(leftCents);`,
  },
];

/** `npm run pictures` takes the two pictures of the README anew: a whole answer, and a review of several hunks. */
async function takePictures(session: Session): Promise<void> {
  const { window, service } = session;
  const take = async (name: string) => {
    const picture = await readFile(await window.screenshot(`readme-${name}`));
    await writeFile(path.join(projectRoot, `media/readme/${name}.webp`), await asWebp(window.page, picture));
  };
  await window.openFile('src/shipping.ts');
  const chat = await openChat(session);
  await enterKey(session);
  await window.runCommand('View: Toggle Primary Side Bar Visibility');
  await resizeSideBar(window.page, 590);
  service.script({
    replies: [
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }] },
      { toolCalls: [{ name: 'search_text', arguments: { query: 'shippingCents(' } }] },
      { text: shippingAnswer },
    ],
  });
  await chat.ask('How is the shipping cost decided?');
  await chat.finishedAnswer();
  // The last of the lines is coloured last.
  await chat.frame.locator('.code-block code span[class^=color-]').getByText('}', { exact: true }).waitFor();
  await take('chat');

  service.script({
    replies: [
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/cart.ts' } }] },
      {
        text: 'Two places in `cart.ts` change: what `totalOf` returns, and the amount that decides on shipping.',
        toolCalls: [{ name: 'edit_file', arguments: { path: 'src/cart.ts', edits } }],
      },
      { text: '`test/cart.test.ts` still reads `totalCents`. Shall I change it too?' },
    ],
  });
  await newChat(session, chat);
  await window.openFile('src/cart.ts');
  await chat.ask('Decide shipping after the voucher, and return only the total.');
  await chat.button('Allow in This Chat').click({ timeout: 180_000 });
  await chat.finishedAnswer();
  await resizeSideBar(window.page, 360);
  await chat.frame.getByRole('region', { name: 'Changes' }).getByRole('button', { name: 'Review' }).click();
  await window.page.locator('.multiDiffEntry .line-delete').first().waitFor();
  await take('review');
}

/** A quarter of the size, which everybody who clones pays for. */
async function asWebp(page: Page, png: Buffer): Promise<Buffer> {
  const base64 = await page.evaluate(
    async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      const canvas = document.createElement('canvas');
      canvas.width = image.width;
      canvas.height = image.height;
      canvas.getContext('2d')?.drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.5).split(',')[1] ?? '';
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  return Buffer.from(base64, 'base64');
}

exitOnSignal();
await buildExtension();
const session = await startSession({
  viewport: { width: 1200, height: 770 },
  settings: {
    'workbench.colorTheme': 'Dark Modern',
    'editor.minimap.enabled': false,
    'remote.autoForwardPorts': false,
  },
});
try {
  await takePictures(session);
} finally {
  await session.close();
}
