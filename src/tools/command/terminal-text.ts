/**
 * Removes from output what controls a terminal: escape sequences of all kinds, also when they come in pieces, and
 * control characters except tab, line end and carriage return. One instance reads one stream in order. With
 * `keepsColors`, sequences that only style the text stay, for a terminal.
 */
export function createTerminalText({ keepsColors = false } = {}): (chunk: string) => string {
  let state: State = 'text';
  let sequence = '';
  let stringLength = 0;
  return (given) => {
    // This covers nearly all output: reading it sign by sign would take seconds for a program that prints without end.
    const chunk = state === 'text' && !keepsColors ? given.replaceAll(color, '') : given;
    if (state === 'text' && !mayControl.test(chunk)) return chunk;
    // Apart, so that taking the last one back costs the same however many there are.
    const shown: string[] = [];
    for (const character of chunk) {
      const code = character.codePointAt(0) ?? 0;
      const next = step(state, code);
      stringLength = next === 'string' ? stringLength + 1 : 0;
      if (keepsColors && state === 'csi' && sequence.length < maxColorLength) sequence += character;
      if (state === 'csi' && next === 'text' && /^[\d;:]*m$/.test(sequence)) shown.push(`\u001b[${sequence}`);
      if (state !== 'csi' || next !== 'csi') sequence = '';
      if (state === 'text' && next === 'text') {
        if (code === 0x08) shown.pop();
        else if (isShown(code)) shown.push(character);
      } else if (code === lineFeed && (next === 'csi' || next === 'escape')) {
        shown.push(character);
      }
      // A string that nobody ends must not swallow the rest of the output.
      state = stringLength > maxStringLength ? 'text' : next;
    }
    return shown.join('');
  };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: that is the sequence
const color = /\u001b\[[\d;:]{0,40}m/g;
const mayControl = /(?![\t\n\r])\p{Cc}/u;

type State = 'text' | 'escape' | 'csi' | 'string' | 'stringEscape';

const escapeCode = 0x1b;
const lineFeed = 0x0a;
const maxStringLength = 4096;
const maxColorLength = 40;

function step(state: State, code: number): State {
  if (code === escapeCode) return state === 'string' ? 'stringEscape' : 'escape';
  switch (state) {
    case 'text':
      return afterControl(code);
    case 'escape':
    case 'stringEscape':
      return afterEscape(code);
    case 'csi':
      return code >= 0x40 && code <= 0x7e ? 'text' : 'csi';
    case 'string':
      return code === 0x07 || code === 0x9c || code === 0x18 || code === 0x1a ? 'text' : 'string';
  }
}

function afterControl(code: number): State {
  if (code === 0x9b) return 'csi';
  return code === 0x90 || code === 0x98 || (code >= 0x9d && code <= 0x9f) ? 'string' : 'text';
}

function afterEscape(code: number): State {
  const character = String.fromCodePoint(code);
  if (character === '[') return 'csi';
  if (']PX^_'.includes(character)) return 'string';
  // Intermediate bytes, and line ends that some programs print in the middle.
  return (code >= 0x20 && code <= 0x2f) || code < 0x20 ? 'escape' : 'text';
}

function isShown(code: number): boolean {
  if (code === 0x09 || code === lineFeed || code === 0x0d) return true;
  return code >= 0x20 && !(code >= 0x7f && code <= 0x9f);
}

export interface LineJoiner {
  push(text: string): void;
  unfinished(): string;
  flush(): void;
}

/**
 * Joins text to the lines that a screen would show at the end: of a line that is overwritten again and again (a
 * progress bar) the last form counts. Whole lines go to `onText`.
 */
export function createLineJoiner(onText: (text: string) => void): LineJoiner {
  let line = '';
  let returned = false;
  const give = (text: string) => {
    if (text !== '') onText(text);
    line = '';
  };
  const pushPart = (part: string) => {
    if (part === '\n') {
      give(`${line}\n`);
      returned = false;
    } else if (part === '\r') {
      returned = true;
    } else if (part !== '') {
      line = returned ? part : line + part;
      returned = false;
    }
    if (line.length > maxLineLength) give(line);
  };
  return {
    push(text) {
      const end = text.lastIndexOf('\n') + 1;
      if (returned || text.includes('\r')) {
        for (const part of text.split(/([\r\n])/)) pushPart(part);
        return;
      }
      if (end > 0) give(line + text.slice(0, end));
      pushPart(text.slice(end));
    },
    unfinished: () => line,
    flush: () => give(line),
  };
}

const maxLineLength = 64 * 1024;
