import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { costMicroUsd, formatMicroUsd } from '../../src/shared/money.ts';
import { messageText } from '../service/chat-request.ts';
import { writeFiles } from '../unit/tools/workspace.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests, systemText } from './chat-requests.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };
const themes = { dark: 'Dark Modern', 'high-contrast': 'Dark High Contrast', light: 'Light Modern' };

const files = {
  'AGENTS.md': 'Rule one: tests first.\n',
  '.cursor/rules/scripts.mdc': '---\nglobs: *.ts\n---\nRule two: types first.\n',
  '.claude/skills/parcels/SKILL.md':
    '---\nname: parcels\ndescription: How parcels are weighed.\nallowed-tools: Bash\n---\nRule three: weigh twice.\n',
  '.claude/skills/Wrong/SKILL.md': '---\nname: other\ndescription: Not loaded.\n---\nRule four.\n',
  '.github/agents/reviewer.agent.md':
    '---\ndescription: Looks for faults\ntools: [read, search]\n---\nRule five: say what breaks.\n',
  '.roomodes':
    'customModes:\n  - slug: writer\n    name: Writer\n    roleDefinition: You write documents.\n    groups:\n      - read\n      - - edit\n        - fileRegex: \\.md$\n',
} as const;

describe('files that steer', () => {
  const session = useSession({
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFiles(folder, files);
    },
  });
  let chat: Chat;
  const ask = async (question: string) => {
    session().service.reset();
    session().service.script({ replies: [{ text: `Answer to ${question}` }] });
    await chat.ask(question);
    await chat.frame.getByText(`Answer to ${question}`).waitFor(generous);
    return chatRequests(session()).at(-1);
  };

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  it('U18 F34 the list says what each costs and why, and Slash Only takes the row of a skill out of the next request', async () => {
    const { window } = session();
    assert.match(systemText(await ask('one')), /\n- parcels: How parcels are weighed\./);
    for (const [name, theme] of Object.entries(themes)) {
      await window.setTheme(theme);
      await window.runCommand('svc.showCustomizations');
      await window.quickInput.settled('.claude/skills/parcels/SKILL.md');
      await window.screenshot(`customizations-${name}`);
      await window.quickInput.cancel();
    }
    await window.runCommand('svc.showCustomizations');
    await window.quickInput.settled('.claude/skills/parcels/SKILL.md');
    const text = (await window.quickInput.widget.textContent()) ?? '';
    assert.match(text, /\d+ tokens, ≈ \$0\.0\d+ a request/);
    await window.quickInput.type('parcels');
    await window.quickInput.settled('.claude/skills/parcels/SKILL.md');
    assert.match((await window.quickInput.widget.textContent()) ?? '', /without effect here: allowed-tools/);
    const row = window.quickInput.widget.locator('.monaco-list-row').first();
    await row.hover();
    await row.locator('.quick-input-list-entry-action-bar .action-label').first().click();
    await window.quickInput.settled('Slash Only');
    await window.screenshot('customizations-choice');
    await window.quickInput.pick('Slash Only');
    await waitFor('the list again', async () =>
      /you type \/parcels/.test((await window.quickInput.widget.textContent()) ?? ''),
    );
    await window.quickInput.cancel();
    const sent = await ask('two');
    assert.doesNotMatch(systemText(sent), /parcels/);
    assert.doesNotMatch(JSON.stringify(sent?.tools), /load_skill/);
  }).timeout(300_000);

  it('U18 the keys alone turn a file off, and the list stays at it, in high contrast too', async () => {
    const { window } = session();
    const { page, quickInput } = window;
    const file = '.cursor/rules/scripts.mdc';
    const focused = async () => (await quickInput.widget.locator('.monaco-list-row.focused').textContent()) ?? '';
    const reach = (what: string, isThere: (text: string) => boolean, key: string) =>
      waitFor(what, async () => {
        if (isThere(await focused())) return true;
        await page.keyboard.press(key);
        return false;
      });
    await window.setTheme(themes['high-contrast']);
    await window.runCommand('svc.showCustomizations');
    await quickInput.settled(file);
    await reach('the file', (text) => text.startsWith(file), 'ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.getByRole('button', { name: 'When It Is Used…' }).and(page.locator(':focus')).waitFor(generous);
    await window.screenshot('customizations-key-button');
    await page.keyboard.press('Enter');
    await quickInput.settled('Off');
    await reach('Off', (text) => text.startsWith('Off'), 'ArrowDown');
    await page.keyboard.press('Enter');
    await quickInput.settled(file);
    await waitFor('the list at the file', async () => (await focused()).includes('you turned it off'));
    assert.ok((await focused()).startsWith(file), await focused());
    await window.screenshot('customizations-key-off');
    await quickInput.cancel();
  }).timeout(300_000);

  it('F34 an agent is picked below the modes, its text and only its tools are sent, until a mode is picked', async () => {
    const { window } = session();
    await chat.frame.getByRole('button', { name: /^Mode:/ }).click();
    await window.quickInput.settled('reviewer');
    await window.screenshot('agents-as-modes');
    await window.quickInput.pick('reviewer');
    await chat.frame.getByRole('button', { name: /Mode: reviewer/ }).waitFor(generous);
    await window.screenshot('agent-picked');
    const sent = await ask('three');
    assert.match(systemText(sent), /<agent name="reviewer"[^>]*>\nRule five: say what breaks\.\n<\/agent>/);
    assert.match(JSON.stringify(sent?.tools), /read_file/);
    assert.doesNotMatch(JSON.stringify(sent?.tools), /edit_file|run_command/);
    await chat.frame.getByRole('button', { name: /^Mode:/ }).click();
    await window.quickInput.pick('Agent');
    await chat.frame.getByRole('button', { name: 'Mode: Agent', exact: true }).waitFor(generous);
    const after = await ask('four');
    assert.doesNotMatch(systemText(after), /Rule five/);
    assert.match(JSON.stringify(after?.tools), /edit_file/);
  }).timeout(300_000);

  it('F34 U1 /init writes AGENTS.md as an edit under review, with its price before, and after as it was billed', async () => {
    const { service, window, folder } = session();
    const file = path.join(folder, 'AGENTS.md');
    await rm(file);
    const content = '- Tests: `npm test`.\n';
    const call = { name: 'create_file', arguments: { path: 'AGENTS.md', content } };
    service.reset();
    service.script({ replies: [{ toolCalls: [call] }, { text: 'It is written.' }] });
    const before = service.totalTokens();
    await window.runCommand('svc.createInstructions');
    await waitFor('the command in the message', async () => (await chat.message.inputValue()).startsWith('/init'));
    const price = chat.frame.locator('.price').first();
    await waitFor('its price', async () => /≈.*\$0\.00/s.test(await price.innerText()));
    await window.screenshot('init-before');
    await chat.button('Send').click();
    // Assistants obey the file, so it is asked about in every mode of edits.
    const card = chat.frame.getByRole('group', { name: 'Approval needed: create_file', exact: true });
    await card
      .getByRole('button', { name: /^Allow Once|^Apply|^Create/ })
      .first()
      .click({ timeout: 60_000 });
    await chat.frame.getByText('It is written.').waitFor(generous);
    const cost = await (await chat.finishedAnswer()).locator('.cost').innerText();
    await window.screenshot('init-after');
    const billed = service.totalTokens() - before;
    assert.ok(cost.includes(formatMicroUsd(costMicroUsd(billed), false)), `${cost}, ${billed} tokens`);
    assert.match(messageText(chatRequests(session())[0]?.messages.at(-1) ?? assert.fail()), /At most 60 lines/);
    assert.equal(await readFile(file, 'utf8'), content);
    await chat.frame.getByRole('button', { name: 'Undo All' }).first().click(generous);
    await waitFor('the file to be gone again', () => !existsSync(file));
  }).timeout(300_000);
});
