import assert from 'node:assert/strict';
import path from 'node:path';
import { describe, it } from 'mocha';
import { messageText } from '../service/chat-request.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { callOther } from './call-other.ts';
import { openChat } from './chat.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { askNativeChat, nativeChat } from './native-chat.ts';
import { enterKey } from './session.ts';
import { fillShop } from './shop.ts';
import { openSourceControl } from './source-control.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };

/** One window; everything else runs there with `--version 1.106`. */
describe('the oldest version of VS Code that is supported', () => {
  const session = useSession({
    version: '1.106',
    otherExtensions: [path.join(import.meta.dirname, 'caller-extension')],
    fillWorkspace: fillShop,
  });

  it('F13 S11 answers from a real file in our chat, with its price', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const chat = await openChat(session());
    await enterKey(session());
    await chat.ask('Where is the shipping cost decided? Look at src/shipping.ts.');
    const answer = await chat.finishedAnswer();
    assert.match(await answer.innerText(), /freeFromCents is 5900/);
    const charged = service.charges.reduce((sum, charge) => sum + charge.microUsd, 0);
    const price = `$${(charged / 1e6).toFixed(4)}`;
    assert.ok((await answer.locator('.cost').innerText()).includes(price));
    await waitFor('the price in the status bar', async () => (await window.statusBarText()).includes(`· ${price}`));
    await window.screenshot('oldest-version-chat');
  });

  it('F24 writes a commit message into the Source Control view', async function () {
    this.timeout(240_000);
    const { service, window } = session();
    service.reset();
    service.script({ replies: [{ text: 'shop: raise the limit for free shipping' }] });
    const { generate, message } = await openSourceControl(session());
    await generate.click(generous);
    await waitFor('the message', async () => (await message()) === 'shop: raise the limit for free shipping');
    await window.screenshot('oldest-version-commit');
    const said = chatRequests(session())[0]?.messages.map(messageText).join('\n') ?? '';
    assert.match(said, /\+const freeFromCents = 5900/);
  });

  it("F27 F28 answers in VS Code's own chat with the chosen model, and as @svc with a tool call", async function () {
    this.timeout(240_000);
    const { service, window } = session();
    const said = (text: string) => nativeChat(session()).getByText(text).first().waitFor(generous);
    service.reset();
    service.script({ replies: [{ text: 'Answered by way of the provider.' }] });
    await askNativeChat(session(), '@caller What does the sample do?');
    await said('Answered by way of the provider.');
    service.reset();
    const toolCalls = [{ name: 'read_file', arguments: { path: 'src/shipping.ts' } }];
    service.script({ replies: [{ text: 'I shall look.', toolCalls }, { text: 'It is free from 59.' }] });
    await askNativeChat(session(), '@svc When is shipping free?');
    await said('It is free from 59.');
    await window.screenshot('oldest-version-native-chat');
    assert.match(toolResults(chatRequests(session())[1]).join(), /freeFromCents = 5900/);
    assert.deepEqual(Object(await callOther(session(), 'Caller: Ask Models', { prompts: ['Anything?'] })).models, 7);
  });

  it('U14 says that this version has nothing to guard, and asks nothing', async () => {
    const { window } = session();
    await window.runCommand('svc.guardCredits');
    await window.notification("there's nothing to change");
    await window.screenshot('oldest-version-guard');
  });
});
