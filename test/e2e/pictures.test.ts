import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import type { Locator, Page } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { enterKey, type Session } from './session.ts';
import { useSession } from './use-session.ts';

const readmeFolder = path.resolve(import.meta.dirname, '../../media/readme');
const renews = process.env.UPDATE_PICTURES === '1';

async function renew(file: string, name: string): Promise<void> {
  await mkdir(readmeFolder, { recursive: true });
  await copyFile(file, path.join(readmeFolder, `${name}.png`));
}

const answer = `Shipping is decided in \`src/shipping.ts:5\`:

\`\`\`ts
export function shippingCents(itemsCents: number): number {
  if (itemsCents === 0 || itemsCents >= freeFromCents) return 0;
  return standardCents;
}
\`\`\`

- An **empty cart** ships nothing and costs nothing.
- From **49 euros** on (\`freeFromCents\`) shipping is free.
- Everything else costs **4.90 euros** (\`standardCents\`).

The amount is compared *before* any voucher is taken off, because \`src/cart.ts\` passes the sum of the items.
`;

/** In the answer and in the file that stands open beside it; of different kinds, and none that only the language server knows. */
const words = ['export', 'shippingCents', 'number', 'return', '0'];

/** How each word looks where it stands first. */
function colorsOf(code: Locator, wanted: readonly string[]): Promise<string[]> {
  return code.first().evaluate((element, each) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
    const found = new Map<string, string>();
    while (texts.nextNode()) {
      const word = texts.currentNode.textContent?.trim() ?? '';
      const parent = texts.currentNode.parentElement;
      if (parent && each.includes(word) && !found.has(word)) found.set(word, getComputedStyle(parent).color);
    }
    return each.map((word) => found.get(word) ?? 'none');
  }, wanted);
}

/** What a person sees, in the themes that differ most. UPDATE_PICTURES=1 renews the README's own. */
describe('pictures', () => {
  const session = useSession({ viewport: { width: 1280, height: 800 } });

  it('shows an answer beside the code it is about, in four themes and at 220 px', async function () {
    this.timeout(400_000);
    const { window, service } = session();
    await window.openFile('src/shipping.ts');
    const chat = await openChat(session());
    await enterKey(session());
    service.script({
      replies: [
        {
          toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }],
          reasoning: 'I look at the file first.',
        },
        { toolCalls: [{ name: 'search_text', arguments: { query: 'shippingCents(' } }] },
        { text: answer },
      ],
    });
    await chat.ask('How is the shipping cost decided?');
    await chat.finishedAnswer();
    const themes = ['Dark Modern', 'Dark High Contrast', 'Light High Contrast', 'Light Modern'];
    for (const theme of themes) {
      await window.setTheme(theme);
      await waitFor(`the chat's code to have the editor's colours in ${theme}`, async () => {
        const inChat = await colorsOf(chat.frame.locator('.code-block code'), words);
        const inEditor = await colorsOf(window.page.locator('.editor-instance .view-lines'), words);
        return new Set(inChat).size > 1 && isDeepStrictEqual(inChat, inEditor);
      });
      const file = await window.screenshot(`chat-${theme.toLowerCase().replaceAll(' ', '-')}`);
      if (theme === 'Dark Modern' && renews) await renew(file, 'chat');
    }
    if (renews) await takeOthers(session(), chat);
    await narrowSideBar(window.page);
    const width = await chat.frame.evaluate(() => document.documentElement.clientWidth);
    const send = await chat.button('Send').evaluate((button) => button.getBoundingClientRect().right);
    assert.ok(width <= 230 && send <= width, `Send ends at ${send} of ${width} px`);
    await window.screenshot('chat-narrow');
  });
});

/** The other pictures of the README: the review of an edit, the price before sending, where the money went. */
async function takeOthers({ window, service }: Session, chat: Chat): Promise<void> {
  await window.setTheme('Dark Modern');
  service.script({
    replies: [
      { toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }] },
      {
        text: 'Shipping becomes free from 59 euros on, and the rule says so.',
        toolCalls: [
          {
            name: 'edit_file',
            arguments: {
              path: 'src/shipping.ts',
              edits: [
                { search: 'const freeFromCents = 4900;', replace: 'const freeFromCents = 5900;' },
                { search: 'free from 49 euros on', replace: 'free from 59 euros on' },
              ],
            },
          },
        ],
      },
      { text: 'Both places are changed. `cart.ts` needs nothing: it takes the amount from here.' },
    ],
  });
  await window.runCommand('svc.newChat');
  await chat.frame.getByText('What shall we look at?').waitFor();
  await chat.ask('Make shipping free from 59 euros on.');
  await chat.button('Edit with Undo').click({ timeout: 60_000 });
  await chat.finishedAnswer();
  await window.openFile('src/shipping.ts');
  await window.page.locator('.codelens-decoration').first().waitFor({ timeout: 60_000 });
  await renew(await window.screenshot('readme-review'), 'review');

  await window.runCommand('svc.addToChat');
  await chat.message.fill('Does anything else depend on this amount?');
  const price = chat.frame.locator('button.price');
  await price.click();
  await chat.frame.getByText('In 19 of 20 cases').waitFor();
  await renew(await window.screenshot('readme-price', window.page.locator('.part.auxiliarybar')), 'price');
  await price.click();
  await chat.message.fill('');

  await window.runCommand('svc.showSpend');
  await (await window.webviewFrame('text=By feature')).getByText('By model').first().waitFor({ timeout: 60_000 });
  await renew(await window.screenshot('readme-spend'), 'spend');
}

/** Drags the sash between editor and secondary side bar until the bar is as narrow as it gets. */
async function narrowSideBar(page: Page): Promise<void> {
  const bar = page.locator('.part.auxiliarybar');
  const box = await bar.boundingBox();
  if (!box) throw new Error('the secondary side bar is not showing');
  // The sash is in the gap in front of the bar.
  await page.mouse.move(box.x - 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 222, box.y + box.height / 2, { steps: 10 });
  await page.mouse.up();
}
