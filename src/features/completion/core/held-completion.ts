/** A caret, or where something was written; lines and characters from 0. */
export interface Spot {
  line: number;
  character: number;
}

export interface Held {
  uri: string;
  /** Where the text begins. */
  anchor: Spot;
  /** Newest first. */
  texts: readonly string[];
}

/** One insertion or replacement in a document, as the editor tells it. */
export interface TextChange {
  start: Spot;
  end: Spot;
  text: string;
}

export interface Rest {
  text: string;
  /** The part of it before the caret that was typed already, in the line of the caret. */
  typed: string;
  /** Characters behind the caret that the editor closed by itself and the text brings along. */
  closed: number;
}

export interface HeldCompletion {
  hold(held: Held): void;
  /** Follows what is typed. Anything but the next of the text drops it. */
  changed(uri: string, changes: readonly TextChange[]): void;
  /** For a caret; empty for any other place. */
  restAt(uri: string, caret: Spot): readonly Rest[];
  drop(): void;
}

/** The one completion that was asked for last, until something else is typed. Asks nobody. */
export function createHeldCompletion(): HeldCompletion {
  let held: Held | undefined;
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
