import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { waitFor } from '../vscode/wait-for.ts';
import { numbered, openChat, showSteps } from './chat.ts';
import { enterKey, sessionKey } from './session.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const firstHalf = 'The first half of a long answer that will be cut somewhere in here, before it is complete. '.repeat(
  6,
);
const flash = 'svc/deepseek-v4.1-flash';

describe("the service's bad days", () => {
  const session = useSession();
  const chat = useChat(session);

  it('S9 S10 U7 another model answers when one is at capacity, named, at no cost for the failed tries', async () => {
    const { service } = session();
    service.script({
      rules: [{ match: { model: flash }, effect: { capacity: { named: true, status: 503 } } }],
      replies: [{ text: 'Hello from the other model.' }],
    });
    await chat().ask('Say hello.');
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /^DeepSeek V4-Pro\s+DeepSeek V4\.1 Flash at capacity/);
    await showSteps(answer);
    const text = await answer.innerText();
    assert.match(text, /DeepSeek V4\.1 Flash was at capacity \(not charged\), so DeepSeek V4-Pro answered/);
    assert.match(text, /Hello from the other model\./);
    assert.equal(service.charges.length, 1);
    assert.equal(service.charges[0]?.model, 'svc/deepseek-v4-pro');
  });

  it('U7 a cut reply is continued by the next model, named, from what was shown', async () => {
    const { service } = session();
    service.script({
      rules: [{ match: { nth: 1 }, effect: { cutAfterBytes: 6000 } }],
      replies: [{ text: firstHalf }, { text: ' And this is the rest.' }],
    });
    await chat().ask('Tell me a long story.');
    const text = await (await chat().finishedAnswer()).innerText();
    assert.match(text, /The first half of a long answer/);
    assert.match(text, /And this is the rest\./);
    assert.match(text, /V4\.1 Flash.*V4-Pro/s);
  });

  it('W24 W27 when every try is cut, what was shown stays, the card says so, and Continue goes on', async () => {
    const { service, window } = session();
    service.script({
      rules: [{ effect: { cutAfterBytes: 6000 } }],
      replies: [{ text: firstHalf, times: 20 }],
    });
    await chat().ask('Tell me a long story.');
    await chat().alert.getByText('Connection ended early').waitFor();
    assert.match(await chat().frame.getByRole('log').innerText(), /The first half of a long answer/);
    await window.screenshot('cut-stream');
    service.script({ replies: [{ text: 'And this is the rest.' }] });
    await chat()
      .frame.getByRole('button', { name: /^Continue/ })
      .click();
    await chat().frame.getByText('And this is the rest.').waitFor();
    assert.match(await chat().frame.getByRole('log').innerText(), /The first half of a long answer/);
  });

  it('S6 a key that is no longer accepted gives a card; a new key asks the question again', async () => {
    const { service, window } = session();
    service.script({
      rules: [
        {
          times: 1,
          effect: {
            respond: { status: 401, body: { error: { code: 401, message: 'unauthorized', type: 'invalid_auth' } } },
          },
        },
      ],
      replies: [{ text: 'Accepted again.' }],
    });
    await chat().ask('Is anybody there?');
    await chat().alert.getByText('The API key was not accepted').waitFor();
    await chat().alert.getByText('Not charged').waitFor();
    await waitFor('the status bar', async () => (await window.statusBarText()).includes('Key rejected'));
    const chats = service.requests.filter((request) => request.path.endsWith('/chat/completions'));
    assert.equal(chats.length, 1, 'never retried');
    await chat().button('Enter New Key').click();
    await window.answerInputBox(sessionKey);
    await chat().frame.getByText('Accepted again.').waitFor();
    await waitFor('the status bar', async () => !(await window.statusBarText()).includes('Key rejected'));
  });

  it('S8 T09 retries a 522 page in sight of the user; Stop closes the connection and keeps the text', async () => {
    const { service } = session();
    service.script({
      rules: [{ times: 1, effect: { page522: true } }, { effect: { chunkDelayMs: 40 } }],
      replies: [{ text: 'word '.repeat(400) }],
    });
    await chat().ask('Count to a thousand.');
    await chat().frame.getByText('word word word').waitFor();
    await chat().button('Stop').click();
    const request = await waitFor('the closed connection', () =>
      service.requests.find((each) => each.closedByClientAt !== undefined),
    );
    assert.ok(request);
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /word word/);
    assert.match(await answer.innerText(), /Possibly charged/);
  });

  it('S3 a wrong model id is refused before sending, with the right one as one click', async () => {
    const { service, window } = session();
    service.script({ replies: [{ text: 'Right at last.' }] });
    await session().server.writeSettings({ 'svc.model': 'glm-5-3' });
    await window.reload();
    await chat.reopen();
    await window.runCommand('svc.newChat');
    await chat().frame.getByText('What are you working on?').waitFor();
    await chat().ask('Which model is this?');
    await chat().alert.getByText('No model has the ID "glm-5-3"').waitFor();
    assert.equal(service.requests.filter((request) => request.method === 'POST').length, 0);
    await chat().button('Use Suggested Model').click();
    await chat().frame.getByText('Right at last.').waitFor();
    assert.equal(service.charges.at(-1)?.model, 'svc/glm-5.3');
  });

  it('S7 a web page where the service should be is never shown as text', async () => {
    const { service } = session();
    service.script({
      rules: [
        {
          effect: {
            respond: {
              status: 404,
              contentType: 'text/html',
              body: '<html><title>Nope</title><h1>secret page</h1></html>',
            },
          },
        },
      ],
    });
    await chat().ask('Hello?');
    await chat().alert.getByText('The service address is wrong').waitFor();
    assert.doesNotMatch(await chat().frame.locator('body').innerText(), /<h1>|secret page/);
  });
});

describe('a reload in the middle of an answer', () => {
  const session = useSession({ service: { script: { settings: { chunkDelayMs: 30 } } } });

  it('E21 keeps what had arrived and marks the turn', async () => {
    const { service, window } = session();
    let chat = await openChat(session());
    await enterKey(session());
    service.script({ replies: [{ text: numbered('going') }], settings: { chunkDelayMs: 30 } });
    await chat.ask('Talk for a while.');
    await chat.frame.getByText('going 0 going 1').first().waitFor();
    // Partial text is stored about once a second.
    await waitFor('enough text to be stored', async () => (await chat.frame.getByRole('log').innerText()).length > 700);
    await window.reload();
    chat = await openChat(session());
    await chat.frame.getByText('going 0 going 1').first().waitFor();
    await chat.frame
      .getByText(/interrupted/i)
      .first()
      .waitFor();
  });
});
