import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { TurnRunnerDeps } from '../../../src/chat/run-turn.ts';
import { emptyChat } from '../../../src/shared/chat/chat-state.ts';
import type { ChangesSinceTurn } from '../../../src/shared/events.ts';
import { withTempDir } from '../../support/temp-dir.ts';
import { waitFor } from '../../vscode/wait-for.ts';
import { type ChatTestWindow, model, openChatWindow } from './chat-window.ts';

async function answerNext({ asked }: ChatTestWindow, text: string): Promise<void> {
  await waitFor('a request', () => asked.length > 0, { pollMs: 1 });
  asked.shift()?.answer(text);
}

describe('the turns of a window', () => {
  it('U1 sends exactly what was shown before as the next request', async () => {
    await withTempDir(async (dir) => {
      const later: ChangesSinceTurn = { undone: ['a.ts'], changed: [] };
      const window = await openChatWindow(dir, { edits: { laterChanges: async () => later } });
      const viewModel = await window.viewModelAt();
      for (const text of ['Hello', 'And again']) {
        const history = window.historyOf(viewModel.conversation())?.withNext(text, []) ?? [];
        const conversationId = viewModel.conversation().id;
        const shown = await window.turns.next({ conversationId, history, model, request: { surface: 'chat' } });
        const turn = viewModel.send({ text });
        await answerNext(window, 'Hi');
        await turn;
        assert.deepEqual(window.requests.at(-1), shown);
        assert.deepEqual(window.turns.last(conversationId), shown);
      }
      await window.close();
    });
  });

  it('U15 an answer beside another one gets tools that look, and no others', async () => {
    await withTempDir(async (dir) => {
      const { toolSpecs } = await import('../../../src/tools/all-tools.ts');
      const window = await openChatWindow(dir, { tools: toolSpecs as never });
      const [viewModel, other] = [await window.viewModelAt(), await window.viewModelAt()];
      window.comparisons.begin('origin', [
        { id: viewModel.conversation().id, model },
        { id: other.conversation().id, model },
      ]);
      const turn = viewModel.send({ text: 'Hello' });
      await answerNext(window, 'Hi');
      await turn;
      const offered = window.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
      assert.ok(offered.includes('read_file'));
      assert.ok(!offered.includes('run_command') && !offered.includes('edit_file'));
      await window.close();
    });
  });

  it('F35 subagents of a turn are paid from its conversation and end with it; one whose owner pays for none is offered none', async () => {
    await withTempDir(async (dir) => {
      const { toolSpecs } = await import('../../../src/tools/all-tools.ts');
      const begun: Parameters<TurnRunnerDeps['subagents']['begin']>[1][] = [];
      const metered: unknown[] = [];
      let ended = 0;
      const window = await openChatWindow(dir, {
        tools: toolSpecs as never,
        onMetered: (...asked) => metered.push(asked),
        subagents: {
          begin: (_, turn) => {
            begun.push(turn);
            return () => void ended++;
          },
        },
      });
      const viewModel = await window.viewModelAt();
      const turn = viewModel.send({ text: 'Let @subagent look' });
      await waitFor('the request', () => window.asked.length === 1, { pollMs: 1 });
      const [{ turnId, client, sentTokens, begins, model: asked, message } = assert.fail()] = begun;
      assert.equal(message, 'Let @subagent look');
      assert.ok(window.requests[0]?.tools?.some(({ name }) => name === 'ask_subagent'));
      assert.ok(sentTokens() > 500 && asked() === model && ended === 0);
      assert.ok(begins(undefined).tools.length > 0);
      client(1234);
      const conversationId = viewModel.conversation().id;
      assert.deepEqual(metered.at(-1), [{ surface: 'subagent', conversationId, turnId }, undefined, 1234, undefined]);
      await answerNext(window, 'Done');
      await turn;
      assert.equal(ended, 1);

      const run = window.turns.runFor({
        conversationId: 'native',
        client: () => window.client,
        newCallId: () => 'c1',
        window: () => ({ size: () => ({ tokens: 1 }), summarise: async () => ({ attempts: [] }) }),
        readsOnly: () => true,
      });
      const { signal } = new AbortController();
      const native = run(
        {
          ...{ turnId: 'n', history: [{ role: 'user', text: 'Let @subagent look' }], model, signal },
          ...{ request: { surface: 'native-chat' }, emit: () => undefined },
        },
        { state: () => emptyChat, checkpointTaken: () => undefined },
      );
      await answerNext(window, 'Done');
      await native;
      const offered = window.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
      assert.ok(offered.includes('read_file') && !offered.includes('ask_subagent'));
      assert.equal(begun.length, 1);
      await window.close();
    });
  });

  it('F16 tells of checkpoints while the turn runs, and not after it', async () => {
    await withTempDir(async (dir) => {
      const open: ((paths: string[]) => void)[] = [];
      let ended = 0;
      const window = await openChatWindow(dir, {
        edits: {
          begin: (_, onTaken) => {
            open.push((paths) => onTaken({ type: 'checkpointTaken', turnId: turnOf(), checkpointId: 'c', paths }));
            return () => void ended++;
          },
        },
      });
      const viewModel = await window.viewModelAt();
      const turnOf = () => viewModel.state().running?.turnId ?? '';
      const turn = viewModel.send({ text: 'Hello' });
      await waitFor('the turn', () => open.length === 1, { pollMs: 1 });
      open[0]?.(['a.ts']);
      assert.equal(ended, 0);
      await answerNext(window, 'Done');
      await turn;
      assert.equal(ended, 1);
      const answer = viewModel.state().items.findLast(({ kind }) => kind === 'answer');
      assert.deepEqual(answer?.kind === 'answer' && answer.checkpoint?.paths, ['a.ts']);
      await window.close();
    });
  });
});
