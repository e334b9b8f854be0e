import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { openChat } from './chat.ts';
import { resizeSideBar } from './resize-side-bar.ts';
import { enterKey } from './session.ts';
import { shippingAnswer } from './shop.ts';
import { useSession } from './use-session.ts';

/** In the answer and in the file that stands open beside it; of different kinds, and none that only the language server knows. */
const words = ['export', 'shippingCents', 'number', 'return', '0', '(', '{', '}'];

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

/** What a person sees, in the themes that differ most. */
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
        { text: shippingAnswer },
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
      await window.screenshot(`chat-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await resizeSideBar(window.page, 222);
    const width = await chat.frame.evaluate(() => document.documentElement.clientWidth);
    const send = await chat.button('Send').evaluate((button) => button.getBoundingClientRect().right);
    assert.ok(width <= 230 && send <= width, `Send ends at ${send} of ${width} px`);
    await window.screenshot('chat-narrow');
  });
});
