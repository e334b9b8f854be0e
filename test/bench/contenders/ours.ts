import { systemClock } from '../../../src/base/clock.ts';
import { createClient } from '../../../src/service/client.ts';
import type { StreamEvent } from '../../../src/service/contract.ts';
import { createRedactor } from '../../../src/service/redact.ts';
import { createLearned } from '../../../src/service/step/learned.ts';
import { createTransport } from '../../../src/service/wire/transport.ts';
import { benchModel } from '../stream-bodies.ts';
import { type Contender, createFileTool, fakeKey, question } from './contender.ts';

/** The product's own client as the assistant builds it, with its validation, folding, timers and guards. */
export function createContender(): Contender {
  let baseUrl = '';
  const transport = createTransport({
    loadDirect: async () => (await import('../../../src/service/wire/direct-fetch.ts')).createDirectFetch(),
    hasProxySetting: () => false,
    env: process.env,
    log: () => {},
  });
  const client = createClient({
    baseUrl: () => baseUrl,
    key: async () => fakeKey,
    transport,
    learned: createLearned(undefined, () => {}),
    modelIds: () => [benchModel],
    fallback: () => ({ enabled: false, order: [] }),
    clock: systemClock,
    random: Math.random,
    newId: () => 'bench',
    redact: createRedactor(() => [fakeKey]),
    log: () => {},
    timeouts: () => ({ firstEventMs: 60_000, idleMs: 60_000 }),
  });
  const request = {
    model: benchModel,
    messages: [{ role: 'user' as const, text: question }],
    tools: [{ ...createFileTool, parameters: { ...createFileTool.parameters } }],
    surface: 'chat' as const,
  };
  return {
    prepare: transport.warm,
    read: async (address, onDelta) => {
      baseUrl = address;
      let textLength = 0;
      let argumentsLength = 0;
      const onEvent = (event: StreamEvent) => {
        if (event.type === 'text') {
          textLength += event.text.length;
          onDelta();
        } else if (event.type === 'toolForming') {
          argumentsLength += event.argumentsDelta.length;
          onDelta();
        }
      };
      const result = await client.stream(request, onEvent, new AbortController().signal);
      if (result.outcome === 'failed') throw new Error(`${result.failure.kind}: ${result.failure.message}`);
      return { textLength, argumentsLength };
    },
  };
}
