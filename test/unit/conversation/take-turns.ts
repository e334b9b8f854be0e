import { systemClock } from '../../../src/base/clock.ts';
import { type ConversationStore, createConversationStore } from '../../../src/conversation/store/store.ts';
import type { DurableEvent } from '../../../src/shared/events.ts';
import { turnOf } from './store-samples.ts';

/** A window of its own: runs numbered turns in a conversation that another window runs turns in as well. */
const [dir = '', first = '0', count = '0'] = process.argv.slice(2);
let ids = 0;
const store: ConversationStore = createConversationStore({
  dir,
  clock: systemClock,
  newId: () => `${process.pid}-${++ids}`,
});
for (let n = Number(first); n < Number(first) + Number(count); n++) {
  const [question, ...rest] = turnOf(n);
  // Whoever finds the other window at it waits for its turn to end, as a person does.
  if (question !== undefined) await appended(question);
  for (const event of rest) await appended(event);
}
await store.dispose();

/** What was refused is kept by the store and goes out with the next try. */
async function appended(event: DurableEvent): Promise<void> {
  await store.append('c', event).catch(() => undefined);
  while (store.unsaved('c') > 0) {
    await new Promise((resolve) => setImmediate(resolve));
    await store.saveAgain().catch(() => undefined);
  }
}
