import { endingCall } from './ending-call.ts';
import {
  findMarkup,
  isCallJson,
  isPartOfMarker,
  markupOf,
  mayHoldMarkup,
  namesTool,
  quotesTool,
  startsWithMarker,
  unfinishedMarker,
} from './leaked-markup.ts';

export interface MarkupFilter {
  push(text: string): string;
  /** Returns the text that was held back because a form might have begun in it. */
  end(): string;
  found(): boolean;
  /** Returns all text from the first call on, as it came; undefined when there is none, or it did not begin a line. */
  hidden(): string | undefined;
  text(): string;
  /** Returns the text that was shown before it was known to be reasoning. */
  thought(): string;
}

export interface MarkupOptions {
  tools: ReadonlySet<string>;
  /** Returns whether the name means a tool that models know from other agents. */
  recognises?(name: string): boolean;
  /**
   * Receives reasoning that stood in the text. Without it the text itself counts as reasoning, in which only calls
   * are searched.
   */
  onReasoning?(text: string): void;
}

type Mode = { kind: 'text' } | { kind: 'call' | 'thinking'; ends: readonly string[] } | { kind: 'json' };

type Decision = 'wait' | 'show' | 'drop' | Mode;

/**
 * Removes from the text what the server should have parsed: calls that a model wrote in a form of its own, thinking
 * and ends of turns. Calls are hidden and reported; the caller decides whether they run. In code, and wherever no
 * offered tool is called, the forms are shown, because people ask about them.
 */
export function createMarkupFilter({ tools, recognises, onReasoning }: MarkupOptions): MarkupFilter {
  const isTool = (name: string, isAlone = true) => tools.has(name) || (isAlone && (recognises?.(name) ?? false));
  const place = createLineState();
  let shown = '';
  /** This is a flag, because testing a text that grows by every character costs the square of its length. */
  let isBlank = true;
  let isBehindForm = false;
  let answerAt = 0;
  let held = '';
  let mode: Mode = { kind: 'text' };
  let found = false;
  let hidden: { text: string; startsLine: boolean } | undefined;
  let callAt: number | undefined;
  let hiddenAt = 0;

  const show = (text: string): string => {
    shown += text;
    isBlank &&= text.trim() === '';
    isBehindForm &&= text.trim() === '';
    place.pass(text);
    return text;
  };

  const isTight = (after: string) => /^[\p{L}\p{N}]/u.test(after) && /[\p{L}\p{N}.!?。]$/u.test(shown.slice(-2));

  const decideThinking = (after: string, isFirst: boolean, isLast: boolean): Decision | undefined => {
    if (!place.isAtLineStart()) return 'show';
    if (after.length < thinkingHead && !isLast) return 'wait';
    if (isFirst) return aboutThinking.test(after) ? 'show' : undefined;
    return after.startsWith('\n') ? undefined : 'show';
  };

  const decide = (start: string, after: string, isLast: boolean): Decision => {
    const form = markupOf(start);
    if (place.isQuoted()) return 'show';
    const isOfCall = form.kind === 'call' || form.kind === 'closing' || form.kind === 'sign';
    if (onReasoning === undefined && !isOfCall) return 'show';
    const isFirst = isBlank;
    switch (form.kind) {
      case 'call':
      case 'json': {
        const isPlaced = form.kind === 'call' || (start.startsWith('`') ? isFirst : place.isAtLineStart());
        if (!isPlaced || tools.size === 0) return 'show';
        if (form.kind === 'call' && form.tool !== undefined) {
          if (!place.isAtLineStart() || !isTool(form.tool)) return 'show';
          if (after.trim() === '' && !isLast) return 'wait';
          return /^\s*</.test(after) ? { kind: 'call', ends: form.ends } : 'show';
        }
        // A name in JSON may be anything: only those that are offered make it a call.
        const names = namesTool(after, form.kind === 'call' ? isTool : (name) => tools.has(name), isLast);
        if (names === undefined) return 'wait';
        if (!names) return 'show';
        return form.kind === 'json' ? { kind: 'json' } : { kind: 'call', ends: form.ends };
      }
      case 'thinking':
        return decideThinking(after, isFirst, isLast) ?? { kind: 'thinking', ends: [form.end] };
      case 'thought':
        if (isFirst) return 'drop';
        if (!isLast && (/^[ \t]*$/.test(after) || isPartOfMarker(after))) return 'wait';
        // Whoever speaks about it sets it apart.
        if (!(/^[ \t]*(?:\n|$)/.test(after) || startsWithMarker(after) || isTight(after)) || answerAt > 0)
          return 'show';
        answerAt = shown.length;
        return 'drop';
      case 'opening':
        return isFirst || isBehindForm || place.isAtLineStart() ? 'drop' : 'show';
      case 'closing':
        return found || isBehindForm ? 'drop' : 'show';
      case 'end': {
        const rest = after.trimStart();
        if (rest === '')
          return isLast && !(start === '</s>' && shown.includes('<s>')) ? 'drop' : isLast ? 'show' : 'wait';
        if (startsWithMarker(rest) || (isLast && isCutSign(rest))) return 'drop';
        return isPartOfMarker(rest) && !isLast ? 'wait' : 'show';
      }
      case 'sign': {
        const isGlued = place.isGlued() && (after === '' || /^\w{1,30}(?:\|>|\|?$)/.test(after));
        if (!(place.isAtLineStart() || isGlued) || tools.size === 0) return 'show';
        const quotes = quotesTool(after, isTool, isLast);
        if (quotes === undefined) return 'wait';
        return quotes ? { kind: 'call', ends: [] } : 'show';
      }
    }
  };

  const passHidden = (text: string, { kind, ends }: Extract<Mode, { ends: unknown }>): string => {
    const onHidden = (hidden: string) => (kind === 'thinking' ? onReasoning?.(hidden) : undefined);
    const first = ends
      .map((end) => ({ end, at: text.indexOf(end) }))
      .filter(({ at }) => at >= 0)
      .sort((left, right) => left.at - right.at)[0];
    if (first === undefined) {
      held = ends.length === 0 ? '' : unfinishedMarker(text, ends);
      onHidden(text.slice(0, text.length - held.length));
      return '';
    }
    onHidden(text.slice(0, first.at));
    mode = { kind: 'text' };
    return text.slice(first.at + first.end.length);
  };

  const scan = (text: string, isLast: boolean): string => {
    let visible = '';
    let rest = text;
    while (rest !== '') {
      if (mode.kind === 'json') {
        held = rest;
        return visible;
      }
      if (mode.kind !== 'text') {
        rest = passHidden(rest, mode);
        continue;
      }
      const match = findMarkup(rest);
      if (match === undefined) {
        held = isLast ? '' : unfinishedMarker(rest);
        return visible + show(rest.slice(0, rest.length - held.length));
      }
      visible += show(rest.slice(0, match.index));
      rest = rest.slice(match.index);
      const after = rest.slice(match.start.length);
      if (isLast && isCutSign(rest) && !place.isQuoted()) return visible;
      const decision = !isLast && isPartOfMarker(rest) ? 'wait' : decide(match.start, after, isLast);
      if (decision === 'wait') {
        held = rest;
        return visible;
      }
      if (decision === 'show') visible += show(match.start);
      else if (decision === 'drop') isBehindForm = true;
      else {
        isBehindForm = true;
        mode = decision;
        if (mode.kind === 'call') {
          if (!found) hiddenAt = shown.length;
          found = true;
          hidden ??= { text: rest, startsLine: place.isAtLineStart() };
        }
      }
      rest = mode.kind === 'json' ? rest : after;
    }
    return visible;
  };

  return {
    push: (text) => {
      if (hidden !== undefined) hidden.text += text;
      if (held === '' && mode.kind === 'text' && !mayHoldMarkup(text)) return show(text);
      const all = held + text;
      held = '';
      return scan(all, false);
    },
    end: () => {
      const rest = held;
      held = '';
      if (mode.kind === 'json' && isCallJson(rest)) {
        found = true;
        return '';
      }
      const visible = mode.kind === 'json' ? show(rest) : scan(rest, true);
      callAt = endingCall(shown, tools);
      found ||= callAt !== undefined;
      return visible;
    },
    found: () => found,
    hidden: () => (hidden?.startsLine ? hidden.text : undefined),
    text: () => {
      const answer = (hidden === undefined ? shown.slice(0, callAt) : withoutMarkup(shown, hiddenAt)).replace(
        outer,
        '',
      );
      return answerAt === 0 ? answer : answer.slice(answerAt).trimStart();
    },
    thought: () => shown.slice(0, answerAt),
  };
}

const marked = '<[^<>\\n]{0,80}[_|｜:‖][^\\n]{0,400}>';
const before = new RegExp(`(?:(?:^${marked}|<[|｜]\\w{1,30}[|｜]>)\\s*)+$`, 'm');
const behind = new RegExp(`^\\s*(?:${marked}\\s*)+`);
/** Whoever writes about a sign sets it apart. */
const outer = /(?<=[\p{L}\p{N}.!?。)])(?:<[|｜][^<>|｜\s]{1,40}[|｜]>\s*)+$/u;

/** Takes away what is left around a call: lines of tags that are of no document. */
function withoutMarkup(text: string, at: number): string {
  const [head, tail] = [text.slice(0, at).replace(before, ''), text.slice(at).replace(behind, '')];
  return head + (tail.trim() === '' && head.length < at ? '' : tail);
}

function isCutSign(rest: string): boolean {
  return rest.startsWith('<|close|>') && isPartOfMarker(rest);
}

const thinkingHead = 12;
const aboutThinking = /^ ?(?:is|tags?|and|marks?|blocks?|elements?|opens|begins|starts|wraps|`)\b/;

const fence = /^[ \t]*(```|~~~)/;

function createLineState() {
  let passed = '';
  let inFence = false;
  let line = { isBlank: true, isInCode: false, start: '' };
  let last = '';

  const look = () => {
    const lines = passed.split('\n');
    passed = '';
    for (const [index, part] of lines.entries()) {
      if (index > 0) {
        if (fence.test(line.start)) inFence = !inFence;
        line = { isBlank: true, isInCode: false, start: '' };
      }
      line.start = (line.start + part).slice(0, 20);
      line.isBlank &&= part.trim() === '';
      if ((part.split('`').length - 1) % 2 === 1) line.isInCode = !line.isInCode;
    }
  };
  return {
    pass: (text: string) => {
      passed += text;
      last = text.slice(-1) || last;
    },
    isQuoted: () => {
      look();
      const isIndented = line.isBlank && /^(?: {4}|\t)/.test(line.start);
      return inFence || line.isInCode || isIndented || /[\\"“‘«]$/.test(last);
    },
    // Whoever writes about a sign sets it apart.
    isGlued: () => /[\p{L}\p{N}>.!?。]$/u.test(last),
    isAtLineStart: () => {
      look();
      return line.isBlank;
    },
  };
}
