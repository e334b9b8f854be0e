import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parseJson } from '../../src/base/parse-json.ts';
import type { ClientDeps } from '../../src/service/client-deps.ts';
import type { ChatRequest, StreamResult } from '../../src/service/contract.ts';
import type { Learned } from '../../src/service/step/learned.ts';
import { readChunk } from '../../src/service/wire/chunk-schema.ts';
import { readStart, send } from '../../src/service/wire/send.ts';
import type { Attempt, HistoryMessage } from '../../src/shared/messages.ts';
import type { CreateMetered } from '../../src/spend/metered-client.ts';
import type { ImageStore } from '../../src/storage/image-store.ts';

/** What a model was seen to do, in a few words each; the interface publishes none of it. */
export interface ModelFacts {
  streaming: string;
  tools: string;
  images: string;
  usage: string;
  unknownParameter: string;
  attempts: Attempt[];
}

export interface ProbeDeps extends Pick<ClientDeps, 'baseUrl' | 'transport' | 'clock' | 'key'> {
  metered: CreateMetered;
  learned: Learned;
  images: ImageStore;
  signal: AbortSignal;
}

const answerTokens = 400;
const note = {
  name: 'note',
  description: 'Notes a word.',
  parameters: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

/** Asks three short questions, which cost well below a tenth of a cent. Never rejects. */
export async function probe(deps: ProbeDeps, model: string): Promise<ModelFacts> {
  const client = deps.metered({ surface: 'chat' });
  const ask = (messages: HistoryMessage[], more: Partial<ChatRequest> = {}): Promise<StreamResult> =>
    client.stream({ model, messages, maxTokens: answerTokens, surface: 'chat', ...more }, () => undefined, deps.signal);
  const called = await ask([{ role: 'user', text: 'Call the tool "note" with the word "ready".' }], { tools: [note] });
  const bytes = await readFile(path.join(import.meta.dirname, 'red.png'));
  const hash = await deps.images.add(`data:image/png;base64,${bytes.toString('base64')}`);
  const image = { hash, mediaType: 'image/png' as const, width: 64, height: 64, bytes: bytes.length, label: 'square' };
  const seen = await ask([{ role: 'user', text: 'Which colour has this square? One word.', images: [image] }]);
  const { streaming, tools } = deps.learned.get(model);
  const { reply } = called;
  return {
    streaming: called.outcome === 'failed' ? failureOf(called) : streaming?.works === false ? 'refused' : 'yes',
    tools:
      tools?.works === false
        ? 'refused'
        : reply.toolCalls.some(({ name }) => name === 'note')
          ? 'called'
          : reply.leaked || reply.toolMarkup
            ? 'called as text'
            : called.outcome === 'failed'
              ? failureOf(called)
              : 'not called',
    images: seen.outcome === 'failed' ? failureOf(seen) : /\bred\b/i.test(seen.reply.text) ? 'seen' : 'not seen',
    usage: reply.usage === undefined || reply.usage.estimated ? 'not reported' : usageOf(called.attempts),
    unknownParameter: await askUnknown(deps, model),
    attempts: [...called.attempts, ...seen.attempts],
  };
}

function failureOf(result: StreamResult): string {
  return result.outcome === 'failed' ? result.failure.kind : result.outcome;
}

function usageOf(attempts: readonly Attempt[]): string {
  return attempts.some(({ reasoningTokens }) => reasoningTokens !== undefined) ? 'with thinking apart' : 'reported';
}

/** Sends a field that no service can know. The product would never send one, so this does not go through its client. */
async function askUnknown({ baseUrl, transport, clock, key, signal }: ProbeDeps, model: string): Promise<string> {
  const messages = [{ role: 'user', content: 'Say hello.' }];
  const body = JSON.stringify({ model, messages, max_tokens: 16, svc_trial_unknown: true });
  const outgoing = { method: 'POST' as const, path: '/chat/completions', key: (await key()) ?? '', body, signal };
  try {
    const response = await send(transport, baseUrl(), outgoing);
    const answer = readChunk(parseJson(await readStart(response, clock)));
    return response.ok && answer !== undefined && answer.error === undefined ? 'ignored' : `HTTP ${response.status}`;
  } catch (error) {
    return error instanceof Error ? error.name : 'no answer';
  }
}
