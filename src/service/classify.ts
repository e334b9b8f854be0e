import type { Failure, FailureKind } from '../shared/failure.ts';
import { type ErrorBody, readErrorBody, readErrorValue } from './classify-body.ts';
import {
  balance,
  busyModel,
  contentFilter,
  context,
  contextNumbers,
  history,
  illness,
  images,
  overload,
  parameter,
  rateLimit,
  refusedParameter,
  speaksOf,
  tools,
  unknownModel,
  type Words,
} from './classify-text.ts';
import { describeFailure } from './describe-failure.ts';
import type { HttpHeaders } from './http-response.ts';
import { displayName, nearestModelId } from './models.ts';
import { parseRetryAfter } from './retry-after.ts';

/** What is known about the request that failed. */
export interface FailureContext {
  /** Model id that was asked; undefined for requests that name none. */
  model?: string;
  /** Every id that the service is known to offer: a capacity error may name any of them. */
  modelIds: readonly string[];
  /** `POST /chat/completions` */
  endpoint: string;
  /** ISO 8601 with zone offset. */
  at: string;
  redact(text: string): string;
}

export interface ResponseInput extends FailureContext {
  status: number;
  contentType: string;
  /** At most 64 KB. */
  body: string;
  headers: HttpHeaders;
  /** Length of the body that was sent, for refusals without a word. */
  sentCharacters?: number;
}

export interface ErrorBodyInput extends FailureContext {
  /** Parsed error object of a stream event or of a whole body that came with status 200. */
  body: unknown;
  headers?: HttpHeaders;
}

type Verdict = { kind: FailureKind; namedModel?: string; facts?: Record<string, string | number> };

/** A response whose status is not 200, or a 200 that is no answer. Status first, then the body (S7, B2). */
export function classifyResponse(input: ResponseInput): Failure {
  const body = readErrorBody(input.body, input.contentType);
  const verdict = judgeStatus(input, body) ?? judgeWords(input, body, input.status);
  return toFailure(input, body, verdict, input.status, input.headers);
}

/** An error object inside a 200: the status that the body names, if any, stands for the one that is missing (rule 6). */
export function classifyErrorBody(input: ErrorBodyInput): Failure {
  const body = readErrorValue(input.body);
  const rejected = body.status === 401 || body.codes.includes('invalid_auth');
  const verdict: Verdict = rejected ? { kind: 'key-rejected' } : judgeWords(input, body, body.status);
  // Something answered, so the address is right whatever an inner 404 says.
  if (verdict.kind === 'wrong-address') verdict.kind = 'bad-request';
  // JSON that says nothing at all is no error of the service; asking again would bring the same.
  if (body.texts.length === 0 && body.codes.length === 0) verdict.kind = 'protocol';
  return toFailure(input, body, verdict, 200, input.headers);
}

/** A 200 whose body is a page: a captive portal or a sign-in page stands in the way (W29). */
export function classifyPage(input: FailureContext & { title?: string; host?: string }): Failure {
  const facts: Record<string, string> = {};
  if (input.title !== undefined && input.title !== '') facts.title = input.redact(input.title.slice(0, 200));
  if (input.host !== undefined) facts.host = input.host;
  const body: ErrorBody = { format: 'html', texts: [], codes: [], parameters: [] };
  return toFailure(input, body, { kind: 'not-the-service', facts }, 200);
}

/** Characters from which a wordless 400 is most likely about length. */
const longRequest = 50_000;

/** What the status alone decides. */
function judgeStatus(input: ResponseInput, body: ErrorBody): Verdict | undefined {
  const { status } = input;
  if (status === 401) return { kind: 'key-rejected' };
  if ((status >= 520 && status <= 527) || status === 530) return { kind: 'origin-down' };
  if (status === 402) return { kind: 'balance' };
  if (status === 405) return { kind: 'wrong-method' };
  if (status === 407) return { kind: 'proxy-sign-in' };
  if (status === 408) return { kind: 'timeout' };
  if (status === 511) return { kind: 'not-the-service' };
  if (status === 404 && body.format !== 'json') return { kind: 'wrong-address' };
  if (status >= 300 && status < 400) return { kind: 'redirected', facts: redirectFacts(input.headers) };
  if (status < 300) return { kind: body.format === 'html' ? 'not-the-service' : 'protocol' };
  if (status === 400 && /disallowed cors origin/i.test(body.texts.join('\n'))) return { kind: 'browser-refused' };
  // Some services refuse a prompt that is too long without a word; a proxy that refuses a large body has words.
  const isLong = status === 413 || (status === 400 && (input.sentCharacters ?? 0) >= longRequest);
  if (isLong && body.format === 'empty') return { kind: 'context-length' };
  return undefined;
}

/** Vetoes in the order of B2, then capacity, then what is left by status. `status` is undefined inside a stream. */
function judgeWords(input: FailureContext, body: ErrorBody, status: number | undefined): Verdict {
  const words: Words = { text: body.texts.join('\n'), codes: body.codes };
  if (words.text === '' && words.codes.length === 0) return judgeRest(status, body, false);
  const limited = speaksOf(rateLimit, words);
  return (
    judgeRefusal(input, body, words, status, limited) ??
    judgeCapacity(input, words, status, limited) ??
    judgeRest(status, body, limited)
  );
}

function judgeRefusal(
  input: FailureContext,
  body: ErrorBody,
  words: Words,
  status: number | undefined,
  limited: boolean,
): Verdict | undefined {
  const oneOf = (...statuses: number[]): boolean => status === undefined || statuses.includes(status);
  const clientError = status === undefined || status < 500;
  if (status === 402 || (clientError && !limited && speaksOf(balance, words))) return { kind: 'balance' };
  if (oneOf(400, 422) && speaksOf(history, words))
    return { kind: 'history-refused', facts: reasoningFacts(words.text) };
  if (clientError && speaksOf(images, words)) return { kind: 'images-refused' };
  if (clientError && speaksOf(tools, words)) return { kind: 'tools-refused' };
  if (oneOf(400, 403, 413, 422) && !limited && speaksOf(context, words)) {
    return { kind: 'context-length', facts: withoutUndefined({ ...contextNumbers(words.text) }) };
  }
  if (oneOf(400, 404, 410) && isUnknownModel(words, status) && !saysCapacity(words, status)) {
    return { kind: 'unknown-model', facts: nearestFacts(input) };
  }
  if (clientError && speaksOf(contentFilter, words)) return { kind: 'content-filter' };
  const name = refusedParameter(words.text, body.parameters);
  if (oneOf(400, 422) && (speaksOf(parameter, words) || (name !== undefined && body.parameters.includes(name)))) {
    if (name === 'tools' || name === 'tool_choice') return { kind: 'tools-refused' };
    return { kind: 'parameter-refused', facts: withoutUndefined({ parameter: name }) };
  }
  return undefined;
}

function isUnknownModel(words: Words, status: number | undefined): boolean {
  return (
    speaksOf(unknownModel, words) || (status === 404 && words.codes.includes('not_found') && /model/i.test(words.text))
  );
}

/** Inside a stream there is no status to tell "not available" (gone) from "not available" (busy). */
function saysCapacity(words: Words, status: number | undefined): boolean {
  return status === undefined && (speaksOf(overload, words) || speaksOf(busyModel, words));
}

const capacityStatuses = [429, 498, 500, 502, 503, 504, 529];

function judgeCapacity(
  input: FailureContext,
  words: Words,
  status: number | undefined,
  limited: boolean,
): Verdict | undefined {
  if (status !== undefined && !capacityStatuses.includes(status)) return undefined;
  const namedModel = findNamedModel(words.text, input.modelIds, input.model);
  const believable = status === 503 || speaksOf(busyModel, words);
  if (namedModel !== undefined && !limited && believable && !speaksOf(illness, words)) {
    return { kind: 'capacity-model', namedModel };
  }
  return speaksOf(overload, words) ? { kind: 'capacity-service' } : undefined;
}

function judgeRest(status: number | undefined, body: ErrorBody, limited: boolean): Verdict {
  if (status === 429 || (status === undefined && limited)) return { kind: 'rate-limited' };
  if (status === 413) return { kind: limited ? 'rate-limited' : 'too-large' };
  if (status === 414 || status === 431) return { kind: 'too-large' };
  if (status === 403) return { kind: 'forbidden' };
  if (status === 404) return { kind: body.format === 'json' ? 'wrong-address' : 'bad-request' };
  if (status === 498 || status === 529) return { kind: 'capacity-service' };
  if (status === 408) return { kind: 'timeout' };
  if (status === undefined || status >= 500 || status === 424) return { kind: 'server-error' };
  return { kind: 'bad-request' };
}

/**
 * The model that a text names: an id with or without `svc/`, or a display name. Longest first, and an id does not go on
 * after its end, so `kimi-k3-fast` is not `kimi-k3`. Of several, the one that was asked for, else the first in the text.
 */
export function findNamedModel(text: string, modelIds: readonly string[], asked?: string): string | undefined {
  const names = modelIds
    .flatMap((id) => [id.replace(/^svc\//, ''), displayName(id)].map((name) => ({ id, name })))
    .filter(({ name }) => name.length >= 4)
    .sort((a, b) => b.name.length - a.name.length);
  let rest = text;
  const found: { id: string; at: number }[] = [];
  for (const { id, name } of names) {
    const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const pattern = new RegExp(`(?<![A-Za-z0-9_.-])${escaped}(?![A-Za-z0-9]|[-_.][A-Za-z0-9])`, 'gi');
    rest = rest.replace(pattern, (match, at: number) => {
      found.push({ id, at });
      return '\0'.repeat(match.length);
    });
  }
  if (asked !== undefined && found.some(({ id }) => id === asked)) return asked;
  return found.sort((a, b) => a.at - b.at)[0]?.id;
}

/** H05: two families refuse opposite things; the text says which. */
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
  const location = headers.get('location');
  if (location === null || !URL.canParse(location)) return undefined;
  return { host: new URL(location).host };
}

function toFailure(
  input: FailureContext,
  body: ErrorBody,
  verdict: Verdict,
  status: number,
  headers?: HttpHeaders,
): Failure {
  const { kind, namedModel } = verdict;
  const facts = withoutUndefined({
    ...verdict.facts,
    title: verdict.facts?.title ?? (body.title === undefined ? undefined : input.redact(body.title)),
    statusInBody: status === 200 ? body.status : undefined,
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
    retryAfterMs: headers === undefined ? undefined : parseRetryAfter(headers, Date.parse(input.at)),
    facts,
  };
}

function withoutUndefined(
  facts: Record<string, string | number | undefined>,
): Record<string, string | number> | undefined {
  const entries = Object.entries(facts).filter((entry): entry is [string, string | number] => entry[1] !== undefined);
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
