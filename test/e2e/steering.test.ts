import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { chatRequests } from './chat-requests.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

describe('a word to the running answer', () => {
  const session = useSession();
  const chat = useChat(session);

  it('F43 goes in at the next step and stands where the model heard it; what Stop leaves waits in the paused queue', async function () {
    this.timeout(180_000);
    const { service, window } = session();
    const call = { name: 'run_command', arguments: { command: 'echo hello' } };
    service.script({
      rules: [{ effect: { checks: ['H01', 'H02', 'H04'] } }],
      replies: [
        { text: 'I run it.', toolCalls: [call] },
        { text: 'Only the cart, then.', toolCalls: [call] },
      ],
    });
    const { frame, message, button } = chat();
    const card = frame.getByRole('group', { name: 'Approval needed: run_command', exact: true });
    await chat().ask('Run all tests.');
    await card.waitFor();
    await message.fill('Only those of the cart.');
    await message.press('Alt+Enter');
    await frame.getByText('At the next step, after your answer').waitFor();
    await message.fill('And be brief.');
    await message.press('Enter');
    await frame.getByRole('button', { name: /^Add to This Answer.*: message 2$/ }).click();
    await frame.getByText('At the next step, after your answer').nth(1).waitFor();
    await window.screenshot('steering-waits');
    await card.getByRole('button', { name: 'Skip' }).click();
    await frame.locator('.answer .steered').getByText('And be brief.').waitFor();
    await card.waitFor();
    await window.screenshot('steering-delivered');
    const sent = chatRequests(session()).at(-1)?.messages ?? [];
    assert.deepEqual(
      sent.slice(-3).map(({ role }) => role),
      ['assistant', 'tool', 'user'],
    );
    const [last] = sent.slice(-1);
    assert.equal(last && messageText(last), 'Only those of the cart.\n\nAnd be brief.');
    await message.fill('One more thing.');
    await message.press('Alt+Enter');
    await frame.getByRole('button', { name: /^At the next step, after your answer.*: message 1$/ }).waitFor();
    await button('Stop').click();
    await frame.getByText('Queue paused').waitFor();
    await frame.locator('.queue').getByText('One more thing.').waitFor();
    assert.equal(chatRequests(session()).length, 2);
  });
});
