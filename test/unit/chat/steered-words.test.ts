import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createDeleteFrom, createRerun } from '../../../src/chat/rerun.ts';
import type { ChatViewModel } from '../../../src/chat/view-model.ts';
import { exportMarkdown } from '../../../src/conversation/export.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { writeFiles } from '../tools/workspace.ts';
import { type ChatTestWindow, openChatWindow } from './chat-window.ts';

describe('words to a turn, once it is over', () => {
  let temp: TempDir;
  let window: ChatTestWindow;
  let viewModel: ChatViewModel;
  beforeEach(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, { 'a.ts': 'x' });
    window = await openChatWindow(temp.path);
    viewModel = await window.viewModelAt();
    const turn = viewModel.send({ text: 'Tidy up.' });
    await answered(0, 'Half of it.', () => {
      viewModel.draft.attach({ id: 'a', label: 'a.ts', text: 'x' });
      void viewModel.enqueue({ text: 'Only src/.' }, true);
    });
    await answered(1, 'All of it.');
    await turn;
  });
  afterEach(async () => {
    await window.close();
    await temp.remove();
  });
  const answered = async (request: number, text: string, before: () => void = () => undefined) => {
    await waitFor(`request ${request}`, async () => window.asked.length > request);
    before();
    window.asked[request]?.answer(text);
  };
  const never = { askAboutFiles: async () => undefined, restore: async () => undefined };
  const asked = () => viewModel.state().items.find(({ kind }) => kind === 'user');
  const messageId = () => {
    const item = asked();
    return item?.kind === 'user' ? item.id : '';
  };

  it('F43 F3 deleted with the turn, they wait in an empty composer with what was attached to them', async () => {
    assert.equal(viewModel.draft.text(), '');
    await createDeleteFrom({ viewModel, ...never })(messageId());
    assert.equal(viewModel.draft.text(), 'Only src/.');
    assert.deepEqual(
      viewModel.draft.attachments().map(({ label }) => label),
      ['a.ts'],
    );
  });

  it('F43 F3 asked again, the message goes without them and they come back; whoever writes something keeps it', async () => {
    const rerun = createRerun({
      ...{ viewModel, ...never },
      whenHere: (_text, send) => send(),
      ensureReady: async () => true,
      prepare: async (text) => ({ text }),
      pickModel: async () => undefined,
    });
    const turn = rerun({ type: 'rerun', messageId: messageId(), pickModel: false });
    await answered(2, 'Again.');
    await turn;
    assert.doesNotMatch(JSON.stringify(window.requests[2]?.messages.slice(1)), /Only src/);
    assert.equal(viewModel.draft.text(), 'Only src/.');
    void viewModel.draft.setText('Something else.');
    await createDeleteFrom({ viewModel, ...never })(messageId());
    assert.equal(viewModel.draft.text(), 'Something else.');
  });

  it('F43 F6 are exported, found and sent on with the conversation', async () => {
    assert.match(
      exportMarkdown(viewModel.state()),
      /Half of it\.\n\n### You\n\nOnly src\/\.\n\n- Attached: `a\.ts`\n\nAll of it\./,
    );
    const hits = [];
    const { signal } = new AbortController();
    await viewModel.conversation().stored();
    const { store } = window.window;
    for await (const hit of store.search('only src', await store.list(), signal)) hits.push(hit);
    assert.equal(hits.length, 1);
    const turn = viewModel.send({ text: 'Thanks.' });
    await answered(2, 'Welcome.');
    await turn;
    const sent = window.requests[2]?.messages.map(({ role }) => role);
    assert.deepEqual(sent, ['system', 'user', 'assistant', 'user', 'assistant', 'user']);
  });
});
