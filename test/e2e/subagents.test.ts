import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests, systemText, toolResults } from './chat-requests.ts';
import { ledgerLines } from './entered-costs.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const slow = Array.from({ length: 400 }, (_, at) => `finding ${at}`).join(' ');

describe('subagents', () => {
  const session = useSession();
  const chat = useChat(session);
  const ask = (...tasks: string[]) => tasks.map((task) => ({ name: 'ask_subagent', arguments: { task } }));
  const read = { name: 'read_file', arguments: { path: 'src/shipping.ts' } };
  const offered = (at: number) =>
    (Object(chatRequests(session())[at]).tools ?? []).map((tool: { function: { name: string } }) => tool.function.name);
  /** Everything that the service has charged is in the ledger, once. */
  const judge = () =>
    waitFor('the bill in the ledger', async () => {
      const { charges } = session().service;
      const billed = charges.reduce((sum, { microUsd }) => sum + microUsd, 0);
      const lines = (await ledgerLines(session())).slice(-chatRequests(session()).length);
      return lines.length > 0 && lines.reduce((sum, { microUsd }) => sum + microUsd, 0) === billed && lines;
    });

  it('F35 U17 P11 looks apart where its user names it, tells its price before, meanwhile and after, and costs what the service bills', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.script({
      rules: [{ effect: { checks: ['H01', 'H02', 'H04'] } }],
      replies: [
        { match: { messageIncludes: 'TASK-A' }, toolCalls: [read] },
        { match: { messageIncludes: 'TASK-A' }, text: 'Decided in src/shipping.ts:3.' },
        { match: { messageIncludes: 'TASK-B' }, text: 'Nobody but src/cart.ts:9.' },
        { text: 'Hello.' },
        { toolCalls: ask('TASK-A: where is free shipping decided?', 'TASK-B: who calls it?') },
        { text: 'In one place.' },
      ],
    });
    const { frame } = chat();
    await chat().ask('Hello?');
    await chat().finishedAnswer();
    assert.ok(!offered(0).includes('ask_subagent'));
    await chat().ask('Let @subagent find where free shipping is decided.');
    await chat().finishedAnswer();
    const lines = frame.locator('.subagent-line p');
    assert.equal(await lines.count(), 2);
    assert.match(
      await lines.first().innerText(),
      /^\$0\.0\d+ · (?:keeps ≈ \d+ tokens out of each later request · )?(?:saved|cost) ≈ \$/,
    );
    await window.screenshot('subagents-done');

    const requests = chatRequests(session());
    assert.equal(requests.length, 6);
    assert.ok(offered(1).includes('ask_subagent'));
    const subs = [2, 3, 4].filter((at) => !systemText(requests[at]).includes('ask_subagent'));
    for (const at of subs) {
      assert.ok(!offered(at).includes('ask_subagent') && !offered(at).includes('edit_file'));
      assert.doesNotMatch(JSON.stringify(requests[at]), /Hello\?/);
    }
    assert.deepEqual(toolResults(requests[5]), ['Decided in src/shipping.ts:3.', 'Nobody but src/cart.ts:9.']);
    const ledger = await judge();
    assert.deepEqual(ledger.map(({ surface }) => surface).sort(), [
      'chat',
      'chat',
      'chat',
      'subagent',
      'subagent',
      'subagent',
    ]);
  });

  it('F35 U4 Stop Subagent ends it alone and the answer goes on; a reload ends it, and what it cost stays', async function () {
    this.timeout(300_000);
    const { service, window } = session();
    const script = {
      settings: { chunkDelayMs: 60 },
      replies: [
        { match: { messageIncludes: 'TASK-A' }, toolCalls: [read] },
        { match: { messageIncludes: 'TASK-A' }, text: slow },
        { toolCalls: ask('TASK-A: where is free shipping decided?') },
        { text: 'Without it, then.' },
      ],
    };
    service.script(script);
    const { frame, button } = chat();
    await chat().ask('@subagent please');
    const line = frame.locator('.subagent-line p');
    await line.getByText(/^\$0\.0\d+ of \$0\.0200 · Read src\/shipping\.ts/).waitFor();
    await window.screenshot('subagents-running');
    await button('Stop Subagent').click();
    await frame.getByText('Without it, then.').waitFor();
    await chat().finishedAnswer();
    assert.match(
      toolResults(chatRequests(session()).at(-1))[0] ?? '',
      /^The user stopped the subagent\. It had looked at: Read src\/shipping\.ts/,
    );

    service.script(script);
    await chat().ask('@subagent once more');
    await line.getByText(/ of \$0\.0200 · Read src\/shipping\.ts/).waitFor();
    const price = /\$0\.\d+/.exec(await line.last().innerText())?.[0];
    await window.reload();
    const { frame: reloaded } = await chat.reopen();
    const last = reloaded.locator('.subagent-line p').last();
    await last.waitFor();
    assert.ok(price !== undefined && (await last.innerText()).includes(price), 'what it had paid is still told');
    assert.equal(await reloaded.getByRole('button', { name: 'Stop Subagent' }).count(), 0);
    await window.screenshot('subagents-reloaded');
  });
});
