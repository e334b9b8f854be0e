import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { chatIn, openChat, showSteps } from './chat.ts';
import { sessionKey } from './session.ts';
import { useSession } from './use-session.ts';

const oneLine = (text: string) => text.replace(/\s+/g, ' ');

describe('the way from a first start to an answer', () => {
  const session = useSession({ withoutBaseUrl: true, service: { script: { settings: { chunkDelayMs: 2 } } } });
  /** The tab of the chat in the secondary side bar. */
  const chatTab = () =>
    session().window.page.locator('.part.auxiliarybar').getByRole('tab', { name: 'svc', exact: true });

  it('S1 S16 says what is needed, what it costs and what is not known, before anything is sent', async () => {
    const { window, service } = session();
    await window.runCommand('svc.openChat');
    await chatTab().waitFor();
    const { frame } = await chatIn(session());
    await frame
      .getByText(/Enter the service address/i)
      .first()
      .waitFor();
    const text = oneLine(await frame.locator('body').innerText());
    assert.match(text, /Enter the service address/i);
    assert.match(text, /0\.33 USD per 1M tokens/);
    assert.match(text, /doesn't say whether it logs or keeps them/);
    assert.equal(service.requests.length, 0);
  });

  it('S1 corrects the address and shows the correction', async () => {
    const { window, service } = session();
    const chat = await chatIn(session());
    await chat.frame.getByRole('button', { name: /address/i }).click();
    await window.quickInput.type(`${service.baseUrl.replace(/\/v1$/, '')}/`);
    await window.page.getByText(`Will be saved as ${service.baseUrl}`).waitFor();
    await window.page.keyboard.press('Enter');
    await chat.frame.getByText('Done').waitFor();
  });

  it('S18 a wrong key is refused without cost and without being stored', async () => {
    const { window, service } = session();
    const chat = await chatIn(session());
    await chat.frame.getByRole('button', { name: 'Enter API Key' }).click();
    const { input, widget } = window.quickInput;
    await input.fill('sk-svc-wrong-0123456789abcdef');
    await input.press('Enter');
    await widget.getByText('The API key was not accepted').waitFor();
    assert.equal(service.requests.at(-1)?.responseStatus, 401);
    assert.deepEqual(await window.notifications(), []);
    await input.press('Escape');
    await chat.frame.getByText("The service didn't accept the last key you entered").waitFor();
    await chat.frame.getByRole('button', { name: 'Enter API Key' }).click();
    await window.answerInputBox(sessionKey);
    await waitFor('the accepted check', () => service.requests.at(-1)?.responseStatus === 400);
    assert.equal(service.charges.length, 0);
    // The key is stored a moment after it was accepted.
    await chat.frame.getByText('What are you working on?').waitFor();
  });

  it('F13 S10 S11 answers from a real file, with tool card, cost line and status bar', async () => {
    const { window, service } = session();
    const chat = await chatIn(session());
    await chat.ask('Where is the shipping cost decided? Look at src/shipping.ts.');
    const answer = await chat.finishedAnswer();
    assert.equal(await answer.locator('.quiet-line').innerText(), 'Read 1 file');
    await showSteps(answer);
    await answer.getByText('Read src/shipping.ts').first().waitFor();
    assert.match(await answer.innerText(), /freeFromCents is 4900/);
    const charged = service.charges.reduce((sum, charge) => sum + charge.microUsd, 0);
    const tokens = service.totalTokens();
    const shown = `$${(charged / 1e6).toFixed(4)}`;
    const costLine = oneLine(await answer.locator('.cost').innerText());
    assert.ok(costLine.includes(shown), `${costLine} should hold ${shown}`);
    assert.ok(costLine.includes('2 requests'), costLine);
    assert.equal(
      service.charges.reduce((sum, charge) => sum + charge.promptTokens + charge.completionTokens, 0),
      tokens,
    );
    await waitFor('the spend in the status bar', async () => (await window.statusBarText()).includes(`· ${shown}`));
  });

  it('E20 F5 the conversation and the key are there after a restart, and the chat where it was', async () => {
    await session().restart();
    // Where it was, before anything is done.
    await chatTab().waitFor();
    const chat = await openChat(session());
    const answer = await chat.finishedAnswer();
    assert.match(await answer.innerText(), /freeFromCents is 4900/);
    await chat.ask('And what does src/cart.ts do?');
    const next = await chat.finishedAnswer();
    await showSteps(next);
    await next.getByText('Read src/cart.ts').first().waitFor();
  });
});
