import { startDeadline } from '../base/deadline.ts';
import { isoTime } from '../base/iso-time.ts';
import { parseJson } from '../base/parse-json.ts';
import type { Failure } from '../shared/failure/failure.ts';
import type { HistoryMessage } from '../shared/messages.ts';
import { hostOf } from './base-url.ts';
import { checkKey } from './check/key-check.ts';
import { type Access, type ClientDeps, chatEndpoint, listEndpoint } from './client-deps.ts';
import type { KeyCheck, ModelList, ServiceClient, StreamEvent, StreamResult } from './contract.ts';
import { classifyPage, classifyResponse } from './failure/classify.ts';
import { failureContext, makeFailure, networkFailure } from './failure/client-failures.ts';
import { describeFailure } from './failure/describe-failure.ts';
import { nearestModelId, parseModelList } from './models.ts';
import { createCircuitBreaker } from './step/circuit-breaker.ts';
import { runStep } from './step/step.ts';
import type { StepDeps } from './step/step-state.ts';
import { emptyReply } from './wire/empty-reply.ts';
import type { HttpResponse } from './wire/http-response.ts';
import { maskRequest } from './wire/mask-request.ts';
import { readStart, send } from './wire/send.ts';

export type { ClientDeps } from './client-deps.ts';

const listTimeoutMs = 20_000;
const diagnosisTimeoutMs = 5_000;
const keyCheckTimeoutMs = 30_000;
const maxListBytes = 1024 * 1024;
const maskedNote =
  'An API key stood in what was about to be sent. It was cut to its first characters, so the service did not get it.';

export function createClient(deps: ClientDeps): ServiceClient {
  const breaker = createCircuitBreaker(deps.clock.now);
  const isListReachable = async (signal: AbortSignal): Promise<boolean> => {
    const list = await limited(deps, signal, diagnosisTimeoutMs, (inner) => listModels(deps, inner));
    return list.ok;
  };
  const stepDeps: StepDeps = { ...deps, breaker, isListReachable };

  /** The history is sent again with every request, so each masked message is reported once only. */
  const notified = new Set<string>();
  const reportMasked = (masked: readonly HistoryMessage[], onEvent: (event: StreamEvent) => void): void => {
    const fresh = masked.filter(({ text }) => !notified.has(text));
    if (fresh.length === 0) return;
    for (const { text } of fresh) notified.add(text);
    onEvent({ type: 'notice', notice: { kind: 'note', text: maskedNote } });
  };

  const run = async (wantsStream: boolean, ...asked: Parameters<ServiceClient['stream']>): Promise<StreamResult> => {
    const [request, onEvent, signal, admit] = asked;
    const access = await findAccess(deps);
    const refused = 'failure' in access ? access.failure : await refuseUnknownId(deps, request.model, signal);
    const reply = emptyReply(request.model);
    if (signal.aborted) return { outcome: 'stopped', reply, attempts: [] };
    if ('failure' in access || refused !== undefined) {
      const failure = 'failure' in access ? access.failure : refused;
      return { outcome: 'failed', reply, failure: failure ?? makeFailure(deps, 'internal'), attempts: [] };
    }
    const listen = (event: StreamEvent): void => {
      if (event.type === 'attemptEnded') deps.onAttempt?.(event.attempt);
      onEvent(event);
    };
    const safe = deps.maskKeys === undefined ? { request, masked: [] } : maskRequest(request, deps.maskKeys);
    reportMasked(safe.masked, listen);
    return runStep({
      deps: { ...stepDeps, admit, ...(request.ownModel && { fallback: () => ({ enabled: false, order: [] }) }) },
      access,
      request: safe.request,
      wantsStream,
      onEvent: listen,
      signal,
    });
  };

  return {
    stream: (...asked) => run(true, ...asked),
    complete: (...asked) => run(false, ...asked),
    listModels: (signal, address) => {
      const asked = address === undefined ? deps : { ...deps, baseUrl: () => address };
      return limited(deps, signal, listTimeoutMs, (inner) => listModels(asked, inner));
    },
    checkKey: (key, signal) => limited(deps, signal, keyCheckTimeoutMs, (inner) => askAboutKey(deps, key, inner)),
  };
}

async function findAccess(deps: ClientDeps): Promise<Access | { failure: Failure }> {
  const baseUrl = deps.baseUrl();
  if (baseUrl === '') return { failure: makeFailure(deps, 'no-address') };
  try {
    const key = await deps.key();
    if (key !== undefined && key !== '') return { baseUrl, key };
    return { failure: makeFailure(deps, 'no-key') };
  } catch (error) {
    // A keyring that does not open is, for the user, a key that is not there.
    const detail = error instanceof Error ? error.message : undefined;
    return { failure: makeFailure(deps, 'no-key', undefined, detail) };
  }
}

/**
 * Refuses an id that is not on the list before it is sent. The list may be old, so it is read again first, which is
 * free. When that is not possible, an id that resembles no other is allowed.
 */
async function refuseUnknownId(deps: ClientDeps, model: string, signal: AbortSignal): Promise<Failure | undefined> {
  const known = deps.modelIds();
  if (known.length === 0 || known.includes(model)) return undefined;
  const address = deps.baseUrl();
  const list = await limited(deps, signal, diagnosisTimeoutMs, (inner) => listModels(deps, inner));
  if (list.ok && deps.baseUrl() === address) deps.onModels?.(list.models);
  const ids = list.ok ? list.models.map((entry) => entry.id) : known;
  if (ids.includes(model)) return undefined;
  const nearest = nearestModelId(model, ids);
  if (!list.ok && nearest === undefined) return undefined;
  const failure = makeFailure(deps, 'unknown-model-id', model);
  return nearest === undefined ? failure : { ...failure, facts: { nearestModel: nearest } };
}

async function listModels(deps: ClientDeps, signal: AbortSignal): Promise<ModelList> {
  const baseUrl = deps.baseUrl();
  const fail = (kind: Failure['kind'], detail?: string): ModelList => ({
    ok: false,
    failure: {
      kind,
      message: describeFailure(kind, { endpoint: listEndpoint, detail }),
      endpoint: listEndpoint,
      at: isoTime(deps.clock.epochMs()),
    },
  });
  if (baseUrl === '') return fail('no-address');
  let response: HttpResponse;
  let body: string;
  try {
    // Needs no key, so it gets none.
    response = await send(deps.transport, baseUrl, { method: 'GET', path: '/models', signal });
    body = await readStart(response, deps.clock, maxListBytes);
  } catch (error) {
    if (isTimeout(signal)) return fail('timeout');
    return { ok: false, failure: networkFailure(deps, undefined, error, listEndpoint) };
  }
  const { status, headers } = response;
  const context = failureContext(deps, undefined, listEndpoint);
  const contentType = headers.get('content-type') ?? '';
  if (!response.ok) {
    return { ok: false, failure: classifyResponse({ ...context, status, headers, contentType, body }) };
  }
  const models = parseModelList(parseJson(body));
  if (models !== undefined) return { ok: true, models };
  if (!/^\s*</.test(body)) return fail('protocol', 'no model list');
  return { ok: false, failure: classifyPage({ ...context, host: hostOf(baseUrl) }) };
}

async function askAboutKey(deps: ClientDeps, key: string, signal: AbortSignal): Promise<KeyCheck> {
  const baseUrl = deps.baseUrl();
  if (baseUrl === '') return { state: 'unknown', failure: makeFailure(deps, 'no-address') };
  const { transport, clock } = deps;
  const context = failureContext(deps, undefined, chatEndpoint);
  // The key that is being tried need not be one that the redactor knows already.
  const redact = (text: string): string => deps.redact(key === '' ? text : text.replaceAll(key, 'sk-svc-…'));
  const check = { transport, baseUrl, clock, context: { ...context, redact }, networkFacts: deps.networkFacts?.() };
  const result = await checkKey(check, key, signal);
  return result.state === 'unknown' && isTimeout(signal)
    ? { state: 'unknown', failure: makeFailure(deps, 'timeout') }
    : result;
}

async function limited<T>(
  deps: ClientDeps,
  signal: AbortSignal,
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = startDeadline(deps.clock, timeoutMs, signal);
  try {
    return await run(deadline.signal);
  } finally {
    deadline.close();
  }
}

function isTimeout(signal: AbortSignal): boolean {
  return signal.reason instanceof DOMException && signal.reason.name === 'TimeoutError';
}
