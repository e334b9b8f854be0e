import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { resizeSideBar } from './resize-side-bar.ts';
import { enterKey } from './session.ts';
import { fillShop, shippingAnswer } from './shop.ts';
import { newChat } from './use-chat.ts';
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

/** With a skill that is long enough to be asked about. */
async function fillSkill(folder: string): Promise<void> {
  await fillShop(folder);
  const skill = path.join(folder, '.agents/skills/parcels/SKILL.md');
  await mkdir(path.dirname(skill), { recursive: true });
  const text = 'Weigh it twice, to be safe. '.repeat(1000);
  await writeFile(skill, `---\nname: parcels\ndescription: How parcels are weighed.\n---\n${text}\n`);
}

/** What a person sees, in the themes that differ most. */
describe('pictures', () => {
  const session = useSession({ fillWorkspace: fillSkill, viewport: { width: 1280, height: 800 } });

  let chat: Chat;

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  it('shows an answer beside the code it is about, in four themes and at 220 px', async function () {
    this.timeout(400_000);
    const { window, service } = session();
    await window.openFile('src/shipping.ts');
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

  it('shows what a subagent may cost where it is chosen and where a long skill is asked about, in four themes and at 220 px', async function () {
    this.timeout(400_000);
    const { window, service } = session();
    await resizeSideBar(window.page, 400);
    await newChat(session(), chat);
    service.script({
      replies: [{ toolCalls: [{ name: 'load_skill', arguments: { name: 'parcels' } }] }, { text: 'Then without it.' }],
    });
    await chat.ask('How is a parcel weighed?');
    const apart = chat.frame.getByText('Run as Subagent');
    await apart.waitFor({ timeout: 30_000 });
    /** The rows go with the focus, which a change of theme and a click outside take. */
    const openRow = async () => {
      await chat.message.fill('');
      await chat.message.pressSequentially('@sub');
      const row = chat.frame.getByRole('option').filter({ hasText: '@subagent' });
      const detail = row.getByText(/^≈ \$0\.\d+, at most \$0\.0200 · /);
      await detail.waitFor();
      return detail;
    };
    for (const theme of ['Dark Modern', 'Dark High Contrast', 'Light High Contrast', 'Light Modern']) {
      await window.setTheme(theme);
      await openRow();
      await window.screenshot(`subagent-${theme.toLowerCase().replaceAll(' ', '-')}`);
    }
    await resizeSideBar(window.page, 222);
    const detail = await openRow();
    const seen = await detail.evaluate((element) => {
      const text = element.firstChild ?? element;
      const price = document.createRange();
      price.setStart(text, 0);
      price.setEnd(text, '≈ $0.0100'.length);
      return price.getBoundingClientRect().right <= element.getBoundingClientRect().right;
    });
    assert.ok(seen, 'the usual price is seen in a narrow chat');
    await window.screenshot('subagent-narrow');
    await chat.message.fill('');
    await window.screenshot('subagent-skill-narrow');
    await chat.button('Skip').click();
    await chat.finishedAnswer();
  });
});
