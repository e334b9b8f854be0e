import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { resizeSideBar } from './resize-side-bar.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const words = 'A file of many words that is read, and sent again with every step. ';
const oneLine = (text: string) => text.replace(/[\s\u00a0]+/g, ' ');

describe('the price of a message', () => {
  const session = useSession();
  let chat: Chat;
  const read = { name: 'read_file', arguments: { path: 'long.md' } };
  /** `show` opens what closes when the focus leaves the chat. */
  const shots = async (name: string, show?: () => Promise<void>) => {
    const { window } = session();
    for (const width of [220, 290, 480]) {
      await resizeSideBar(window.page, width);
      await show?.();
      await window.screenshot(`${name}-${width}`);
    }
  };
  const newChat = async (theme: string) => {
    const { service, window } = session();
    await window.setTheme(theme);
    await window.runCommand('svc.newChat');
    await chat.frame.getByText('What are you working on?').waitFor();
    service.reset();
  };

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
    await writeFile(path.join(session().folder, 'long.md'), words.repeat(500));
  });

  it('U24 by keys alone: a limit stops before the request that would pass it, and the message goes on up to a higher one', async () => {
    const { service, window } = session();
    await window.setTheme('Dark Modern');
    service.script({
      replies: [{ toolCalls: [read], reasoning: 'Look. '.repeat(40) }, { toolCalls: [read] }, { text: 'Read it all.' }],
    });
    await chat.message.pressSequentially('Read it');
    const field = chat.frame.getByRole('textbox', { name: 'Limit this once (USD)' });
    const open = async () => {
      await chat.frame.locator('.composer textarea').focus();
      await window.page.keyboard.press('Control+Shift+Digit4');
      await waitFor('the focus in the field', () => field.evaluate((box) => box === document.activeElement));
    };
    await shots('limit-field', open);
    await window.page.keyboard.type('0,001');
    await window.page.keyboard.press('Enter');
    await chat.frame.locator('.price .limit', { hasText: 'max $0.0010' }).waitFor();
    await waitFor('the focus in the message', () =>
      chat.frame.locator('.composer textarea').evaluate((box) => box === document.activeElement),
    );
    await shots('limit-set');
    await chat.frame.locator('.composer textarea').focus();
    await window.page.keyboard.press('Enter');
    const stopped = chat.alert.filter({ hasText: 'Stopped before the limit of $0.0010 for this message' });
    await stopped.waitFor();
    assert.equal(service.charges.length, 1, 'the second would have passed it');
    assert.equal(await chat.frame.locator('.price .limit').count(), 0, 'the next message has none');
    await shots('limit-reached');
    const goesOn = stopped.getByRole('button', { name: /^Continue up to/ });
    await goesOn.focus();
    await window.page.keyboard.press('Enter');
    await chat.frame.getByText('Read it all.').waitFor();
    await chat.finishedAnswer();
  });

  it('U22 the receipt adds up to what was paid, and one button compacts from then on', async () => {
    const { service, window } = session();
    await newChat('Light Modern');
    const history = Array.from({ length: 9000 }, (_, at) => `word${at}`).join(' ');
    const reads = [{ toolCalls: [read] }, { toolCalls: [read] }, { toolCalls: [read] }];
    service.script({ replies: [{ text: `${history} End.` }, ...reads, { text: 'Again.' }] });
    await chat.ask('Much');
    await chat.finishedAnswer();
    const paidBefore = service.totalTokens();
    await chat.ask('Once more');
    const live = chat.frame.locator('.spent');
    await live.waitFor();
    assert.match(oneLine(await live.innerText()), /^\$0\.0\d+$/);
    await window.screenshot('cost-while-running');
    const answer = await chat.finishedAnswer();
    await answer.locator('.cost-figure').click();
    const rows = answer.locator('.request-rows table').last().locator('tbody tr');
    await rows.first().waitFor();
    const tokens = await rows.locator('td:nth-child(2)').allInnerTexts();
    const shown = tokens.reduce((sum, text) => sum + Number(text.replace(/\D/g, '')), 0);
    const paid = service.totalTokens() - paidBefore;
    assert.ok(Math.abs(shown - paid) <= 0.02 * paid, `${shown} of ${paid}`);
    await shots('receipt');
    await answer.getByRole('button', { name: 'Compact from Now On' }).click();
    await answer.getByRole('button', { name: 'Stop Compacting' }).waitFor();
    await window.screenshot('receipt-compacting');
    service.script({ replies: [{ text: 'Goal: read long.md. Nothing else was asked.' }, { text: 'Short now.' }] });
    await chat.ask('And now?');
    await chat.frame.getByText('Short now.').waitFor();
    await chat.finishedAnswer();
    await window.screenshot('compacted-from-now-on');
    await chat.frame.getByRole('button', { name: 'Stop Compacting' }).click();
  });

  it('U23 where all models are busy, Wait and Run asks again, over a reload, and sends once', async () => {
    const { service, window } = session();
    await newChat('Dark High Contrast');
    service.script({ rules: [{ effect: { capacity: { named: true } } }] });
    await chat.ask('Wait for me');
    const button = chat.alert.getByRole('button', { name: 'Wait and Run' });
    await button.waitFor({ timeout: 120_000 });
    await shots('all-busy');
    await button.click();
    const waits = chat.frame.getByText(/^Asking again in \d+ s$/);
    await waits.waitFor({ timeout: 120_000 });
    await shots('waiting');
    service.script({ replies: [{ text: 'There was room.' }] });
    await window.reload();
    chat = await openChat(session());
    await chat.frame.getByText('There was room.').waitFor({ timeout: 120_000 });
    await chat.finishedAnswer();
    await window.screenshot('waited');
    assert.equal(service.charges.length, 1);
  });
});
