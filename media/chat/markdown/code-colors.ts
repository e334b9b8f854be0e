import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import type { CodeLines } from './code-lines.ts';

/** A request is small enough to be handled between two frames. */
const maxLines = 200;
const maxChars = 20_000;
/** Growing lines are requested together: rarely enough to be cheap, often enough to go unnoticed. */
const growingEveryMs = 100;

export interface CodeColors {
  /** `complete` returns how many of the drawn lines will not change any more. */
  track(language: string, lines: CodeLines, complete: () => number): TrackedCode;
  receive(message: HostMessage): void;
  themeChanged(): void;
}

export interface TrackedCode {
  changed(kept: number): void;
  setVisible(visible: boolean): void;
  stop(): void;
}

export interface CodeColorsDeps {
  post(message: PanelMessage): void;
  theme(): string;
  usePalette(colors: readonly string[]): void;
  newId(): string;
  now(): number;
  after(ms: number, run: () => void): void;
}

interface Code {
  language: string;
  lines: CodeLines;
  complete(): number;
  id: string;
  visible: boolean;
  done: number;
  waiting: boolean;
  dueAt: number;
  due: boolean;
  plain: boolean;
}

export function createCodeColors({ post, theme, usePalette, newId, now, after }: CodeColorsDeps): CodeColors {
  const tracked = new Map<string, Code>();

  const leftMs = (code: Code) => (code.complete() < code.lines.count() ? code.dueAt - now() : 0);
  const ask = (code: Code) => {
    const complete = code.complete();
    if (code.waiting || code.plain || !code.visible || code.done >= complete) return;
    const waitMs = leftMs(code);
    if (waitMs > 0) {
      if (code.due) return;
      code.due = true;
      after(waitMs, () => {
        code.due = false;
        if (tracked.get(code.id) === code) ask(code);
      });
      return;
    }
    code.dueAt = now() + growingEveryMs;
    const { id: block, language, done: from } = code;
    let to = Math.min(complete, from + maxLines);
    let text = code.lines.text(from, to);
    while (text.length > maxChars && to > from + 1) {
      to = from + Math.ceil((to - from) / 2);
      text = code.lines.text(from, to);
    }
    code.waiting = true;
    // A line of more than that has no colors anywhere; what counts is that it is a line.
    post({ type: 'colorCode', block, language, theme: theme(), from, text: text.slice(0, maxChars) });
  };
  /** Changes the id, so that late answers for the old one are ignored. */
  const rename = (code: Code) => {
    tracked.delete(code.id);
    code.id = newId();
    code.waiting = false;
    code.dueAt = 0;
    code.done = 0;
    tracked.set(code.id, code);
  };
  const restart = () => {
    for (const code of [...tracked.values()]) {
      rename(code);
      code.plain = false;
      code.lines.clear();
      ask(code);
    }
  };
  /** Nothing is sent to a hidden panel, so the requests are repeated. */
  const askAgain = () => {
    for (const code of [...tracked.values()].filter(({ waiting }) => waiting)) {
      rename(code);
      ask(code);
    }
  };
  const answered = ({ block, colored }: Extract<HostMessage, { type: 'codeColors' }>) => {
    const code = tracked.get(block);
    if (!code?.waiting) return;
    code.waiting = false;
    if (!colored) {
      code.plain = true;
      return;
    }
    usePalette(colored.colors);
    if (colored.from === code.done) {
      code.lines.color(colored.from, colored.lines);
      code.done += colored.lines.length;
    } else code.done = 0;
    ask(code);
  };
  return {
    track(language, lines, complete) {
      const code: Code = {
        language,
        lines,
        complete,
        id: '',
        visible: false,
        done: 0,
        waiting: false,
        dueAt: 0,
        due: false,
        plain: language === '',
      };
      rename(code);
      return {
        changed(kept) {
          if (kept < code.done) rename(code);
          ask(code);
        },
        setVisible(visible) {
          code.visible = visible;
          ask(code);
        },
        stop: () => void tracked.delete(code.id),
      };
    },
    receive(message) {
      if (message.type === 'codeColors') answered(message);
      else if (message.type === 'colorsChanged') restart();
      else if (message.type === 'snapshot') askAgain();
    },
    themeChanged: restart,
  };
}
