// An edit in the editor: the marked part comes back whole in one block of code, as the instruction wants it where that can be done without a model.
import { type ChatRequest, messageText } from './chat-request.ts';
import { fenced } from './stand-in-code.ts';
import { writtenFor } from './stand-in-work.ts';

const markedPart =
  /^File: [^\n]* \((\S+)\)\n\n[\s\S]*?^<{7} marked part begins\n([\s\S]*?)\n>{7} marked part ends$[\s\S]*^Instruction: ([\s\S]*)/m;

type Marks = readonly [before: string, after: string];
const slashes: Marks = ['// ', ''];
const hash: Marks = ['# ', ''];
const tags: Marks = ['<!-- ', ' -->'];
const comments: Readonly<Record<string, Marks>> = {
  python: hash,
  ruby: hash,
  shellscript: hash,
  yaml: hash,
  toml: hash,
  dockerfile: hash,
  makefile: hash,
  html: tags,
  xml: tags,
  markdown: tags,
  css: ['/* ', ' */'],
};

/** Undefined for a request of another kind. */
export function answerInline(request: ChatRequest): string | undefined {
  const message = request.messages.findLast(({ role }) => role === 'user');
  const [, language = '', part, instruction = ''] = markedPart.exec(message ? messageText(message) : '') ?? [];
  if (part === undefined) return undefined;
  const lines = part.split('\n');
  const written = writtenFor(instruction, lines);
  return fenced((written ?? noted(lines, instruction, language)).join('\n'), language);
}

/** Below a comment that says what was asked for: whoever tries the editor sees an edit, and that no model wrote it. */
function noted(lines: readonly string[], instruction: string, language: string): readonly string[] {
  // JSON has no comments.
  if (/^json/.test(language)) return lines;
  const [before, after] = comments[language] ?? slashes;
  const [indent] = lines.find((line) => line.trim() !== '')?.match(/^\s*/) ?? [''];
  const asked = instruction.trim().replace(/\s+/g, ' ').slice(0, 100);
  return [`${indent}${before}The local stand-in cannot reason. It was asked: ${asked}${after}`, ...lines];
}
