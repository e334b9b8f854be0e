import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { type ChatTestWindow, openChatWindow } from './chat-window.ts';

const until = (what: string, condition: () => boolean) => waitFor(what, condition, { pollMs: 1 });

/** The next request that waits; answering it takes it away. */
async function answerNext({ asked }: ChatTestWindow, text: string): Promise<void> {
  await until('a request', () => asked.length > 0);
  asked.shift()?.answer(text);
}

const answers = (state: { items: readonly { kind: string }[] }) => state.items.filter(({ kind }) => kind === 'answer');

describe('a window of the chat', () => {
  it('F11 F5 two views of one conversation see the same answer and keep a draft each', async () => {
    await withTempDir(async (dir) => {
      const window = await openChatWindow(dir);
      const first = await window.viewModelAt();
      const turn = first.send({ text: 'Hello' });
      await answerNext(window, 'Hi');
      await turn;
      const second = await window.viewModelAt(first.conversation().id);
      assert.equal(second.conversation(), first.conversation());
      void first.draft.setText('of the first');
      void second.draft.setText('of the second');
      const seen: string[] = [];
      second.onDidEmit((events) => seen.push(...events.map(({ type }) => type)));
      const again = first.send({ text: 'Again' });
      await answerNext(window, 'Yes');
      await again;
      assert.ok(seen.includes('turnEnded'));
      assert.deepEqual([first.draft.text(), second.draft.text()], ['of the first', 'of the second']);
      second.close();
      assert.equal(window.conversations.all().length, 1);
      assert.deepEqual(window.errors, []);
      await window.close();
    });
  });

  it('E06 a text that is being prepared when the window dies is a draft in the next one, once', async () => {
    await withTempDir(async (dir) => {
      const dying = await openChatWindow(dir);
      const viewModel = await dying.viewModelAt();
      const turn = viewModel.send({ text: 'Hello' });
      await answerNext(dying, 'Hi');
      await turn;
      const { id } = viewModel.conversation();
      void viewModel.draft.setText('and below it');
      viewModel.draft.hold('was to be sent');
      await dying.values.flush();
      const next = await openChatWindow(dir);
      const restored = await next.viewModelAt(id);
      assert.equal(restored.draft.text(), 'was to be sent\n\nand below it');
      assert.equal(answers(restored.state()).length, 1);
      await Promise.all([dying.close(), next.close()]);
    });
  });

  it('F11 an answer goes on when its only view shows another conversation, and is stored whole', async () => {
    await withTempDir(async (dir) => {
      const window = await openChatWindow(dir);
      const viewModel = await window.viewModelAt();
      const turn = viewModel.send({ text: 'A long one' });
      const { id } = viewModel.conversation();
      await until('the request', () => window.asked.length === 1);
      viewModel.newChat();
      assert.notEqual(viewModel.conversation().id, id);
      await answerNext(window, 'To its end');
      await turn;
      assert.equal(window.conversations.get(id), undefined);
      await viewModel.open(id);
      const [answer] = answers(viewModel.state());
      assert.ok(answer && JSON.stringify(answer).includes('To its end'));
      await window.close();
    });
  });

  it('F11 a conversation that is closed while it runs is stopped, and its view begins a new one with the draft', async () => {
    await withTempDir(async (dir) => {
      const window = await openChatWindow(dir);
      const viewModel = await window.viewModelAt();
      const turn = viewModel.send({ text: 'Hello' });
      const { id } = viewModel.conversation();
      await until('the request', () => window.asked.length === 1);
      void viewModel.draft.setText('half a thought');
      await window.conversations.close(id);
      assert.equal((await turn).outcome, 'stopped');
      assert.notEqual(viewModel.conversation().id, id);
      assert.equal(viewModel.draft.text(), 'half a thought');
      await window.close();
    });
  });

  it('E07 what another window wrote is shown, and the draft stays', async () => {
    await withTempDir(async (dir) => {
      const [one, other] = [await openChatWindow(dir), await openChatWindow(dir)];
      const viewModel = await one.viewModelAt();
      const turn = viewModel.send({ text: 'Hello' });
      await answerNext(one, 'Hi');
      await turn;
      const { id } = viewModel.conversation();
      void viewModel.draft.setText('half a thought');
      const there = await other.viewModelAt(id);
      const elsewhere = there.send({ text: 'From the other window' });
      await answerNext(other, 'Yes');
      await elsewhere;
      await one.conversations.reload(id);
      assert.equal(answers(viewModel.state()).length, 2);
      assert.equal(viewModel.draft.text(), 'half a thought');
      await Promise.all([one.close(), other.close()]);
    });
  });

  it('F16 finds the conversation of a turn wherever it is live, else the one at hand', async () => {
    await withTempDir(async (dir) => {
      const { window, viewModelAt, ...rest } = await openChatWindow(dir);
      const [sideBar, tab] = [await viewModelAt(), await viewModelAt()];
      const turn = tab.send({ text: 'Hello' });
      await until('the request', () => rest.asked.length === 1);
      rest.asked.shift()?.answer('Hi');
      const { turnId } = await turn;
      assert.equal(window.stateOf(turnId), tab.state());
      assert.equal(window.stateOf('nowhere'), sideBar.state());
      assert.equal(window.conversationAtHand(), sideBar.conversation().id);
      window.focus.activate(tab);
      assert.equal(window.conversationAtHand(), tab.conversation().id);
      assert.equal(await window.titleOf(tab.conversation().id), 'Hello');
      assert.equal(await window.titleOf('nowhere'), undefined);
      await rest.close();
    });
  });
});
