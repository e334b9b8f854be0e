import type { Failure } from '../../shared/failure/failure.ts';
import { type FailureKind, kinds } from '../../shared/failure/kinds.ts';
import { nearestModelId } from '../models.ts';
import type { HttpHeaders } from '../wire/http-response.ts';
import { parseLimitReset, parseRetryAfter, waitInWords } from './asked-wait.ts';
import { capacityWords, withoutDenials } from './capacity-words.ts';
import { type ErrorBody, readErrorBody, readErrorValue } from './classify-body.ts';
import {
  badKey,
  balance,
  contentFilter,
  context,
  hasCode,
  history,
  illness,
  images,
  parameter,
  plainBalance,
  rateLimit,
  refusedParameter,
  refusing,
  speaksOf,
  tools,
  tooMany,
  unknownModel,
  type Words,
} from './classify-text.ts';
import { contextNumbers, exceedsLength, isOfReplyAlone } from './context-numbers.ts';
import { describeFailure } from './describe-failure.ts';
import { findNamedModel } from './named-model.ts';
import { proseOf } from './prose.ts';

export interface FailureContext {
  model?: string;
  /** Holds every id that the service is known to have, because a capacity error may name any of them. */
  modelIds: readonly string[];
  endpoint: string;
  at: string;
  redact(text: string): string;
}

export interface ResponseInput extends FailureContext {
  status: number;
  contentType: string;
  body: string;
  headers: HttpHeaders;
  sentCharacters?: number;
  sentImages?: number;
}

export interface ErrorBodyInput extends FailureContext {
  body: unknown;
  headers?: HttpHeaders;
}

type Verdict = { kind: FailureKind; namedModel?: string; facts?: Record<string, string | number> };

/** Classifies a response with another status than 200, or a 200 that is no answer: by the status, then the body. */
export function classifyResponse(input: ResponseInput): Failure {
  const body = readErrorBody(input.body, input.contentType);
  const verdict = judgeStatus(input, body) ?? judgeWords(input, body, input.status);
  return toFailure(input, body, verdict, input.status);
}

/** Classifies an error object inside a 200. A status that the body names stands for the one that is missing. */
export function classifyErrorBody(input: ErrorBodyInput): Failure {
  const body = readErrorValue(input.body);
  const rejected = body.status === 401 || body.codes.includes('invalid_auth');
  const verdict: Verdict = rejected ? { kind: 'key-rejected' } : judgeWords(input, body, body.status);
  // Something answered, so the address is right whatever an inner 404 says.
  if (verdict.kind === 'wrong-address') verdict.kind = 'bad-request';
  // JSON that says nothing at all is no error of the service; asking again would bring the same.
  if (body.texts.length === 0 && body.codes.length === 0) verdict.kind = 'protocol';
  return toFailure(input, body, verdict, 200);
}

export function classifyPage(input: FailureContext & { title?: string; host?: string }): Failure {
  const facts: Record<string, string> = {};
  if (input.title !== undefined && input.title !== '') facts.title = input.redact(input.title.slice(0, 200));
  if (input.host !== undefined) facts.host = input.host;
  const body: ErrorBody = { format: 'html', texts: [], codes: [], parameters: [], models: [] };
  return toFailure(input, body, { kind: 'not-the-service', facts }, 200);
}

const longRequest = 50_000;

/** The body cannot change these verdicts: they are about the key, the balance, the method and the address. */
function judgeStatus({ status, headers }: ResponseInput, body: ErrorBody): Verdict | undefined {
  if (status === 401) return { kind: 'key-rejected' };
  if (status === 402) return { kind: 'balance' };
  if (status === 405) return { kind: 'wrong-method' };
  if (status === 511) return { kind: 'not-the-service' };
  if (status >= 300 && status < 400) return { kind: 'redirected', facts: redirectFacts(headers) };
  if (status < 300) return { kind: body.format === 'html' ? 'not-the-service' : 'protocol' };
  if (status === 400 && /disallowed cors origin/i.test(body.texts.join('\n'))) return { kind: 'browser-refused' };
  return undefined;
}

interface Evidence {
  input: FailureContext;
  body: ErrorBody;
  words: Words;
  status: number | undefined;
  limited: boolean;
}

function judgeWords(input: FailureContext, body: ErrorBody, status: number | undefined): Verdict {
  const text = withoutDenials(body.texts.join('\n'));
  const words: Words = { text, prose: proseOf(text), codes: body.codes };
  const limited = speaksOf(rateLimit, words);
  const said = words.text !== '' || words.codes.length > 0;
  return (
    (said ? judgeRefusal({ input, body, words, status, limited }) : undefined) ??
    judgeRest(input, body, status, limited || speaksOf(tooMany, words))
  );
}

function judgeRefusal(evidence: Evidence): Verdict | undefined {
  const { words, status, limited } = evidence;
  const clientError = status === undefined || status < 500;
  if (clientError && words.codes.some((code) => code === 'invalid_auth' || code === 'invalid_api_key'))
    return { kind: 'key-rejected' };
  const noBalance = clientError ? !limited && speaksOf(balance, words) : plainBalance.test(words.prose);
  if (status === 402 || noBalance) return { kind: 'balance' };
  if ((status === undefined || status === 400 || status === 403) && speaksOf(badKey, words))
    return { kind: 'key-rejected' };
  return judgeRequest(evidence) ?? judgeCapacity(evidence) ?? judgeModel(evidence);
}

function judgeRequest({ input, body, words, status, limited }: Evidence): Verdict | undefined {
  if (limited || status === 429) return undefined;
  if ((status ?? 0) >= 500 && !refusing.test(words.text) && !hasCode(context, words)) return undefined;
  if (speaksOf(history, words)) return { kind: 'history-refused', facts: reasoningFacts(words.text) };
  if (speaksOf(images, words) || refusesParts(input, words.text, body.part)) return { kind: 'images-refused' };
  if (speaksOf(tools, words)) return { kind: 'tools-refused' };
  if (!isOfReplyAlone(words.text) && (speaksOf(context, words) || exceedsLength(words.prose))) {
    return { kind: 'context-length', facts: withoutUndefined({ ...contextNumbers(words.text) }) };
  }
  return undefined;
}

/** A message with images has parts: that its content must be text is said about them. */
function refusesParts(input: FailureContext, text: string, part = ''): boolean {
  if (/\bimage_url\b/.test(part)) return true;
  const hasImages = 'sentImages' in input && Number(input.sentImages) > 0;
  return hasImages && /\bcontent\b/i.test(`${text} ${part}`) && /\b(?:string|str|text)\b/i.test(text);
}

/**
 * Capacity may be refused with any status. Wide words count beside the name of a model, and with a status that stands
 * for a refusal only where they say that it will pass.
 */
function judgeCapacity({ input, body, words, status, limited }: Evidence): Verdict | undefined {
  const inText = findNamedModel(words.text, input.modelIds, input.model);
  const namedModel = inText.id ?? findNamedModel(body.models.join('\n'), input.modelIds, input.model).id;
  const { plain, wide, passing } = capacityWords(proseOf(inText.rest), words.codes);
  const isBusyStatus = status === undefined || status === 429 || status === 498 || status >= 500;
  const believable = status === 503 || (wide && (isBusyStatus ? true : passing));
  const says = plain || (namedModel !== undefined && !limited && believable && !speaksOf(illness, words));
  if (!says) return undefined;
  return namedModel === undefined ? { kind: 'capacity-service' } : { kind: 'capacity-model', namedModel };
}

function judgeModel({ input, body, words, status }: Evidence): Verdict | undefined {
  const clientError = status === undefined || status < 500;
  const oneOf = (...statuses: number[]): boolean => status === undefined || statuses.includes(status);
  const isGone =
    speaksOf(unknownModel, words) ||
    (status === 404 && words.codes.some((code) => /^not_found/.test(code)) && /model/i.test(words.text));
  if (oneOf(400, 403, 404, 410, 422) && isGone) return { kind: 'unknown-model', facts: nearestFacts(input) };
  if (clientError && speaksOf(contentFilter, words)) return { kind: 'content-filter' };
  const ofReply = isOfReplyAlone(words.text);
  const name = ofReply ? 'max_tokens' : refusedParameter(words.text, body.parameters);
  const isNamed = ofReply || (name !== undefined && body.parameters.includes(name));
  if (oneOf(400, 422) && (isNamed || speaksOf(parameter, words))) {
    if (name === 'tools' || name === 'tool_choice') return { kind: 'tools-refused' };
    const { maxTokensLimit } = contextNumbers(words.text);
    return { kind: 'parameter-refused', facts: withoutUndefined({ parameter: name, maxTokensLimit }) };
  }
  return undefined;
}

const byStatus: Readonly<Record<number, FailureKind>> = {
  403: 'forbidden',
  404: 'wrong-address',
  407: 'proxy-sign-in',
  408: 'timeout',
  413: 'too-large',
  414: 'too-large',
  424: 'server-error',
  429: 'rate-limited',
  431: 'too-large',
  498: 'capacity-service',
  529: 'capacity-service',
  530: 'origin-down',
};

function judgeRest(input: FailureContext, body: ErrorBody, status: number | undefined, limited: boolean): Verdict {
  // Something answered in the form of the service: the address is right.
  if (status === 404 && body.format === 'json' && saysError(body, input.endpoint)) return { kind: 'bad-request' };
  // Some services refuse a prompt that is too long without a word; a proxy that refuses a large body has words.
  const sent = 'sentCharacters' in input && typeof input.sentCharacters === 'number' ? input.sentCharacters : 0;
  const isLong = status === 413 || (status === 400 && sent >= longRequest);
  if (isLong && body.format === 'empty') return { kind: 'context-length' };
  const isUsedUp = status === 403 && /\b(?:reached|exceeded|hit)\b[^.\n]{0,40}\blimits?\b/i.test(body.texts.join('\n'));
  if ((limited || isUsedUp) && status !== 407 && status !== 408) return { kind: 'rate-limited' };
  if (status === undefined) return { kind: body.codes.some(isRefusal) ? 'bad-request' : 'server-error' };
  if (status >= 520 && status <= 527) return { kind: 'origin-down' };
  return { kind: byStatus[status] ?? (status >= 500 ? 'server-error' : 'bad-request') };
}

/** A code of an error in a stream, which has no status: `invalid_request_error`, `BadRequestError`. */
function isRefusal(code: string): boolean {
  return /^(?:invalid|bad|malformed|unsupported|unprocessable)_?(?!response|gateway)[a-z]/i.test(code);
}

/**
 * The service reports errors as `{"error": …}`, while `{"detail": "Not Found"}` is how a framework reports a path
 * that does not exist, and so is every text that repeats the path.
 */
function saysError({ texts, codes }: ErrorBody, endpoint: string): boolean {
  const [, path = ' '] = endpoint.split(' /');
  if (texts.some((text) => text.includes(path))) return false;
  return codes.length > 0 || texts.some((text) => !/^(?:404 )?(?:page )?not found\.?$/i.test(text.trim()));
}

function reasoningFacts(text: string): Record<string, string> | undefined {
  if (!/reasoning_content/i.test(text)) return undefined;
  const refused =
    /(?:extra|unrecogni[sz]ed|unknown|unexpected|unsupported|not (?:permitted|allowed|supported|recogni[sz]ed)|must not|should not|cannot (?:be|have|contain))/i;
  return { reasoning: refused.test(text) ? 'refused' : 'required' };
}

function nearestFacts(input: FailureContext): Record<string, string> | undefined {
  const nearest = input.model === undefined ? undefined : nearestModelId(input.model, input.modelIds);
  return nearest === undefined || nearest === input.model ? undefined : { nearestModel: nearest };
}

function redirectFacts(headers: HttpHeaders): Record<string, string> | undefined {
  const url = URL.parse(headers.get('location') ?? '');
  return url === null ? undefined : { host: url.host };
}

function toFailure(
  input: FailureContext & { headers?: HttpHeaders },
  body: ErrorBody,
  verdict: Verdict,
  status: number,
): Failure {
  const { kind, namedModel } = verdict;
  const facts = withoutUndefined({
    ...verdict.facts,
    title: verdict.facts?.title ?? (body.title === undefined ? undefined : input.redact(body.title)),
    part: body.part?.startsWith('tools') || body.part?.startsWith('body.tools') ? body.part : undefined,
  });
  const said = input.redact(body.texts.join('\n')).slice(0, 4096).toWellFormed();
  return {
    kind,
    message: describeFailure(kind, { endpoint: input.endpoint, status, model: namedModel ?? input.model }),
    serverMessage: said === '' ? undefined : said,
    status,
    model: input.model,
    namedModel,
    endpoint: input.endpoint,
    at: input.at,
    retryAfterMs: askedWait(input, body, kind),
    facts,
  };
}

/** Prefers the header, then a field or the words of the body, then the time when the limit begins anew. */
function askedWait(
  { headers, at }: FailureContext & { headers?: HttpHeaders },
  { texts, waitMs }: ErrorBody,
  kind: FailureKind,
): number | undefined {
  const now = Date.parse(at);
  const asked = headers === undefined ? undefined : parseRetryAfter(headers, now);
  // Only where waiting helps: of anything else such words are advice.
  if (asked !== undefined || kinds[kind].again === 'no') return asked;
  const said = waitMs ?? waitInWords(texts.join('\n'));
  return said ?? (headers !== undefined && kind === 'rate-limited' ? parseLimitReset(headers, now) : undefined);
}

function withoutUndefined(
  facts: Record<string, string | number | undefined>,
): Record<string, string | number> | undefined {
  const entries = Object.entries(facts).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
