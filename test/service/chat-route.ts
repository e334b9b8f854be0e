// POST /v1/chat/completions after the key check: body, script, refusals, reply, charge. In this order.

import { answerError, answerHtml, answerRaw, answerScripted, dropConnection, writeHead } from './answers.ts';
import type { Account } from './billing.ts';
import { pause } from './body-writer.ts';
import type { ChatRequest } from './chat-request.ts';
import { countImages, messageText, parseChatRequest } from './chat-request.ts';
import * as errors from './errors.ts';
import { type Exchange, readBody } from './exchange.ts';
import { failedCheck } from './history-checks.ts';
import { findModel } from './models.ts';
import { connectionTimedOutPage } from './pages.ts';
import type { Queue } from './queue.ts';
import type { Reply } from './reply.ts';
import { capReply, fromScript, generatedText, stopReply } from './reply.ts';
import type { RequestFacts, RuleBook } from './rules.ts';
import type { Effect, ServiceSettings } from './script-schema.ts';
import { standInReply } from './stand-in-model.ts';
import { countPromptTokens, countTokens } from './tokens.ts';
import type { TourStop } from './tour.ts';
import type { Upstream } from './upstream.ts';
import { type Delivery, writeStreamedReply, writeWholeReply } from './write-reply.ts';

export interface ChatDeps {
  account: Account;
  rules: RuleBook;
  settings: ServiceSettings;
  queue: Queue;
  upstream?: Upstream;
  tour?: readonly TourStop[];
  /** Deterministic: the same seed and the same requests give the same ids. */
  nextId(prefix: string): string;
}

const defaultChunkDelayMs = 0;

export async function handleChat(exchange: Exchange, facts: RequestFacts, deps: ChatDeps): Promise<void> {
  const readable = await readBody(exchange);
  if (exchange.signal.aborted) return;
  if (!readable)
    return answerError(exchange, errors.errorAnswer(413, 'invalid_request_error', 'The request is too large.'));

  const parsed = parseChatRequest(exchange.record.json);
  const request = 'request' in parsed ? parsed.request : undefined;
  const bodyFacts = { ...facts, ...describe(request) };
  const effect = deps.rules.takeEffect(bodyFacts);
  const modelId = request?.model ?? '';
  if (await answerInstead(exchange, effect, modelId)) return;
  if ('problem' in parsed) {
    return answerError(exchange, errors.malformedBody(deps.settings.malformedBodyStatus ?? 400, parsed.problem));
  }
  const refusal = refuse(parsed.request, effect, deps);
  if (refusal) return answerError(exchange, refusal);

  const admitted = await deps.queue.enter(exchange.signal);
  if (admitted === 'full') return answerError(exchange, errors.atCapacity(modelId));
  try {
    if (!exchange.signal.aborted) await answerReply(exchange, parsed.request, bodyFacts, effect, deps);
  } finally {
    deps.queue.leave(admitted);
  }
}

/** What matchers may look at. */
function describe(request: ChatRequest | undefined): Partial<RequestFacts> {
  if (!request) return {};
  return {
    model: request.model,
    messageTexts: request.messages.map(messageText),
    hasTools: (request.tools?.length ?? 0) > 0,
    hasImages: countImages(request) > 0,
    stream: request.stream === true,
  };
}

/** Answers that replace a reply. True when one was given. Waits for `delayHeadersMs` in any case. */
export async function answerInstead(exchange: Exchange, effect: Effect, modelId: string): Promise<boolean> {
  await pause(effect.delayHeadersMs ?? 0, exchange.signal);
  if (exchange.signal.aborted) return true;
  if (effect.dropConnection) dropConnection(exchange);
  else if (effect.page522) answerHtml(exchange, 522, connectionTimedOutPage);
  else if (effect.raw) await answerRaw(exchange, effect.raw, effect);
  else if (effect.respond) answerScripted(exchange, effect.respond);
  else if (effect.redirect) {
    writeHead(exchange, effect.redirect.status ?? 302, { location: effect.redirect.location });
    exchange.response.end();
  } else {
    const error = scriptedError(effect, modelId, exchange.record.json);
    if (!error) return false;
    answerError(exchange, error);
  }
  return true;
}

function scriptedError(effect: Effect, modelId: string, input: unknown): errors.ErrorAnswer | undefined {
  const { rateLimit, exhaustedBalance, malformedBody, capacity } = effect;
  if (rateLimit) return errors.rateLimited(rateLimit.retryAfter, rateLimit.message);
  if (exhaustedBalance) return errors.balanceExhausted(exhaustedBalance);
  if (malformedBody) {
    return errors.malformedBody(malformedBody.status, 'Input should be valid.', malformedBody.format, input);
  }
  return capacity && !capacity.inStream ? errors.atCapacity(modelId, capacity) : undefined;
}

function refuse(request: ChatRequest, effect: Effect, { account, settings }: ChatDeps): errors.ErrorAnswer | undefined {
  const model = findModel(request.model);
  if (!model) return errors.unknownModel(settings.unknownModelStatus ?? 400, request.model);
  if (request.n != null && request.n !== 1) return errors.badRequest("Only one choice is served: 'n' must be 1.");
  if (account.balanceMicroUsd() <= 0) return errors.balanceExhausted(402);
  const imagesAccepted = effect.images === undefined ? model.acceptsImages : effect.images === 'accepted';
  if (countImages(request) > 0 && !imagesAccepted) return errors.noImages(model.id);
  if (request.stream && effect.streaming === 'refused')
    return errors.badRequest(`Model ${model.id} does not support streaming.`);
  if (request.tools?.length && effect.tools === 'refused') {
    return errors.badRequest(`Model ${model.id} does not support tools (function calling).`);
  }
  const failed = failedCheck(effect.checks ?? [], request);
  if (failed) return errors.badRequest(failed);
  const tokens = countPromptTokens(request);
  if (effect.contextTokens !== undefined && tokens > effect.contextTokens) {
    return errors.badRequest(
      `This model's maximum context length is ${effect.contextTokens} tokens. However, your request has ${tokens} input tokens.`,
    );
  }
  if (effect.maxMessages !== undefined && request.messages.length > effect.maxMessages) {
    return errors.badRequest(`Too many messages: at most ${effect.maxMessages} are accepted.`);
  }
  return undefined;
}

async function answerReply(
  exchange: Exchange,
  request: ChatRequest,
  facts: RequestFacts,
  effect: Effect,
  deps: ChatDeps,
): Promise<void> {
  const promptTokens = countPromptTokens(request);
  const charge = (tokens: { promptTokens: number; completionTokens: number }): void =>
    deps.account.charge({ requestIndex: exchange.record.index, model: request.model, ...tokens });
  const scripted = deps.rules.takeReply(facts);
  if (deps.upstream && !scripted) {
    const usage = await deps.upstream.forward(exchange, request);
    if (usage) charge({ promptTokens: usage.promptTokens ?? promptTokens, completionTokens: usage.completionTokens });
    return;
  }
  const visible = effect.tools === 'ignored' ? { ...request, tools: undefined } : request;
  const written = scripted
    ? fromScript(scripted, () => deps.nextId('call'))
    : standInReply(visible, () => deps.nextId('call'), deps.tour);
  const reply = capReply(stopReply(written, request.stop), request.max_completion_tokens ?? request.max_tokens);
  const delivery = await deliver(exchange, request, reply, promptTokens, effect, deps);
  if (!delivery.failed && delivery.generated.length > 0 && generatedText(reply) !== '') {
    charge({ promptTokens, completionTokens: countTokens(delivery.generated) });
  }
}

function deliver(
  exchange: Exchange,
  request: ChatRequest,
  reply: Reply,
  promptTokens: number,
  effect: Effect,
  deps: ChatDeps,
): Promise<Delivery> {
  const streamed = request.stream === true && effect.streaming !== 'ignored';
  const inStreamCapacity = effect.capacity?.inStream
    ? { afterChunks: 0, body: { ...errors.atCapacity(request.model, effect.capacity).body } }
    : undefined;
  const job = {
    exchange,
    reply,
    identity: {
      id: deps.nextId('chatcmpl'),
      model: effect.replyModel ?? request.model,
      createdAtSeconds: Math.floor(exchange.record.at / 1000),
    },
    promptTokens,
    effect: inStreamCapacity ? { ...effect, streamError: inStreamCapacity } : effect,
    includeUsage: request.stream_options?.include_usage === true,
    chunkDelayMs: deps.settings.chunkDelayMs ?? defaultChunkDelayMs,
  };
  return streamed ? writeStreamedReply(job) : writeWholeReply(job);
}
