import { parseJson } from '../../base/parse-json.ts';
import type { ChunkCollector, FoldSignal } from './fold-chunks.ts';
import type { ReplyEnd } from './reply-end.ts';
import { createSseReader } from './sse.ts';

/**
 * Reads the body of a reply. `push` returns how the reply ended, or undefined while it goes on. `sawProgress` and
 * `sawSignOfLife` speak of the last `push` alone: progress is an event or bytes of a JSON body; a comment, a part of an
 * event or a web page is a sign of life.
 */
export interface BodyReader {
  push(bytes: Uint8Array): ReplyEnd | undefined;
  end(): ReplyEnd;
  sawProgress(): boolean;
  sawSignOfLife(): boolean;
}

interface TextReader {
  push(text: string): ReplyEnd | undefined;
  end(): ReplyEnd;
}

interface Pulse {
  progress: boolean;
  signOfLife: boolean;
}

/** Recognizes a page, JSON or events by the first characters of the body, because content types are often wrong. */
export function createBodyReader(folder: ChunkCollector, contentType: string): BodyReader {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const pulse: Pulse = { progress: false, signOfLife: false };
  let reader: TextReader | undefined;
  let beginning = '';
  const pushText = (text: string, isLast: boolean): ReplyEnd | undefined => {
    if (reader) return reader.push(text);
    beginning += text;
    const kind = sniff(beginning, contentType, isLast);
    if (kind === undefined) return undefined;
    reader = createTextReader(kind, folder, pulse);
    return reader.push(beginning);
  };
  return {
    push: (bytes) => {
      pulse.progress = false;
      pulse.signOfLife = false;
      const end = pushText(decoder.decode(bytes, { stream: true }), false);
      if (!pulse.progress) pulse.signOfLife = true;
      return end;
    },
    end: () => {
      const end = pushText(decoder.decode(), true);
      return end ?? reader?.end() ?? { kind: 'ended' };
    },
    sawProgress: () => pulse.progress,
    sawSignOfLife: () => pulse.signOfLife,
  };
}

const maxPageChars = 64 * 1024;

type BodyKind = 'events' | 'json' | 'page';

const sniffChars = 6;

function sniff(beginning: string, contentType: string, isLast: boolean): BodyKind | undefined {
  const text = beginning.trimStart();
  if (text.startsWith('<')) return 'page';
  if (text.startsWith('{') || text.startsWith('[')) return 'json';
  if (text.length < sniffChars && beginning.length < maxPageChars && !isLast) return undefined;
  if (text === '' || /^(data|event|id|retry)?:/.test(text)) return 'events';
  if (/\bjson\b/i.test(contentType)) return 'json';
  return /\bhtml\b/i.test(contentType) ? 'page' : 'events';
}

function createTextReader(kind: BodyKind, folder: ChunkCollector, pulse: Pulse): TextReader {
  if (kind === 'page') return createPageReader();
  if (kind === 'json') return createJsonReader(folder, pulse);
  return createEventsReader(folder, pulse);
}

function createEventsReader(folder: ChunkCollector, pulse: Pulse): TextReader {
  let end: ReplyEnd | undefined;
  let understood = false;
  let blank = true;
  const sse = createSseReader({
    onEvent: (data, event) => {
      if (end) {
        if (end.kind === 'ended') folder.foldLate(data);
        return;
      }
      pulse.progress = true;
      pulse.signOfLife = false;
      understood = true;
      end = endOf(folder.fold(data, event));
    },
    onComment: () => {
      pulse.signOfLife = true;
      understood = true;
    },
    onTooBig: () => {
      end ??= { kind: 'too-big' };
    },
  });
  return {
    push: (text) => {
      if (blank && text.trim() !== '') blank = false;
      sse.feed(text);
      return end;
    },
    end: () => {
      sse.end();
      if (end) return end;
      if (understood || blank) return { kind: 'ended' };
      return { kind: 'protocol', message: 'The reply is neither JSON nor an event stream.' };
    },
  };
}

function createJsonReader(folder: ChunkCollector, pulse: Pulse): TextReader {
  const pieces: string[] = [];
  return {
    push: (text) => {
      pulse.progress = true;
      pieces.push(text);
      return undefined;
    },
    end: () => {
      const json = parseJson(pieces.join('').trim());
      if (json === undefined) return { kind: 'protocol', message: 'The reply is JSON that was cut off or damaged.' };
      return endOf(folder.foldWhole(json)) ?? { kind: 'ended' };
    },
  };
}

/** Keeps only the title of a page, because its text must never reach a user. */
function createPageReader(): TextReader {
  let page = '';
  const end = (): ReplyEnd => ({ kind: 'html', title: pageTitle(page) });
  return {
    push: (text) => {
      const from = Math.max(0, page.length - '</title'.length);
      page += text;
      return page.length >= maxPageChars || page.slice(from).toLowerCase().includes('</title>') ? end() : undefined;
    },
    end,
  };
}

/** Returns the title as one line of plain text of at most 200 characters, or `''`. */
export function pageTitle(html: string): string {
  const page = html.slice(0, maxPageChars);
  const tag = page.search(/<title[\s>]/i);
  const start = tag < 0 ? -1 : page.indexOf('>', tag);
  if (start < 0) return '';
  const end = page.indexOf('<', start);
  const title = page.slice(start + 1, end < 0 ? undefined : end).slice(0, 400);
  const plain = title.replace(/&amp;/g, '&').replace(/[\p{C}\s]+/gu, ' ');
  return plain.trim().slice(0, 200).toWellFormed();
}

function endOf(signal: FoldSignal): ReplyEnd | undefined {
  switch (signal.kind) {
    case 'more':
      return undefined;
    case 'done':
      return { kind: 'ended' };
    case 'unread':
      return { kind: 'protocol', message: 'The reply is JSON of another form.' };
    default:
      return signal;
  }
}
