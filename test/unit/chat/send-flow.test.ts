import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createDraftStore, sideBarView } from '../../../src/chat/draft-store.ts';
import { createIncomingAttachments } from '../../../src/chat/incoming-attachments.ts';
import { createSendFlow } from '../../../src/chat/send-flow.ts';
import { openChatViewModel } from '../../../src/chat/view-model.ts';
import { maxQueued } from '../../../src/shared/messages.ts';
import { createMemento, createValues } from '../vscode/memento.ts';
import { openWindow, storedConversation } from './live-window.ts';

/** A flow over a real seat, and gates at each point where the user or a file is waited for. */
async function startFlow(ready: boolean) {
  const memento = createMemento();
  const values = createValues(memento);
  const window = openWindow();
  const other = await storedConversation(window.disk, 'Another one');
  const { conversations, finish } = openWindow(window.disk, window.queues);
  const viewModel = await openChatViewModel({
    conversations,
    list: async () => [],
    drafts: createDraftStore(values),
    place: sideBarView(memento),
    defaultModel: () => 'svc/kimi-k3',
    newId: randomUUID,
  });
  const gates: (() => void)[] = [];
  const gate = () => new Promise<void>((resolve) => gates.push(resolve));
  const remembered: string[] = [];
  const incoming = createIncomingAttachments({
    viewModel,
    newId: () => 'id',
    after: () => () => {},
    reasonOf: String,
    note: () => {},
    refused: () => {},
  });
  const flow = createSendFlow({
    viewModel,
    ...incoming,
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
  const finishAll = () => {
    for (const { id, running } of conversations.all()) if (running) finish(id);
  };
  return { viewModel, flow, gates, settle, remembered, values, other, conversations, disk: window.disk, finishAll };
}

type Flow = Awaited<ReturnType<typeof startFlow>>;

/** Where a text that was typed is now: `sent in <conversation>`, or in which draft or queue. */
function placesOf({ viewModel, values, conversations, disk }: Flow, text: string): string[] {
  const holds = (draft: string) => draft.split('\n\n').includes(text);
  const isLeft = (key: string) =>
    /^draft\.(?:closed|new)\./.test(key) && holds(values.get<{ text: string }>(key)?.text ?? '');
  const ids = new Set([...disk.keys(), ...conversations.all().map(({ id }) => id)]);
  const sent = [...ids].filter((id) => {
    const live = conversations
      .get(id)
      ?.state()
      .items.some((item) => item.kind === 'user' && item.text === text);
    return live ?? disk.get(id)?.some((event) => event.type === 'userMessage' && event.text === text);
  });
  const queued = conversations.all().filter((one) => one.queue().items.some((item) => item.text === text));
  return [
    ...sent.map((id) => `sent in ${id}`),
    ...queued.map(() => 'queued'),
    ...(holds(viewModel.draft.text()) ? ['draft'] : []),
    ...values
      .keys()
      .filter(isLeft)
      .map(() => 'left draft'),
  ];
}

describe('the way of a message', () => {
  it('F1 F5 a text is sent once, in the conversation it was written in, waits once or stands in a draft, whatever is sent, opened or begun while it is prepared', async () => {
    const step = fc.constantFrom('send', 'queue', 'gate', 'gate', 'finish', 'open', 'new');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), fc.boolean(), async (steps, ready) => {
        const one = await startFlow(ready);
        const first = one.viewModel.conversation().id;
        const writtenIn = new Map<string, string>();
        for (const what of steps) {
          const text = `text ${writtenIn.size}`;
          if (what === 'send' || what === 'queue') writtenIn.set(text, one.viewModel.conversation().id);
          if (what === 'send') void one.flow.send(text);
          if (what === 'queue') void one.flow.queue(text);
          if (what === 'gate') one.gates.shift()?.();
          if (what === 'finish') one.finishAll();
          if (what === 'open')
            await one.viewModel.open(one.viewModel.conversation().id === one.other ? first : one.other);
          if (what === 'new') one.viewModel.newChat();
          await new Promise((resolve) => setImmediate(resolve));
        }
        await one.settle();
        for (const [text, id] of writtenIn) {
          const places = placesOf(one, text);
          assert.equal(places.length, 1, `${text}: ${places}`);
          if (places[0]?.startsWith('sent')) assert.equal(places[0], `sent in ${id}`);
        }
        for (const each of one.conversations.all()) each.stop();
      }),
      // What a new chat takes along must not be overwritten by the next empty one that is left.
      { numRuns: 300, examples: [[['send', 'open', 'new', 'gate', 'open', 'send'], false]] },
    );
  });

  it('F1 what a full queue does not take is in the draft again', async () => {
    const one = await startFlow(true);
    void one.flow.send('runs');
    await one.settle();
    const texts = Array.from({ length: maxQueued + 1 }, (_, index) => `text ${index}`);
    for (const text of texts) void one.flow.queue(text);
    await one.settle();
    assert.deepEqual(
      texts.flatMap((text) => placesOf(one, text)),
      [...texts.slice(1).map(() => 'queued'), 'draft'],
    );
    one.viewModel.conversation().stop();
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
