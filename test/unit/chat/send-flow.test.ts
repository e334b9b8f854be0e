import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createLeftDrafts } from '../../../src/chat/left-drafts.ts';
import { openSeat } from '../../../src/chat/seat.ts';
import { createSendFlow } from '../../../src/chat/send-flow.ts';
import { createDraftStore, createSideBarMemory } from '../../../src/chat/view-memory.ts';
import { maxQueued } from '../../../src/shared/messages.ts';
import { createKept, createMemento } from '../vscode/memento.ts';
import { openWindow } from './live-window.ts';

/** A flow over a real seat, and gates at each point where the user or a file is waited for. */
async function startFlow(ready: boolean) {
  const memento = createMemento();
  const kept = createKept(memento);
  const { conversations, finish } = openWindow();
  const seat = await openSeat({
    conversations,
    list: async () => [],
    memory: createSideBarMemory(memento, createDraftStore(kept, 'sideBar')),
    left: createLeftDrafts(createDraftStore(kept)),
    defaultModel: () => 'svc/kimi-k3',
  });
  const gates: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  const remembered: string[] = [];
  const flow = createSendFlow({
    seat,
    ensureReady: async () => {
      await gate();
      return ready;
    },
    prepare: async (text) => {
      await gate();
      return { text };
    },
    offerAtLimit: gate,
    remember: (text) => void remembered.push(text),
  });
  /** Opens every gate until nothing waits any more. */
  const settle = async () => {
    for (let idle = 0; idle < 5; ) {
      await new Promise((resolve) => setImmediate(resolve));
      const next = gates.shift();
      next?.();
      idle = next === undefined ? idle + 1 : 0;
    }
  };
  return { seat, flow, gates, settle, remembered, finish: () => finish(seat.conversation().id) };
}

type Flow = Awaited<ReturnType<typeof startFlow>>;

/** Everything that was typed and where it is now. */
function placesOf({ seat }: Flow, text: string): string[] {
  const sent = seat.state().items.filter((item) => item.kind === 'user' && item.text === text);
  const queued = seat
    .conversation()
    .queue()
    .items.filter((item) => item.text === text);
  const inDraft = seat.draft().split('\n\n').includes(text);
  return [...sent.map(() => 'sent'), ...queued.map(() => 'queued'), ...(inDraft ? ['draft'] : [])];
}

describe('the way of a message', () => {
  it('F1 a text is sent once, waits once or stands in the draft, whatever else goes out while it is prepared', async () => {
    const step = fc.constantFrom('send', 'queue', 'gate', 'finish');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), async (steps, ready) => {
        const one = await startFlow(ready);
        const texts: string[] = [];
        for (const what of steps) {
          const text = `text ${texts.length}`;
          if (what === 'send' || what === 'queue') texts.push(text);
          if (what === 'send') void one.flow.send(text);
          if (what === 'queue') void one.flow.queue(text, false);
          if (what === 'gate') one.gates.shift()?.();
          if (what === 'finish' && one.seat.conversation().running) one.finish();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await one.settle();
        for (const text of texts) assert.equal(placesOf(one, text).length, 1, `${text}: ${placesOf(one, text)}`);
        one.seat.conversation().stop();
      }),
      { numRuns: 100 },
    );
  });

  it('F1 what a full queue does not take is in the draft again', async () => {
    const one = await startFlow(true);
    void one.flow.send('runs');
    await one.settle();
    const texts = Array.from({ length: maxQueued + 1 }, (_, index) => `text ${index}`);
    for (const text of texts) void one.flow.queue(text, false);
    await one.settle();
    assert.deepEqual(
      texts.flatMap((text) => placesOf(one, text)),
      [...texts.slice(1).map(() => 'queued'), 'draft'],
    );
    one.seat.conversation().stop();
  });

  it('S14 without address or key the text goes back into the draft and nothing is sent', async () => {
    const one = await startFlow(false);
    const sent = one.flow.send('Explain this');
    await one.settle();
    assert.equal(await sent, undefined);
    assert.deepEqual(placesOf(one, 'Explain this'), ['draft']);
    assert.deepEqual(one.remembered, []);
  });
});
