import { createParser } from 'eventsource-parser';
import { parseJson } from '../../base/parse-json.ts';
import { isEndName } from './end-markers.ts';

const maxEventChars = 16 * 1024 * 1024;

export interface SseOptions {
  onEvent(data: string, event: string | undefined): void;
  onComment(): void;
  onTooBig(): void;
}

export interface SseReader {
  feed(text: string): void;
  end(): void;
}

/**
 * Tolerates what real servers send: empty events, comments in disguise, a last event without its blank line, lines
 * without end.
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
      if (error.type === 'max-buffer-size-exceeded') return tooBig();
      // What belongs to no event may be the reason why no more come.
      if (!open || error.line === undefined) return;
      if (error.field === 'error' && error.value?.trim()) onEvent(error.value, 'error');
      else if (error.line.startsWith('{') && parseJson(error.line) !== undefined) onEvent(error.line, undefined);
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
 * Some servers put one line end between events where two belong, which would delay every event to the end of the
 * stream. This function adds the second one behind a line that is a whole object and is followed by more data.
 */
function createSeparator(): (text: string) => string {
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
