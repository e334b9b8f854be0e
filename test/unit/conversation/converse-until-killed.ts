import { systemClock } from '../../../src/base/clock.ts';
import { createConversationStore } from '../../../src/conversation/store/store.ts';

/** A window of its own: streams an answer of a numbered turn and tells its parent of each stored partial. */
const [dir = '', turn = '0'] = process.argv.slice(2);
let ids = 0;
const store = createConversationStore({ dir, clock: systemClock, newId: () => `${process.pid}-${++ids}` });
const turnId = `t${turn}`;
const at = Number(turn);
if (turn === '0') await store.append('c', { type: 'created', conversationId: 'c', at });
await store.append('c', { type: 'userMessage', id: `u${turn}`, at, text: `question ${turn}`, attachments: [] });
await store.append('c', { type: 'turnStarted', turnId, at, model: 'svc/glm-5.3' });
for (let n = 0; ; n++) {
  const text = 'word '.repeat(n);
  await store.append('c', { type: 'stepPartial', turnId, step: 0, model: 'svc/glm-5.3', text, reasoning: '' });
  process.send?.(n);
}
