/** Lines and characters count from 0. */
export interface Spot {
  line: number;
  character: number;
}

export interface CachedCompletion {
  uri: string;
  anchor: Spot;
  /** The newest text comes first. */
  texts: readonly string[];
}

export interface TextChange {
  start: Spot;
  end: Spot;
  text: string;
}

export interface Rest {
  text: string;
  /** The user has typed this part already; it stands before the caret in the caret's line. */
  typed: string;
  /** Counts characters behind the caret that the editor inserted as closing pairs and that the text brings along. */
  closed: number;
}

export interface CompletionCache {
  hold(held: CachedCompletion): void;
  /** Follows what is typed. Anything but the next characters of the text drops the completion. */
  changed(uri: string, changes: readonly TextChange[]): void;
  restAt(uri: string, caret: Spot): readonly Rest[];
  drop(): void;
}

/** Keeps the completion that was requested last until something else is typed. It never sends anything. */
export function createCompletionCache(): CompletionCache {
  let held: CachedCompletion | undefined;
  let typed = '';
  let closed = '';
  const drop = (): void => {
    held = undefined;
  };
  return {
    drop,
    hold(next) {
      held = next;
      [typed, closed] = ['', ''];
    },
    changed(uri, changes) {
      if (held === undefined || held.uri !== uri || changes.length === 0) return;
      const [change] = changes;
      const caret = after(held.anchor, typed);
      if (change === undefined || changes.length > 1 || !isAt(change.start, caret)) return drop();
      const text = change.text.replaceAll('\r\n', '\n');
      const replaced = change.start.line === change.end.line ? change.end.character - change.start.character : -1;
      // Only what the editor closed by itself may go; it comes again with the text.
      if (replaced !== 0 && replaced !== closed.length) return drop();
      const behind = replaced === 0 ? closed : '';
      const fits = (added: string) => held?.texts.some((one) => one.startsWith(typed + added)) === true;
      const pair = /^([([{"'`])([)\]}"'`])$/.exec(text);
      if (fits(text)) [typed, closed] = [typed + text, behind];
      else if (pair?.[1] !== undefined && fits(pair[1])) [typed, closed] = [typed + pair[1], (pair[2] ?? '') + behind];
      else drop();
    },
    restAt(uri, caret) {
      if (held === undefined || held.uri !== uri || !isAt(caret, after(held.anchor, typed))) return [];
      return held.texts
        .filter((one) => one.startsWith(typed) && one.length > typed.length)
        .map((one) => ({
          text: one.slice(typed.length),
          typed: typed.slice(typed.lastIndexOf('\n') + 1),
          closed: closed.length,
        }));
    },
  };
}

function after({ line, character }: Spot, text: string): Spot {
  const lines = text.split('\n');
  const last = lines.at(-1)?.length ?? 0;
  return lines.length === 1
    ? { line, character: character + last }
    : { line: line + lines.length - 1, character: last };
}

function isAt(one: Spot, other: Spot): boolean {
  return one.line === other.line && one.character === other.character;
}
