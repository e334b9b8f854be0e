import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { LaterChanges } from '../../../src/shared/events.ts';
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
      const later: LaterChanges = { undone: ['a.ts'], changed: [] };
      const window = await openChatWindow(dir, { edits: { laterChanges: async () => later } });
      const seat = await window.seatAt();
      for (const text of ['Hello', 'And again']) {
        const history = window.historyOf(seat.conversation())?.withNext(text, []) ?? [];
        const conversationId = seat.conversation().id;
        const shown = await window.turns.next({ conversationId, history, model, request: { surface: 'chat' } });
        const turn = seat.send({ text });
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
      const { toolSpecs } = await import('../../../src/tools/index.ts');
      const window = await openChatWindow(dir, { tools: toolSpecs as never });
      const [seat, other] = [await window.seatAt(), await window.seatAt()];
      window.comparisons.begin('origin', [
        { id: seat.conversation().id, model },
        { id: other.conversation().id, model },
      ]);
      const turn = seat.send({ text: 'Hello' });
      await answerNext(window, 'Hi');
      await turn;
      const offered = window.requests.at(-1)?.tools?.map(({ name }) => name) ?? [];
      assert.ok(offered.includes('read_file'));
      assert.ok(!offered.includes('run_command') && !offered.includes('edit_file'));
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
      const seat = await window.seatAt();
      const turnOf = () => seat.state().running?.turnId ?? '';
      const turn = seat.send({ text: 'Hello' });
      await waitFor('the turn', () => open.length === 1, { pollMs: 1 });
      open[0]?.(['a.ts']);
      assert.equal(ended, 0);
      await answerNext(window, 'Done');
      await turn;
      assert.equal(ended, 1);
      const answer = seat.state().items.findLast(({ kind }) => kind === 'answer');
      assert.deepEqual(answer?.kind === 'answer' && answer.checkpoint?.paths, ['a.ts']);
      await window.close();
    });
  });
});
