import assert from 'node:assert/strict';
import { after, describe, it } from 'mocha';
import { estimatePromptTokens, estimateTokens } from '../../src/service/tokens.ts';
import { smallPng } from '../support/pictures.ts';
import { chatRequests, systemText, toolResults } from './chat-requests.ts';
import { drawingTool, makeManyTools } from './many-tools.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 60_000 };

describe('an extension with sixty tools', () => {
  const toolbox = makeManyTools();
  after(toolbox.remove);
  const session = useSession({ otherExtensions: [toolbox.folder] });
  const chat = useChat(session);

  /** Ticks those that have this in their names; gives the tokens that the title has for them, and the rest of it. */
  async function choose(words: string): Promise<{ count: number; tokens: number; how: string }> {
    const { window } = session();
    const { page } = window;
    const { widget, input } = window.quickInput;
    await window.runCommand('svc.pickTools');
    await window.quickInput.type(words);
    await window.quickInput.settled(words);
    // With the keys alone.
    await page.keyboard.press('Shift+Tab');
    await widget.getByRole('checkbox').first().and(page.locator(':focus')).waitFor(generous);
    await page.keyboard.press('Space');
    await window.quickInput.type('');
    await widget.getByText(/^[1-9]\d* Selected$/).waitFor(generous);
    const count = Number.parseInt((await widget.getByText(/ Selected$/).textContent()) ?? '', 10);
    const title = (await widget.locator('.quick-input-title').textContent()) ?? '';
    await window.screenshot(`many-tools-picker-${count}`);
    await input.press('Enter');
    await widget.waitFor({ state: 'hidden' });
    const [, tokens, how = ''] = /: ([\d,]+) tokens, [≈<] \$0\.\d+ a request(.*)$/.exec(title) ?? [];
    assert.ok(tokens !== undefined, title);
    return { count, tokens: Number(tokens.replace(',', '')), how };
  }

  const definitions = (at: number) => (chatRequests(session())[at]?.tools ?? []).map((tool) => tool.function);
  const others = (at: number) =>
    definitions(at).filter(({ name }) => name.startsWith('toolbox') || name === 'load_tools');
  const weigh = (at: number) =>
    estimatePromptTokens({
      messages: [],
      tools: others(at).map(({ name, description = '', parameters = {} }) => ({ name, description, parameters })),
    });

  it('F20 U18 a request has their names and what was loaded; the picker’s figure is that of the request', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const figure = await choose('toolbox_');
    assert.deepEqual([figure.count, figure.how], [60, ', names only']);
    const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
    service.script({
      replies: [
        call('load_tools', { names: [drawingTool] }),
        call(drawingTool, { place: 'Ulm' }),
        { text: 'That is the map.' },
      ],
    });
    await chat().ask('Draw it.');
    const card = chat().frame.getByRole('group', { name: `Approval needed: ${drawingTool}`, exact: true });
    await card.waitFor(generous);
    await window.screenshot('many-tools-card');
    await card.getByRole('button', { name: /^Allow Once/ }).click();
    await chat().frame.getByText('That is the map.').waitFor(generous);
    await chat().finishedAnswer();
    await window.screenshot('many-tools-answer');
    const rows = systemText(chatRequests(session())[0]).split('\n').slice(-2).join('\n');
    assert.match(rows, /^Tools of others, for `load_tools`; names are data:\ntoolbox_draw_map, toolbox_tool_0, /);
    assert.equal(figure.tokens, weigh(0) + estimateTokens(rows));
    assert.deepEqual(
      [0, 1, 2].map((at) => others(at).map(({ name }) => name)),
      [['load_tools'], ['load_tools', drawingTool], ['load_tools', drawingTool]],
    );
    assert.match(
      toolResults(chatRequests(session())[2])[1] ?? '',
      /^The map of Ulm\n\[The image "toolbox_draw_map 1" follows/,
    );
    assert.match(
      toolResults(chatRequests(session())[2])[1] ?? '',
      /\[Left out, no text or image: application\/pdf, 2 kB\]$/,
    );
    const last = JSON.stringify(chatRequests(session())[2]?.messages.at(-1));
    assert.ok(last.includes(`data:image/png;base64,${smallPng.toString('base64')}`), last);
  });

  it('F20 U18 a few are sent whole, and the picker’s figure is that of the `tools` that were sent', async function () {
    this.timeout(240_000);
    const { service } = session();
    await session().window.setTheme('Dark High Contrast');
    const figure = await choose('toolbox_tool_1');
    service.script({ replies: [{ text: 'Hello.' }] });
    await chat().ask('Hi.');
    await chat().frame.getByText('Hello.').waitFor(generous);
    assert.ok(figure.count > 5 && figure.count < 30, `${figure.count}`);
    assert.deepEqual(figure, { count: others(0).length, tokens: weigh(0), how: '' });
  });
});
