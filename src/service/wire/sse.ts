import { createParser } from 'eventsource-parser';

/** A single event may be this long, in characters. */
const longestEventChars = 16 * 1024 * 1024;

export interface SseOptions {
  /** `event` is the event's name, undefined for the default. */
  onEvent(data: string, event: string | undefined): void;
  onComment(): void;
  /** An event grew beyond `longestEventChars`; nothing is read after it. */
  onTooBig(): void;
}

export interface SseReader {
  /** Any slice of the stream; after `onTooBig` it does nothing. */
  feed(text: string): void;
  /** The stream is over: an event that lacks its last line end counts too. */
  end(): void;
}

/**
 * Server-sent events with what real servers do to them: empty events and comments in disguise, a last event
 * without its blank line, lines without end. Line ends and the byte order mark are the parser's work.
 */
export function createSseReader({ onEvent, onComment, onTooBig }: SseOptions): SseReader {
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
  return {
    feed: (text) => {
      if (open) parser.feed(text);
    },
    end: () => {
      if (open) parser.feed('\n\n');
    },
  };
}

const colon = 58;
