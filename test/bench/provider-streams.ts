import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { readReply } from '../../src/service/wire/read-reply.ts';
import { bodyOf, type Recording, readRecordings } from '../support/provider-streams.ts';
import { installPeers, peersFolder } from './bundle.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';

/** What a client made of a recorded reply. */
interface Reading {
  text: string;
  reasoning: string;
  calls: { name: string; arguments: string }[];
  /** Undefined for a reply that it did not take for complete. */
  ending?: 'stop' | 'length';
  failed: boolean;
  tokens?: number;
}

const aspects: Readonly<Record<string, (reading: Reading, meant: Recording['meant']) => boolean>> = {
  text: ({ text }, meant) => text.trim() === meant.text.trim(),
  thinking: ({ reasoning }, meant) => reasoning.trim() === meant.reasoning.trim(),
  calls: ({ calls }, meant) => JSON.stringify(calls) === JSON.stringify(meant.calls),
  'the end': ({ ending, failed }, { finish, error }) =>
    error === undefined ? !failed && ending === (finish === 'length' ? 'length' : 'stop') : failed,
  tokens: ({ tokens }, meant) => tokens === meant.usage?.total,
};

/** P22: replies of real providers, as others recorded them, read by us and by the AI SDK. */
export const providerStreams: Part = {
  ids: ['P22'],
  measure: async ({ progress }) => {
    await installPeers();
    const readers = { ours, 'ai-sdk': await loadAiSdk() };
    const recordings = readRecordings();
    progress(`P22: ${recordings.length} recorded replies`);
    const missed = new Map<string, Record<keyof typeof readers, number>>();
    const whole = { ours: 0, 'ai-sdk': 0 };
    for (const recording of recordings) {
      for (const name of ['ours', 'ai-sdk'] as const) {
        const reading = await readers[name](bodyOf(recording));
        const wrong = Object.entries(aspects).filter(([, isRight]) => !isRight(reading, recording.meant));
        for (const [aspect] of wrong) {
          const counts = missed.get(aspect) ?? { ours: 0, 'ai-sdk': 0 };
          counts[name] += 1;
          missed.set(aspect, counts);
        }
        if (wrong.length === 0) continue;
        whole[name] += 1;
        progress(`P22: ${name} misreads ${recording.file}: ${wrong.map(([aspect]) => aspect).join(', ')}`);
      }
    }
    return [
      figure(`recorded replies misread, of ${recordings.length}`, whole),
      ...Object.keys(aspects).map((aspect) =>
        figure(`of these: ${aspect}`, missed.get(aspect) ?? { ours: 0, 'ai-sdk': 0 }),
      ),
    ];
  },
};

function figure(what: string, round: Record<string, number>): Figure {
  const comparisons = [
    { by: 'alone' as const, goal: 0 },
    { by: 'beside' as const, anchor: 'ai-sdk' },
  ];
  return { id: 'P22', what, unit: 'replies', rounds: [round], ours: 'ours', comparisons };
}

async function ours(body: string): Promise<Reading> {
  const { reply, end } = await readReply(response(body), {
    requestedModel: 'svc/glm-5.3',
    model: 'svc/glm-5.3',
    signal: new AbortController().signal,
    firstEventMs: 60_000,
    idleMs: 60_000,
    clock: systemClock,
    onEvent: () => undefined,
  });
  const { text, reasoning, toolCalls, finish, usage, evidence } = reply;
  return {
    text,
    reasoning,
    calls: toolCalls,
    ...(evidence !== 'none' && { ending: finish === 'length' ? 'length' : 'stop' }),
    failed: end.kind !== 'ended',
    ...(usage !== undefined && { tokens: usage.totalTokens }),
  };
}

function response(body: string): Response {
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

type StreamPart =
  | { type: 'text-delta' | 'reasoning-delta'; delta: string }
  | { type: 'tool-call'; toolName: string; input: string }
  | { type: 'error' }
  | {
      type: 'finish';
      finishReason: { unified: string };
      usage: { inputTokens: { total?: number }; outputTokens: { total?: number } };
    };

/** What is used of it; its own types are installed on demand only. */
interface AiSdk {
  createOpenAICompatible(settings: {
    name: string;
    baseURL: string;
    includeUsage: boolean;
    fetch(): Promise<Response>;
  }): (model: string) => {
    doStream(call: { prompt: object[] }): Promise<{ stream: AsyncIterable<StreamPart> }>;
  };
}

async function loadAiSdk(): Promise<(body: string) => Promise<Reading>> {
  const entry = createRequire(path.join(peersFolder, 'package.json')).resolve('@ai-sdk/openai-compatible');
  const { createOpenAICompatible } = (await import(pathToFileURL(entry).href)) as AiSdk;
  const prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }];
  return async (body) => {
    const provider = createOpenAICompatible({
      name: 'svc',
      baseURL: 'http://localhost/v1',
      includeUsage: true,
      fetch: async () => response(body),
    });
    const reading: Reading = { text: '', reasoning: '', calls: [], failed: false };
    const { stream } = await provider('svc/glm-5.3').doStream({ prompt });
    for await (const part of stream) {
      if (part.type === 'text-delta') reading.text += part.delta;
      else if (part.type === 'reasoning-delta') reading.reasoning += part.delta;
      else if (part.type === 'tool-call') reading.calls.push({ name: part.toolName, arguments: part.input });
      else if (part.type === 'error') reading.failed = true;
      else if (part.type === 'finish') {
        const { inputTokens, outputTokens } = part.usage;
        reading.ending = part.finishReason.unified === 'length' ? 'length' : 'stop';
        if (inputTokens.total !== undefined) reading.tokens = inputTokens.total + (outputTokens.total ?? 0);
      }
    }
    return reading;
  };
}
