import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const firstPlan = '# Free shipping\n\n1. Raise the limit in `src/shipping.ts`\n2. Run the tests\n';
const secondPlan =
  '# Free shipping\n\n1. Raise the limit in `src/shipping.ts`\n2. Run the tests\n3. Mine\n4. Tell it\n';

describe('Plan mode', () => {
  const session = useSession({ settings: { 'svc.chat.mode': 'plan' } });
  const chat = useChat(session);

  it('F44 writes a plan that its user edits, changes nothing, and starts it once, fresh, with its price told and its cap kept', async function () {
    this.timeout(240_000);
    const { service, window, folder } = session();
    const shipping = path.join(folder, 'src/shipping.ts');
    const before = await readFile(shipping, 'utf8');
    const plan = (markdown: string) => ({ name: 'write_plan', arguments: { markdown } });
    const edit = {
      name: 'edit_file',
      arguments: { path: 'src/shipping.ts', edits: [{ old: 'const freeFromCents = 4900;', new: '' }] },
    };
    service.script({
      rules: [{ effect: { checks: ['H01', 'H02', 'H04'] } }],
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }, edit] },
        { toolCalls: [plan(firstPlan)] },
        { text: 'The plan is written.' },
        { toolCalls: [plan('# Without your words')] },
        { toolCalls: [plan(secondPlan)] },
        { text: 'With your step.' },
        { text: 'I begin.' },
      ],
    });
    const { frame, button } = chat();
    await chat().ask('Free shipping from 59 euros.');
    await chat().finishedAnswer();
    const strip = frame.getByRole('region', { name: 'Plan', exact: true });
    await strip.getByText('Plan · 2 steps').waitFor();
    await window.screenshot('plan-written');
    assert.equal(await readFile(shipping, 'utf8'), before);
    const offered = Object(chatRequests(session())[0]).tools.map(
      (tool: { function: { name: string } }) => tool.function.name,
    );
    assert.ok(offered.includes('write_plan') && !offered.includes('edit_file') && !offered.includes('run_command'));
    assert.match(toolResults(chatRequests(session())[1])[1] ?? '', /^edit_file is not offered now/);

    // The user types into the document and does not save it.
    const editor = window.page.locator('.editor-instance', { hasText: 'Free shipping' }).last();
    await editor.locator('.view-line').last().click();
    await window.page.keyboard.press('Control+End');
    await window.page.keyboard.type('3. Mine');
    await chat().ask('Add a step that tells it.');
    await chat().finishedAnswer();
    const refused = toolResults(chatRequests(session())[4]).at(-1) ?? '';
    assert.match(refused, /their text wins[\s\S]*3\. Mine/);
    await waitFor('the second plan', async () => /Tell.it/.test(await editor.innerText()));
    await strip.getByText('Plan · 4 steps').waitFor();
    await window.screenshot('plan-edited');

    const start = strip.getByRole('button', {
      name: /^Start · 4 steps · usually \$0\.0\d+ · stops at \$0\.\d\d · Agent$/,
    });
    await strip.getByRole('button', { name: /^Continue Here · usually \$0\.0\d+$/ }).waitFor();
    await start.dblclick();
    await frame.getByText('I begin.').waitFor();
    await chat().finishedAnswer();
    const run = chatRequests(session()).at(-1);
    assert.equal(chatRequests(session()).length, 7);
    assert.deepEqual(
      run?.messages.map(({ role }) => role),
      ['system', 'user'],
    );
    const asked = run?.messages.at(-1);
    const text = asked ? messageText(asked) : '';
    assert.ok(text.startsWith('Free shipping from 59 euros.') && text.includes('3. Mine\n4. Tell it'));
    await frame
      .locator('.budget')
      .getByText(/^\$0\.\d+ of \$0\.\d\d$/)
      .waitFor();
    await button('Mode: Agent').waitFor();
    await window.screenshot('plan-started');
    assert.equal(await readFile(shipping, 'utf8'), before);
  });
});
