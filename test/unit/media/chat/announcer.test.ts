import assert from 'node:assert/strict';
import { createAnnouncer } from '../../../../media/chat/transcript/announcer.ts';
import { type ChatState, emptyChat } from '../../../../src/shared/chat/chat-state.ts';
import { reduceChat } from '../../../../src/shared/chat/reduce-chat.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import { approvals, request, subjects } from '../../../panel/agent-fixtures.ts';
import { ask, cost, end, failure, say } from '../../../panel/fixtures.ts';

/** Plays events at given seconds and collects what is said. */
function play(steps: readonly (readonly [atSeconds: number, ...ChatEvent[]])[]): string[] {
  const announce = createAnnouncer((id) => (id === 'svc/kimi-k3' ? 'Kimi K3' : id));
  let chat: ChatState = emptyChat;
  const said: string[] = [];
  announce(chat, 0);
  for (const [seconds, ...events] of steps) {
    const now = seconds * 1000;
    chat = events.reduce((state, event) => reduceChat(state, event, now), chat);
    const text = announce(chat, now);
    if (text !== undefined) said.push(text);
  }
  return said;
}

describe('what screen readers hear', () => {
  it('tells the beginning, a sign of life after half a minute and the end, not the text', () => {
    const said = play([
      [0, ...ask('Hi')],
      [1, say('Hello')],
      [2, say(' there')],
      [31.5, say('.')],
      [32, say('\n\n```js\n1\n```\n')],
      [33, end()],
    ]);
    assert.deepEqual(said, ['Message sent', 'Answer started', 'Still answering', 'Answer finished, 1 code block']);
  });

  it('S25 tells of waiting at ten seconds and then every thirty', () => {
    const ticks = Array.from({ length: 75 }, (_, second): readonly [number] => [second + 1]);
    const sent: ChatEvent = { type: 'requestSent', turnId: 'turn-1', step: 0, model: 'svc/kimi-k3', at: 0 };
    assert.deepEqual(play([[0, ...ask('Hi')], ...ticks]), ['Message sent'], 'nothing has been sent');
    const said = play([[0, ...ask('Hi'), sent], ...ticks]);
    assert.deepEqual(said, [
      'Message sent',
      'Waiting for Kimi K3, 10 seconds',
      'Waiting for Kimi K3, 40 seconds',
      'Waiting for Kimi K3, 70 seconds',
    ]);
  });

  it('says once that it retries, and that a turn was stopped', () => {
    const said = play([
      [0, ...ask('Hi')],
      [
        1,
        {
          type: 'asked',
          turnId: 'turn-1',
          step: 0,
          id: 'wait',
          kind: 'wait',
          about: { failure: failure('origin-down'), delayMs: 4000, attempt: 2, of: 5 },
        },
      ],
      [2],
      [3, { type: 'stopping', turnId: 'turn-1' }],
      [4, end('turn-1', { outcome: 'stopped' })],
    ]);
    assert.deepEqual(said, ['Message sent', 'Retrying in 4 seconds', 'Stopping', 'Stopped']);
  });

  it('is silent while a person is waited for, which an alert has said', () => {
    const ticks = Array.from({ length: 60 }, (_, second): readonly [number] => [second + 1]);
    assert.deepEqual(play([[0, ...approvals(request(subjects.command))], ...ticks]), ['Answer started']);
  });

  it('a failure is announced by its alert alone', () => {
    const said = play([
      [0, ...ask('Hi')],
      [1, end('turn-1', { outcome: 'failed', failure: failure('key-rejected'), cost: cost({ charge: 'no' }) })],
    ]);
    assert.deepEqual(said, ['Message sent']);
  });

  it('is silent about a conversation that was there before', () => {
    const announce = createAnnouncer((id) => id);
    const chat = [...ask('Hi'), say('Hello'), end()].reduce((state, event) => reduceChat(state, event, 0), emptyChat);
    assert.equal(announce(chat, 0), undefined);
    assert.equal(announce(chat, 60_000), undefined);
  });
});
