// What the stand-in can do besides looking: one kind of edit, two of comments and numbers, and a command that it is told.
import type { ChatTool } from './chat-request.ts';
import { type CodeLine, commentAbove, declarationIn, fenced, pathOf, readLines } from './stand-in-code.ts';
import type { FinishedStep, PlannedCall, Question } from './stand-in-question.ts';

interface Replacement {
  line: number;
  search: string;
  replace: string;
}

const maxComments = 3;

/** A question that asks for work: its call once the file was read, or right away for a command. */
export function workCall(
  tools: readonly ChatTool[],
  { text }: Question,
  steps: readonly FinishedStep[],
): PlannedCall | undefined {
  const offered = (name: string) => tools.some((tool) => tool.function.name === name);
  const command = commandIn(text);
  if (command !== undefined) {
    return steps.length === 0 && offered('run_command')
      ? { name: 'run_command', arguments: JSON.stringify({ command }) }
      : undefined;
  }
  const last = steps.at(-1);
  const path = last?.name === 'read_file' ? pathOf(last.arguments) : undefined;
  if (path === undefined || !offered('edit_file')) return undefined;
  const edits = replacements(text, readLines(last?.result ?? '')).map(({ search, replace }) => ({ search, replace }));
  return edits.length === 0 ? undefined : { name: 'edit_file', arguments: JSON.stringify({ path, edits }) };
}

/** The answer to such a question once its call has returned; undefined for any other. */
export function answerFromWork({ text }: Question, steps: readonly FinishedStep[]): string | undefined {
  const last = steps.at(-1);
  if (last?.name === 'run_command') {
    const [head = '', ...printed] = last.result.split('\n');
    const tail = printed.slice(-12).join('\n');
    return [`\`${commandIn(text)}\`: ${head}`, tail === '' ? '' : fenced(tail, '')].join('\n\n').trim();
  }
  if (last?.name !== 'edit_file') return undefined;
  const path = pathOf(last.arguments);
  const read = steps.findLast(({ name }) => name === 'read_file');
  const planned = replacements(text, readLines(read?.result ?? ''));
  if (!/edited|changed|[+−-]\d/i.test(last.result.split('\n')[0] ?? '')) {
    return `The file is as it was. ${last.result.split('\n')[0]}`;
  }
  const rows = planned.map(({ line, replace }) => `- \`${path}:${line}\`: \`${replace.split('\n')[0]?.trim()}\``);
  return [`I changed ${planned.length === 1 ? 'one place' : `${planned.length} places`}:`, rows.join('\n')].join(
    '\n\n',
  );
}

function commandIn(text: string): string | undefined {
  if (/^run the tests\b/i.test(text)) return 'npm test';
  return text.match(/^run `([^`\n]+)`/i)?.[1];
}

/** Edits of the lines that were read: each replaces one whole line that is there only once. */
function replacements(text: string, lines: readonly CodeLine[]): Replacement[] {
  const found = changes(text, lines).slice(0, wantedEuros(text) === undefined ? maxComments : undefined);
  return found.filter(({ search }) => lines.filter((line) => line.text === search).length === 1);
}

/** All lines with the same edits in them; undefined where the text asks for nothing that can be done without a model. */
export function writtenFor(text: string, rows: readonly string[]): readonly string[] | undefined {
  const lines = rows.map((row, at): CodeLine => ({ number: at + 1, text: row }));
  const written = new Map(changes(text, lines).map(({ line, replace }) => [line, replace]));
  return written.size === 0 ? undefined : rows.map((row, at) => written.get(at + 1) ?? row);
}

function changes(text: string, lines: readonly CodeLine[]): Replacement[] {
  const euros = wantedEuros(text);
  if (euros !== undefined) return lines.flatMap((line) => replaced(line, freeFrom(line.text, euros)));
  return /\bcomments? above\b.*\bdeclarations?\b/i.test(text) ? commentsFor(lines) : [];
}

function wantedEuros(text: string): number | undefined {
  const wanted = /\bfree from (\d+) euros?\b/i.exec(text)?.[1];
  return wanted === undefined ? undefined : Number(wanted);
}

/** A sentence that says from how many euros on something is free, and the constant in cents that decides it. */
function freeFrom(line: string, euros: number): string {
  return line
    .replace(/(\bfree from )\d+( euros\b)/i, `$1${euros}$2`)
    .replace(/(\bfree\w*cents\s*=\s*)\d+/i, `$1${euros * 100}`);
}

function commentsFor(lines: readonly CodeLine[]): Replacement[] {
  return lines.flatMap((line, at) => {
    const declared = /^\s/.test(line.text) ? undefined : declarationIn(line.text);
    if (declared === undefined || commentAbove(lines, at) !== '') return [];
    const sign = declared.kind === 'def' ? '#' : '//';
    return replaced(line, `${sign} The ${declared.kind} ${declared.name}.\n${line.text}`);
  });
}

function replaced({ number, text }: CodeLine, replace: string): Replacement[] {
  return number === undefined || replace === text ? [] : [{ line: number, search: text, replace }];
}
