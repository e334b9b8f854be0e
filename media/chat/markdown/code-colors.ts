import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';
import type { CodeLines } from './code-lines.ts';

/** One request: small enough to be done between two frames of others. */
const maxLines = 200;
const maxChars = 20_000;
/**
 * Lines that are being written come one by one: they are asked about together, too seldom to cost and too often to be
 * seen.
 */
const growingEveryMs = 100;

/** Asks the host for the colours of the code that is in view. */
export interface CodeColors {
  /** `complete` tells how many of the drawn lines will not change any more. */
  track(language: string, lines: CodeLines, complete: () => number): TrackedCode;
  receive(message: HostMessage): void;
  /** The panel is drawn in another theme. */
  themeChanged(): void;
}

export interface TrackedCode {
  /** More lines are complete. `kept`: lines that were not drawn anew. */
  changed(kept: number): void;
  /** Only code that is looked at gets colours. */
  setVisible(visible: boolean): void;
  stop(): void;
}

export interface CodeColorsDeps {
  post(message: PanelMessage): void;
  /** Id of the theme that the panel is drawn in. */
  theme(): string;
  /** Puts the theme's colours, by number, where the class names find them. */
  usePalette(colors: readonly string[]): void;
  /** Unique among all panels. */
  newId(): string;
  now(): number;
  /** Runs `run` after `ms`. */
  after(ms: number, run: () => void): void;
}

interface Code {
  language: string;
  lines: CodeLines;
  complete(): number;
  id: string;
  visible: boolean;
  /** Lines with colours. */
  done: number;
  waiting: boolean;
  /** While it grows it is not asked about before this time. */
  dueAt: number;
  /** It will be asked about by then. */
  due: boolean;
  /** The host knows no colours for it. */
  plain: boolean;
}

export function createCodeColors({ post, theme, usePalette, newId, now, after }: CodeColorsDeps): CodeColors {
  const tracked = new Map<string, Code>();

  /** How long code that grows must not be asked about yet; not above 0 when it may. */
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
    // A line of more than that has no colours anywhere; what counts is that it is a line.
    post({ type: 'colorCode', block, language, theme: theme(), from, text: text.slice(0, maxChars) });
  };
  /** A new name: what is still under way for the old one comes too late. */
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
  /** While the panel was hidden it was sent nothing. */
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
