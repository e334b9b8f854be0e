/**
 * Tool calls that a model wrote as text because its server failed to read them (W59). They are hidden from the reader
 * and reported, and never turned into calls. Without its `end` nothing after the marker is meant for a reader.
 */
interface Marker {
  start: string;
  end: string;
  /** Common enough in ordinary text to count only at the beginning of a line. */
  ownLine?: true;
}

const markers: readonly Marker[] = [
  { start: '<|tool_calls_section_begin|>', end: '<|tool_calls_section_end|>' },
  { start: '<|tool_call_begin|>', end: '<|tool_call_end|>' },
  { start: '<|open|>tools<|sep|>', end: '<|close|>tools' },
  // Closes what was never opened: it is its own end.
  { start: '<|close|>response', end: '' },
  { start: '<｜tool▁calls▁begin｜>', end: '<｜tool▁calls▁end｜>' },
  { start: '<｜tool▁call▁begin｜>', end: '<｜tool▁call▁end｜>' },
  { start: '<｜DSML｜function_calls>', end: '</｜DSML｜function_calls>' },
  { start: '<tool_call>', end: '</tool_call>', ownLine: true },
];
const starts = markers.map(({ start }) => start);
const anyStart = new RegExp(starts.map((start) => start.replace(/[|]/g, '\\|')).join('|'));

export interface MarkupFilter {
  /** Takes the next piece of the reply's text; returns what may be shown now. */
  push(text: string): string;
  /** The reply is over: returns text that was held back because a marker might have begun in it. */
  end(): string;
  /** Whether markup was found and hidden. */
  found(): boolean;
  /** Everything that was let through so far. */
  shown(): string;
}

export function createMarkupFilter(): MarkupFilter {
  const place = createPlace();
  let shown = '';
  /** Not yet decided: the beginning of what may become a marker. */
  let held = '';
  /** The marker that ends the hidden part; undefined outside of one. */
  let hiddenUntil: string | undefined;
  let found = false;

  const show = (text: string): string => {
    shown += text;
    place.pass(text);
    return text;
  };

  /** Returns what remains to be looked at after the hidden part, or nothing while it goes on. */
  const skipHidden = (text: string, end: string): string => {
    const at = text.indexOf(end);
    if (at < 0) {
      held = heldPart(text, [end]);
      return '';
    }
    hiddenUntil = undefined;
    return text.slice(at + end.length);
  };

  const scan = (text: string): string => {
    let visible = '';
    let rest = text;
    while (rest !== '') {
      if (hiddenUntil !== undefined) {
        rest = skipHidden(rest, hiddenUntil);
        continue;
      }
      const match = anyStart.exec(rest);
      const marker = markers.find(({ start }) => start === match?.[0]);
      if (match === null || marker === undefined) {
        held = heldPart(rest, starts);
        return visible + show(rest.slice(0, rest.length - held.length));
      }
      visible += show(rest.slice(0, match.index));
      rest = rest.slice(match.index + marker.start.length);
      if (place.isQuoted(marker)) visible += show(marker.start);
      else {
        found = true;
        hiddenUntil = marker.end;
      }
    }
    return visible;
  };

  return {
    push: (text) => {
      if (held === '' && hiddenUntil === undefined && !text.includes('<')) return show(text);
      const all = held + text;
      held = '';
      return scan(all);
    },
    end: () => {
      const rest = hiddenUntil === undefined ? held : '';
      held = '';
      return show(rest);
    },
    found: () => found,
    shown: () => shown,
  };
}

/** The longest end of `text` with which one of the markers begins. */
function heldPart(text: string, wanted: readonly string[]): string {
  const longest = Math.max(...wanted.map((marker) => marker.length)) - 1;
  for (let at = text.indexOf('<', Math.max(0, text.length - longest)); at >= 0; at = text.indexOf('<', at + 1)) {
    const part = text.slice(at);
    if (wanted.some((marker) => marker.length > part.length && marker.startsWith(part))) return part;
  }
  return '';
}

const fence = /^[ \t]*(```|~~~)/;

/** Where in the text we are. People ask about these markers too: in code they are text. */
function createPlace(): { pass(text: string): void; isQuoted(marker: Marker): boolean } {
  /** Passed, but not yet looked at: looking waits until a marker asks. */
  let passed = '';
  let inFence = false;
  return {
    pass: (text) => {
      passed += text;
    },
    isQuoted: ({ ownLine }) => {
      const lines = passed.split('\n');
      const line = lines.pop() ?? '';
      for (const whole of lines) if (fence.test(whole)) inFence = !inFence;
      // Only the ends of a long line matter, so the work stays in proportion to the text.
      passed = line.length > 100 ? line.slice(0, 50) + line.slice(-50) : line;
      return inFence || line.endsWith('`') || (ownLine === true && line.trim() !== '');
    },
  };
}
