import { parseJson } from '../../base/parse-json.ts';
import { pageTitle } from '../wire/body-reader.ts';
import { waitInField } from './asked-wait.ts';

/**
 * Only fields that carry the service's own words are read, however deep they lie. Fields that echo the request are skipped,
 * because a prompt about rate limits is no rate limit.
 */
export interface ErrorBody {
  format: 'json' | 'html' | 'text' | 'empty' | 'unreadable';
  /** The texts are distinct and in the order found, at most twenty of at most 4 KB each. */
  texts: readonly string[];
  codes: readonly string[];
  status?: number;
  parameters: readonly string[];
  models: readonly string[];
  waitMs?: number;
  part?: string;
  /** Only the title of an HTML page is kept, as plain text. */
  title?: string;
}

const maxTextLength = 4096;
const deepest = 6;
const maxItems = 20;
const textKey = /^(?:error_|status_)?(?:message|msg|error|detail|reason|title|raw|cause)$/;
const codeKeys = ['code', 'type', 'error_type', 'status'];
const modelKeys = ['model', 'model_id', 'modelId', 'model_name', 'deployment', 'resource', 'param'];
const waitKeys = ['retry_after_ms', 'retryAfterMs', 'retry_after', 'retryAfter', 'retry_after_seconds', 'retryDelay'];
const echoes = ['input', 'ctx', 'request', 'messages', 'choices'];

/** Never throws. `body` is what was received, at most 64 KB of it. */
export function readErrorBody(body: string, contentType: string): ErrorBody {
  const text = body.replace(/^\uFEFF/, '').trim();
  const nothing = { texts: [], codes: [], parameters: [], models: [] };
  if (text === '') return { format: 'empty', ...nothing };
  if (text.startsWith('{') || text.startsWith('[')) {
    const parsed = parseJson(text);
    return parsed === undefined ? { format: 'unreadable', ...nothing } : readErrorValue(parsed);
  }
  if (looksLikeHtml(text) || /html/i.test(contentType))
    return { format: 'html', ...nothing, title: pageTitle(text) || undefined };
  return { ...readErrorValue(text), format: 'text' };
}

export function readErrorValue(value: unknown): ErrorBody {
  const found: Found = { texts: [], codes: [], parameters: [], models: [] };
  if (typeof value === 'string') addAnswer(found, value, 0);
  else collect(value, 0, found);
  return { format: 'json', ...found };
}

interface Found {
  texts: string[];
  codes: string[];
  parameters: string[];
  models: string[];
  status?: number;
  waitMs?: number;
  part?: string;
}

function collect(value: unknown, depth: number, found: Found): void {
  if (depth > deepest || typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, maxItems)) collect(item, depth + 1, found);
    return;
  }
  const fields = new Map(Object.entries(value));
  for (const [key, text] of fields) if (typeof text === 'string' && textKey.test(key)) addAnswer(found, text, depth);
  for (const key of codeKeys) addCode(found, fields.get(key));
  const parameter = fields.get('param');
  // Some put the sentence there and a word of theirs into `message`.
  if (typeof parameter === 'string' && / \S+ /.test(parameter)) addText(found, parameter);
  else addName(found.parameters, parameter);
  for (const key of waitKeys) found.waitMs ??= waitInField(key, fields.get(key));
  for (const key of modelKeys) addName(found.models, fields.get(key));
  const location = fields.get('loc');
  if (Array.isArray(location)) found.part ??= location.slice(0, 8).join('.').slice(0, 200);
  else if (typeof location === 'string') found.part ??= location.slice(0, 200);
  else if (typeof parameter === 'string') found.part ??= parameter.slice(0, 200);
  if (Array.isArray(location))
    addName(
      found.parameters,
      location.findLast((part) => typeof part === 'string'),
    );
  for (const [key, inner] of fields) if (!echoes.includes(key)) collect(inner, depth + 1, found);
}

/** Gateways put the whole answer of another server into the message or behind words of theirs, so what it says is read. */
function addAnswer(found: Found, text: string, depth: number): void {
  const at = text.indexOf('{');
  const inner = at < 0 ? undefined : parseJson(text.slice(at, at + 4 * maxTextLength));
  addText(found, inner === undefined ? text : text.slice(0, at));
  collect(inner, depth + 1, found);
}

function addText(found: Found, text: string): void {
  // A page inside a JSON string is still a page.
  if (found.texts.length >= maxItems || looksLikeHtml(text)) return;
  const words = cut(beforeEcho(text).trim());
  if (words !== '' && !found.texts.includes(words)) found.texts.push(words);
}

function addCode(found: Found, code: unknown): void {
  if (typeof code === 'number' || (typeof code === 'string' && /^\d{3}$/.test(code))) {
    const status = Number(code);
    if (status >= 400 && status <= 599) found.status ??= status;
  }
  if (typeof code === 'string' && code.length <= 100) found.codes.push(code.toLowerCase());
  if (typeof code === 'number') found.codes.push(String(code));
}

function addName(names: string[], name: unknown): void {
  if (names.length < maxItems && typeof name === 'string' && name !== '' && name.length <= 100) names.push(name);
}

/** Validation errors may be one string that quotes what was sent. Everything from there on is the user's text. */
function beforeEcho(text: string): string {
  const at = text.search(/['"](?:input|ctx|request|messages)['"]\s*:/);
  return at < 0 ? text : text.slice(0, at);
}

function looksLikeHtml(text: string): boolean {
  return /<(?:!doctype|html|head|body|title|h1|center)\b/i.test(text.slice(0, 2048));
}

function cut(text: string): string {
  return text.length <= maxTextLength ? text : text.slice(0, maxTextLength).toWellFormed();
}
