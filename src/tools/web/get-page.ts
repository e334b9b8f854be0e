import { inOneLine } from '../../agent/invisible.ts';
import { ToolError } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { notPublicCode } from '../../base/public-address.ts';
import { decoderLabel, detectEncoding } from '../../files/decode-text.ts';
import type { HttpResponse } from '../../service/wire/http-response.ts';
import { pageAddress } from './page-address.ts';

/**
 * Sends one GET for a page, without cookies and credentials. It never follows a redirect, and connects to public
 * addresses only. Rejects as `fetch` does, with the signal's reason when that came first.
 */
export type GetOnce = (url: string, signal: AbortSignal) => Promise<HttpResponse>;

export interface PageDeps {
  get: GetOnce;
  clock: Clock;
}

export type Page =
  | {
      kind: 'text';
      url: string;
      type: string;
      isHtml: boolean;
      text: string;
      isCut: boolean;
    }
  | { kind: 'elsewhere'; to: string };

const maxRedirects = 5;
/** The size counts after decompression. */
const maxPageBytes = 2 * 1024 * 1024;
const maxSilenceMs = 20_000;
const maxWholeMs = 60_000;

/** Fetches a page, with redirects to the same host name alone. Throws a `ToolError` that the model can act on. */
export async function getPage(deps: PageDeps, url: URL, signal: AbortSignal): Promise<Page> {
  const patience = createTimeouts(deps.clock, signal);
  try {
    let at = url;
    for (let redirects = 0; redirects <= maxRedirects; redirects++) {
      const response = await patience.during(deps.get(at.href, patience.signal));
      const target = redirectOf(response, at);
      if (target === undefined) return await readPage(response, at, patience);
      void response.body
        ?.getReader()
        .cancel()
        .catch(() => undefined);
      if (target.hostname !== url.hostname) return { kind: 'elsewhere', to: target.href };
      at = target;
    }
    throw new ToolError(`${url.href} redirects more than ${maxRedirects} times.`);
  } catch (error) {
    throw error instanceof ToolError ? error : unreachable(url, error);
  } finally {
    patience.end();
  }
}

function redirectOf({ status, type, headers }: HttpResponse, from: URL): URL | undefined {
  if (type === 'opaqueredirect') throw new ToolError(`${from.href} redirects to an address that is not told here.`);
  const location = headers.get('location');
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined;
  const written = URL.parse(location, from)?.href ?? location;
  try {
    return pageAddress(written);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    throw new ToolError(`${from.href} redirects to an address that is not fetched: ${error.message}`);
  }
}

async function readPage(response: HttpResponse, at: URL, patience: Timeouts): Promise<Page> {
  const reader = response.body?.getReader();
  try {
    const label = response.headers.get('content-type') ?? '';
    const said = label.split(';')[0]?.trim().toLowerCase() || 'text/html';
    const type = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(said) ? said : 'unknown';
    const refuseBinary = (beginning: Uint8Array) => {
      const { binary } = detectEncoding(beginning.subarray(0, 8192));
      if (binary !== undefined) throw new ToolError(`${at.href} is ${type} (${binary}); only text is fetched.`);
    };
    const none = { bytes: Buffer.alloc(0), isCut: false };
    const isHtml = type === 'text/html' || type === 'application/xhtml+xml';
    if (!response.ok) {
      const { bytes } = reader ? await readBytes(reader, patience).catch(() => none) : none;
      throw new ToolError(
        `${at.href} answered with status ${response.status}${wordsOf(decode(bytes, label, isHtml))}.`,
      );
    }
    const { bytes, isCut } = reader ? await readBytes(reader, patience, refuseBinary) : none;
    refuseBinary(bytes);
    return { kind: 'text', url: at.href, type, isHtml, text: decode(bytes, label, isHtml), isCut };
  } finally {
    void reader?.cancel().catch(() => undefined);
  }
}

/** Returns a clause with the title of an HTML error page, or the beginning of a text one; empty without either. */
function wordsOf(text: string): string {
  const said = /^\s*</.test(text) ? (/<title[^>]{0,200}>([^<]{1,300})/i.exec(text)?.[1] ?? '') : text;
  const words = inOneLine(said).replaceAll('\ufffd', '').trim().slice(0, 300).toWellFormed();
  return words === '' ? '' : `, and with these words, which are data: ${JSON.stringify(words)}`;
}

type Reader = ReturnType<NonNullable<HttpResponse['body']>['getReader']>;

async function readBytes(
  reader: Reader,
  patience: Timeouts,
  onBeginning?: (bytes: Uint8Array) => void,
): Promise<{ bytes: Buffer; isCut: boolean }> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  while (size <= maxPageBytes) {
    const { done, value } = await patience.during(reader.read());
    if (done || value === undefined) return { bytes: Buffer.concat(pieces), isCut: false };
    if (size === 0) onBeginning?.(value);
    pieces.push(value);
    size += value.byteLength;
  }
  return { bytes: Buffer.concat(pieces).subarray(0, maxPageBytes), isCut: true };
}

/**
 * The encoding comes from the byte order mark, else from the answer's header, else from the page; otherwise it is
 * UTF-8.
 */
function decode(bytes: Buffer, contentType: string, isHtml: boolean): string {
  const marked = (bytes[0] ?? 0) < 0xef ? undefined : detectEncoding(bytes.subarray(0, 3)).encoding;
  const beginning = bytes.toString('latin1', 0, 1024);
  const said = /charset\s*=\s*["']?([\w.:-]{1,40})/i;
  const inPage = isHtml
    ? said.exec(beginning)
    : /^<\?xml[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})/i.exec(beginning);
  const names = [marked && decoderLabel(marked), said.exec(contentType.slice(0, 500))?.[1], inPage?.[1], 'utf-8'];
  for (const name of names) {
    if (name === undefined) continue;
    try {
      return new TextDecoder(name).decode(bytes);
    } catch {
      // No such encoding.
    }
  }
  return '';
}

interface Timeouts {
  /**
   * Aborts with the caller's signal, after a silence, or when it all takes too long; in the last two cases its reason
   * is a `ToolError`.
   */
  signal: AbortSignal;
  during<T>(work: Promise<T>): Promise<T>;
  end(): void;
}

function createTimeouts(clock: Clock, signal: AbortSignal): Timeouts {
  const controller = new AbortController();
  const giveUp = (why: string) => () => controller.abort(new ToolError(why));
  const onStop = () => controller.abort(signal.reason);
  signal.addEventListener('abort', onStop, { once: true });
  if (signal.aborted) onStop();
  const cancel = clock.after(maxWholeMs, giveUp(`Nothing was fetched: it took over ${maxWholeMs / 1000} seconds.`));
  return {
    signal: controller.signal,
    async during(work) {
      const silent = giveUp(`Nothing was fetched: no byte arrived for ${maxSilenceMs / 1000} seconds.`);
      const arrived = clock.after(maxSilenceMs, silent);
      try {
        return await work;
      } finally {
        arrived();
      }
    },
    end() {
      cancel();
      signal.removeEventListener('abort', onStop);
      controller.abort();
    },
  };
}

function unreachable({ hostname }: URL, error: unknown): ToolError {
  const codes = causes(error).map((cause) => ('code' in cause ? String(cause.code) : ''));
  if (codes.includes(notPublicCode)) {
    return new ToolError(`${hostname} leads to an address that is not public, so it is not fetched.`);
  }
  const why = codes.find((code) => code !== '') ?? causes(error).at(-1)?.message ?? String(error);
  return new ToolError(`${hostname} cannot be reached (${why.slice(0, 200)}).`);
}

const maxCauses = 8;

function causes(error: unknown): Error[] {
  const found: Error[] = [];
  for (let at = error; at instanceof Error && found.length < maxCauses; at = at.cause) found.push(at);
  return found;
}
