import { createParser } from 'eventsource-parser';

/** A single event may be this long, in characters. */
const longestEventChars = 16 * 1024 * 1024;

export interface SseOptions {
  /** `event` is the event's name, undefined for the default. */
  onEvent(data: string, event: string | undefined): void;
  onComment(): void;
  /**
   * A short way for events of a known form: `from` is where an event begins; reads what it can and returns where the
   * next event begins, `from` itself when the one there is not of that form.
   */
  readPlain(stream: string, from: number): number;
  /** An event grew beyond `longestEventChars`; nothing is read after it. */
  onTooBig(): void;
}

export interface SseReader {
  /** Any slice of the stream; after `onTooBig` it does nothing. */
  feed(text: string): void;
  /** The stream is over: an event that lacks its last line end counts too. */
  end(): void;
}

/** After so many events in a row that had to go the long way, the rest of a slice goes it in one piece. */
const mostMisses = 8;

/**
 * Server-sent events with what real servers do to them: empty events and comments in disguise, a last event
 * without its blank line, lines without end. Line ends and the byte order mark are the parser's work.
 */
export function createSseReader({ onEvent, onComment, onTooBig, readPlain }: SseOptions): SseReader {
  let open = true;
  const tooBig = () => {
    if (!open) return;
    open = false;
    onTooBig();
  };
  const parser = createParser({
    maxBufferSize: longestEventChars,
    onEvent: ({ data, event }) => {
      if (!open) return;
      if (data.length > longestEventChars) tooBig();
      else if (data.charCodeAt(0) === colon || data.trim() === '') onComment();
      else onEvent(data, event);
    },
    onComment,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') tooBig();
    },
  });
  /** The parser holds nothing back: the next character begins an event. */
  let between = false;
  const feed = (text: string) => {
    let misses = 0;
    for (let at = 0; at < text.length && open; ) {
      const next = between ? readPlain(text, at) : at;
      misses = next > at ? 0 : misses + 1;
      at = next;
      if (at === text.length) return;
      const blankLine = misses > mostMisses ? text.lastIndexOf('\n\n') : text.indexOf('\n\n', at);
      between = blankLine >= at;
      const end = between ? blankLine + 2 : text.length;
      parser.feed(text.slice(at, end));
      at = end;
    }
  };
  return {
    feed,
    end: () => {
      if (open) parser.feed('\n\n');
    },
  };
}

const colon = 58;
