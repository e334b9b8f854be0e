import { startDeadline } from '../../base/deadline.ts';
import { chargeOf } from '../../shared/charge.ts';
import type { Failure } from '../../shared/failure/failure.ts';
import type { Attempt, Usage } from '../../shared/messages.ts';
import { hostOf } from '../base-url.ts';
import { type Access, type ClientDeps, chatEndpoint } from '../client-deps.ts';
import type { ChatRequest, Reply, StreamEvent } from '../contract.ts';
import { classifyErrorBody, classifyPage, classifyResponse } from '../failure/classify.ts';
import { failureContext, logFault, makeFailure, networkFailure } from '../failure/client-failures.ts';
import { estimatePromptTokens, replyTokens } from '../tokens.ts';
import { emptyReply } from '../wire/empty-reply.ts';
import type { HttpHeaders, HttpResponse } from '../wire/http-response.ts';
import { imagesIn } from '../wire/images.ts';
import type { ReadResult } from '../wire/read-reply.ts';
import { type ReplyEnd, readReply } from '../wire/read-reply.ts';
import { buildRequestBody } from '../wire/request.ts';
import { readStart, send } from '../wire/send.ts';
import { settleUsage } from '../wire/usage.ts';
import { knownStreamEnd } from './learned-stream-ends.ts';

export interface AttemptInput {
  deps: ClientDeps;
  access: Access;
  request: ChatRequest;
  requestedModel: string;
  stream: boolean;
  strength: 'normal' | 'strong';
  /** Is true when reasoning alone counts as the answer, because this model has given such a reply before. */
  reasoningCounts: boolean;
  onEvent(event: StreamEvent): void;
  signal: AbortSignal;
}

export interface AttemptResult extends Omit<ReadResult, 'end' | 'firstEventAt'> {
  attempt: Attempt;
  failure?: Failure;
  streamed: boolean;
  asReasoning: boolean;
}

const wholeReplyFactor = 2;

/**
 * Sends one request and reads its answer. Emits `requestSent` first and exactly one `attemptEnded` last, whatever
 * happens. Never rejects for anything that the service or the network does.
 */
export async function runAttempt(input: AttemptInput): Promise<AttemptResult> {
  const { deps, request, onEvent } = input;
  const { clock } = deps;
  const { model } = request;
  const requestId = deps.newId();
  const startedAt = clock.epochMs();
  const started = clock.now();
  const images = await loadImages(deps, request);
  const body = buildRequestBody(request, deps.learned.get(model), {
    stream: input.stream,
    strength: input.strength,
    imageUrl: ({ hash }) => images.get(hash),
  });
  const sent = measure(deps, request, images, body);
  onEvent({ type: 'requestSent', requestId, model, at: startedAt });
  const outcome = await exchange(input, body, sent);
  const { reply, end, visible, firstEventAt, status } = outcome;
  const asReasoning = end === undefined && input.reasoningCounts && isReasoningOnly(reply);
  if (asReasoning) takeReasoning(reply, onEvent);
  const found = end === 'stopped' ? undefined : (end ?? judgeReply(input, reply, visible));
  const kind = attemptOutcome(end === 'stopped', found, visible);
  const written = { countedTokens: reply.countedCompletion, began: reply.reasoning.trim() !== '' };
  const charge = chargeOf({ outcome: kind, failure: found }, written);
  const failure = found && { ...found, charge };
  const hasUsage = reply.usage !== undefined || charge !== 'no';
  const settled = hasUsage ? settleUsage(reply, sent.tokens(), replyTokens(reply)) : undefined;
  if (reply.usage !== undefined) reply.usage = settled?.usage;
  const attempt: Attempt = {
    requestId,
    model,
    startedAt,
    durationMs: Math.max(0, Math.round(clock.now() - started)),
    firstEventMs: firstEventAt === undefined ? undefined : Math.max(0, Math.round(firstEventAt - started)),
    status,
    outcome: kind,
    failure,
    ...settled,
    charge,
    ...reasoningShare(reply, settled?.usage),
    ...(sent.images > 0 && { images: sent.images }),
  };
  deps.log(logLine(attempt));
  if (reply.lost !== undefined) deps.log(deps.redact(`${requestId} damaged: ${reply.lost.join(' | ')}`));
  onEvent({ type: 'attemptEnded', attempt });
  const { streamed, streamEnd } = outcome;
  return { attempt, reply, failure, visible, streamed, asReasoning, streamEnd };
}

export function isReasoningOnly({ text, reasoning, toolCalls, toolMarkup, finish, evidence }: Reply): boolean {
  const holdsOther = text.trim() !== '' || toolCalls.length > 0 || toolMarkup;
  return !holdsOther && reasoning.trim() !== '' && finish === 'stop' && evidence !== 'none';
}

function takeReasoning(reply: Reply, onEvent: AttemptInput['onEvent']): void {
  reply.text = reply.reasoning.trim();
  reply.reasoning = '';
  onEvent({ type: 'text', text: reply.text });
}

/** Reads the bytes for the one request that carries them; they are kept nowhere. */
async function loadImages(deps: ClientDeps, { messages, model }: ChatRequest): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  if (deps.learned.get(model).images?.works === false) return urls;
  for (const { hash } of imagesIn(messages)) {
    if (urls.has(hash)) continue;
    try {
      const url = await deps.readImage?.(hash);
      if (url !== undefined) urls.set(hash, url);
    } catch (error) {
      // The request goes on with its name, which says that it is missing.
      logFault(deps, error);
    }
  }
  return urls;
}

function measure(
  deps: ClientDeps,
  { model, messages, tools }: ChatRequest,
  urls: ReadonlyMap<string, string>,
  body: string,
): Sent & { tokens(): number } {
  const images = imagesIn(messages).filter(({ hash }) => urls.has(hash));
  const characters = images.reduce((rest, { hash }) => rest - (urls.get(hash)?.length ?? 0), body.length);
  const tokens = (): number => {
    const sent = messages.map((message) =>
      message.role === 'user' && message.images !== undefined
        ? { ...message, images: message.images.filter(({ hash }) => urls.has(hash)) }
        : message,
    );
    const offered = deps.learned.get(model).tools?.works === false ? undefined : tools;
    return (deps.promptTokens ?? estimatePromptTokens)({ model, messages: sent, tools: offered });
  };
  return { images: images.length, characters, tokens };
}

interface Sent {
  images: number;
  characters: number;
}

interface Exchange extends Omit<ReadResult, 'end'> {
  end: Failure | 'stopped' | undefined;
  status?: number;
  streamed: boolean;
}

async function exchange(input: AttemptInput, body: string, sent: Sent): Promise<Exchange> {
  const { deps, access, request, requestedModel, stream, signal } = input;
  const { model } = request;
  const nothing = { reply: emptyReply(requestedModel, model), visible: false, streamed: false };
  const { firstEventMs } = deps.timeouts();
  // Ends when no headers come in time.
  const deadline = startDeadline(deps.clock, stream ? firstEventMs : firstEventMs * wholeReplyFactor, signal);
  try {
    const response = await send(deps.transport, access.baseUrl, {
      method: 'POST',
      path: '/chat/completions',
      key: access.key,
      body,
      accept: stream ? 'text/event-stream, application/json' : 'application/json',
      signal: deadline.signal,
    });
    const restMs = deadline.met();
    const { status } = response;
    if (response.ok) return { ...(await readAnswer(input, response, restMs)), status };
    return { ...nothing, status, end: await readRefusal(input, response, sent) };
  } catch (error) {
    if (signal.aborted) return { ...nothing, end: 'stopped' };
    const end = deadline.isOver() ? timedOut(deps, model) : networkFailure(deps, model, error);
    return { ...nothing, end };
  } finally {
    deadline.close();
  }
}

async function readAnswer(input: AttemptInput, response: HttpResponse, firstEventMs: number): Promise<Exchange> {
  const { deps, request, requestedModel, onEvent, signal } = input;
  const { model } = request;
  onEvent({ type: 'responseStarted', model });
  const { idleMs } = deps.timeouts();
  const tools = new Set(request.tools?.map(({ name }) => name));
  const { clock, learned } = deps;
  const { recognises } = deps;
  const known = knownStreamEnd(learned, model);
  const reading = { requestedModel, model, tools, ...(recognises && { recognises }), knownStreamEnd: known };
  const options = { ...reading, signal, firstEventMs, idleMs, clock, onEvent };
  const { reply, end, visible, streamEnd, firstEventAt } = await readReply(response, options);
  const streamed = /event-stream/i.test(response.headers.get('content-type') ?? '');
  return {
    reply,
    visible,
    firstEventAt,
    streamed,
    streamEnd,
    end: judgeEnd(input, end, reply.arrived !== undefined, response.headers),
  };
}

async function readRefusal(
  { deps, access, request, signal }: AttemptInput,
  response: HttpResponse,
  sent: Sent,
): Promise<Failure | 'stopped'> {
  const body = await readStart(response, deps.clock);
  if (signal.aborted) return 'stopped';
  const { status, headers } = response;
  const contentType = headers.get('content-type') ?? '';
  const sizes = { sentCharacters: sent.characters, sentImages: sent.images };
  const input = { ...failureContext(deps, request.model), status, headers, contentType, body, ...sizes };
  const failure = classifyResponse(input);
  // What is wrong can only be seen in the address itself; it never holds the key.
  return failure.kind === 'wrong-address'
    ? { ...failure, facts: { ...failure.facts, address: access.baseUrl } }
    : failure;
}

function judgeEnd(
  { deps, access, request }: AttemptInput,
  end: ReplyEnd,
  arrived: boolean,
  headers: HttpHeaders,
): Failure | 'stopped' | undefined {
  const { model } = request;
  const make = (kind: Failure['kind'], detail?: string): Failure => makeFailure(deps, kind, model, detail);
  switch (end.kind) {
    case 'ended':
      return undefined;
    case 'stopped':
      return 'stopped';
    case 'error-body': {
      return classifyErrorBody({ ...failureContext(deps, model), body: end.body, headers });
    }
    case 'html': {
      return classifyPage({ ...failureContext(deps, model), title: end.title, host: hostOf(access.baseUrl) });
    }
    case 'timeout':
      return end.phase === 'first-event' ? timedOut(deps, model) : make('stalled');
    case 'reset':
      return arrived ? make('cut-off', 'the connection broke') : brokenBody(deps, model, end.cause);
    case 'repetition':
      return make('repetition');
    case 'too-big':
      return make('protocol', 'the reply is too large');
    case 'protocol':
      return make('protocol', end.message);
  }
}

/** Makes the failure of a 200 whose body broke: what no network stack throws is a body that could not be unpacked. */
function brokenBody(deps: ClientDeps, model: string, cause: unknown): Failure {
  const failure = networkFailure(deps, model, cause);
  return failure.kind === 'internal' ? makeFailure(deps, 'protocol', model, 'the body is damaged') : failure;
}

function judgeReply({ deps, request }: AttemptInput, reply: Reply, visible: boolean): Failure | undefined {
  const { model } = request;
  const make = (kind: Failure['kind'], detail?: string) => makeFailure(deps, kind, model, detail);
  if (reply.finish === 'error') {
    return visible ? make('cut-off', 'the service ended the reply with an error') : make('server-error');
  }
  const hasContent = reply.text.trim() !== '' || reply.toolCalls.length > 0 || reply.toolMarkup;
  if (!hasContent && !visible && reply.arrived === 'unread')
    return make('protocol', 'nothing of the reply could be read');
  if (reply.evidence === 'none' && (hasContent || reply.arrived))
    return make('cut-off', 'the end of the reply is missing');
  if (reply.lost !== undefined && reply.toolCalls.length === 0) return lostFailure(deps, model, reply.lost);
  if (hasContent || reply.finish === 'length') return undefined;
  return make(reply.finish === 'content-filter' ? 'content-filter' : 'empty-reply');
}

/**
 * Makes the failure of a reply that lost events. Words missing from the middle can turn a sentence into its opposite,
 * so the reply is kept as a failed one and requested again.
 */
export function lostFailure(deps: ClientDeps, model: string, lost: readonly string[]): Failure {
  const failure = makeFailure(deps, 'protocol', model, 'a part of the reply was damaged on the way');
  const serverMessage = deps.redact(lost.join('\n')).slice(0, 4096).toWellFormed();
  return { ...failure, serverMessage, facts: { lost: lost.length } };
}

function attemptOutcome(stopped: boolean, failure: Failure | undefined, visible: boolean): Attempt['outcome'] {
  if (stopped) return 'stopped';
  if (failure === undefined) return 'complete';
  if (failure.kind === 'empty-reply') return 'empty';
  return visible ? 'incomplete' : 'failed';
}

function timedOut(deps: ClientDeps, model: string): Failure {
  return makeFailure(deps, 'timeout', model);
}

function logLine(attempt: Attempt): string {
  const { requestId, model, status, outcome, durationMs, failure, usage, charge } = attempt;
  const tokens = usage === undefined ? '' : `, ${usage.estimated ? 'about ' : ''}${usage.totalTokens} tokens`;
  const why = failure === undefined ? '' : `, ${failure.kind}`;
  return `${requestId} ${chatEndpoint} ${model}: ${outcome}${why}, status ${status ?? 'none'}, ${durationMs} ms${tokens}, charged: ${charge}`;
}

function reasoningShare(
  { text, reasoning, toolCalls }: Pick<Reply, 'text' | 'reasoning' | 'toolCalls'>,
  usage: Usage | undefined,
): Pick<Attempt, 'reasoningTokens'> {
  if (reasoning === '' || usage === undefined) return {};
  const others = toolCalls.reduce((sum, call) => sum + call.arguments.length, text.length);
  return { reasoningTokens: Math.round((usage.completionTokens * reasoning.length) / (reasoning.length + others)) };
}
