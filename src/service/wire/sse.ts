import { createParser } from 'eventsource-parser';
import { isEndName } from './end-markers.ts';

/** A single event may be this long, in characters. */
const maxEventChars = 16 * 1024 * 1024;

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
    maxBufferSize: maxEventChars,
    onEvent: ({ data, event }) => {
      if (!open) return;
      if (data.length > maxEventChars) tooBig();
      else if (data.charCodeAt(0) === colon || (data.trim() === '' && !isEndName(event))) onComment();
      else onEvent(data, event);
    },
    onComment,
    onError: (error) => {
      if (error.type === 'max-buffer-size-exceeded') tooBig();
    },
  });
  const separated = createSeparator();
  return {
    feed: (text) => {
      if (open) parser.feed(separated(text));
    },
    end: () => {
      if (open) parser.feed('\n\n');
    },
  };
}

const colon = 58;

const wholeBeforeData = /^(data: ?\{.*\})(\r?\n)(?=data:)/gm;

/**
 * Some servers put one line end between events where two belong: then nothing would be an event before the stream is over.
 * A line that is a whole object, followed by more data, gets the second one. Where the pieces of the stream hide that, the
 * event stays as it is.
 */
function createSeparator(): (text: string) => string {
  /** First characters of the line that is not over. */
  let begun = '';
  let afterWhole = false;
  return (text) => {
    const missing = afterWhole && text.startsWith('data:') ? '\n' : '';
    const isGlued = text.includes('}\ndata:') || text.includes('}\r\ndata:');
    const separated = isGlued ? text.replace(wholeBeforeData, '$1$2$2') : text;
    const lineEnd = text.endsWith('}\n') ? 1 : text.endsWith('}\r\n') ? 2 : 0;
    const lastLine = text.lastIndexOf('\n', text.length - 1 - lineEnd) + 1;
    begun = lastLine > 0 ? text.slice(lastLine, lastLine + 8) : (begun + text.slice(0, 8)).slice(0, 8);
    afterWhole = lineEnd > 0 && /^data: ?\{/.test(begun);
    if (text.endsWith('\n')) begun = '';
    return missing + separated;
  };
}
