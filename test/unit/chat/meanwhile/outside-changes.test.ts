import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { outsideChangesNote, toHistory } from '../../../../src/agent/history.ts';
import { watchOutsideChanges } from '../../../../src/chat/meanwhile/outside-changes.ts';
import type { DurableEvent, OutsideChanges } from '../../../../src/shared/events.ts';
import type { HistoryMessage } from '../../../../src/shared/messages.ts';
import { withTempDir } from '../../../support/temp-dir.ts';
import { waitFor } from '../../../vscode/wait-for.ts';
import { openChatWindow } from '../chat-window.ts';

const nothing: OutsideChanges = { added: [], removed: [], gone: [], ended: [] };
const root = (name: string) => ({ name, uri: `file:///${name}`, fsPath: `/${name}` });
const result = (text: string, name = 'run_command'): HistoryMessage => ({ role: 'tool', callId: 'c', name, text });

function open() {
  const outsideChanges = { roots: [root('a')], trusted: true, gone: [] as string[], processes: [] as string[] };
  const watch = watchOutsideChanges({
    roots: () => outsideChanges.roots,
    isTrusted: () => outsideChanges.trusted,
    exists: async ({ name }) => !outsideChanges.gone.includes(name),
    processes: () => outsideChanges.processes,
  });
  const take = (history: readonly HistoryMessage[] = []) => watch.changes('c', history, 'take');
  return { outsideChanges, watch, take };
}

describe('what became of the world between two turns', () => {
  it('F47 a folder that came, went, or is gone from the disk is told once, and nothing at the first look', async () => {
    const { outsideChanges, take, watch } = open();
    assert.equal(await take(), undefined);
    outsideChanges.roots = [root('a'), root('b')];
    assert.deepEqual(await watch.changes('c', [], 'peek'), { ...nothing, added: ['b'] });
    assert.deepEqual(await take(), { ...nothing, added: ['b'] });
    assert.equal(await take(), undefined);
    outsideChanges.gone = ['a'];
    assert.deepEqual(await take(), { ...nothing, gone: ['a'] });
    assert.equal(await take(), undefined);
    outsideChanges.roots = [root('b')];
    assert.deepEqual(await take(), { ...nothing, removed: ['a'] });
  });

  it('F47 a folder that is gone already is told with the first message', async () => {
    const { outsideChanges, take } = open();
    outsideChanges.gone = ['a'];
    assert.deepEqual(await take(), { ...nothing, gone: ['a'] });
  });

  it('F47 trust is told when it was given', async () => {
    const { outsideChanges, take } = open();
    outsideChanges.trusted = false;
    assert.equal(await take(), undefined);
    outsideChanges.trusted = true;
    assert.deepEqual(await take(), { ...nothing, trusted: true });
    assert.equal(await take(), undefined);
  });

  it('F32 a process that the model last read of as running, and that is not there, has ended', async () => {
    const { outsideChanges, take } = open();
    const started = result('p1 is running: npm run dev\n[no output yet]');
    outsideChanges.processes = ['p1'];
    assert.equal(await take([started]), undefined, 'it runs');
    outsideChanges.processes = [];
    assert.deepEqual(await take([started]), { ...nothing, ended: ['p1'] });
    const told: HistoryMessage = { role: 'user', text: `Go on.${outsideChangesNote({ ...nothing, ended: ['p1'] })}` };
    assert.equal(await take([started, told]), undefined, 'told');
    assert.deepEqual(await take([started, told, result('p1 is running: x')]), { ...nothing, ended: ['p1'] });
    assert.equal(await take([started, result('p1 was stopped: npm run dev', 'process')]), undefined);
    assert.equal(await take([result('p1 is running: a log', 'read_file')]), undefined, 'a file may say so');
  });

  it('F32 the note goes with the message, is shown, and stays in the history', async () => {
    await withTempDir(async (dir) => {
      const outsideChanges = { changes: async () => ({ ...nothing, ended: ['p1'] }) };
      const window = await openChatWindow(dir, { outsideChanges });
      const viewModel = await window.viewModelAt();
      const turn = viewModel.send({ text: 'Go on' });
      await waitFor('a request', () => window.asked.length > 0, { pollMs: 1 });
      window.asked.shift()?.answer('Yes');
      await turn;
      const note = 'Background processes that ended with their window: p1.';
      const sent = window.requests.at(-1)?.messages.at(-1);
      assert.ok(sent?.text.endsWith(`Go on\n\n[Automatic note: ${note}]`), sent?.text);
      const answer = viewModel.state().items.findLast(({ kind }) => kind === 'answer');
      assert.ok(answer?.kind === 'answer');
      assert.deepEqual(
        answer.parts.flatMap((part) => (part.type === 'notice' ? [part.notice.kind] : [])),
        ['world-changes'],
      );
      await window.close();
    });
  });

  it('F32 in the history the note stands at the end of its message', () => {
    const events: DurableEvent[] = [
      { type: 'userMessage', id: 'u', at: 1, text: 'Go on', attachments: [] },
      { type: 'turnStarted', turnId: 't', at: 1, model: 'm' },
      { type: 'notice', turnId: 't', step: 1, notice: { kind: 'later-changes', undone: ['a.ts'], changed: [] } },
      { type: 'notice', turnId: 't', step: 1, notice: { kind: 'world-changes', ...nothing, added: ['b'] } },
    ];
    const [message] = toHistory(events);
    assert.match(message?.text ?? '', /^Go on\n\n\[Automatic note: .*a\.ts.*\]\n\n\[Automatic note: .*: b\.\]$/s);
  });
});
