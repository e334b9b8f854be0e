// The sentences of the stand-in: quotes from tool results or attached code, and the plain statement of what it is.
import type { Attachment, Question } from './stand-in-question.ts';
import { type FinishedStep, isFailedRead } from './stand-in-steps.ts';

const maxQuotedLines = 24;

const disclosure =
  'I am the local stand-in of the service: there is no language model behind me. I cannot reason; I only look things up and quote them.';

const declaration =
  /^\s*(?:export\s+|default\s+|public\s+|private\s+|protected\s+|static\s+|abstract\s+|async\s+|pub(?:\(\w+\))?\s+)*(function\*?|class|interface|type|enum|const|let|var|def|fn|func|struct|trait|impl|module|namespace)\s+([A-Za-z_$][\w$]*)/;

export function answerFromSteps(question: Question, steps: readonly FinishedStep[]): string {
  const last = steps.at(-1);
  const looked = steps.map((step) => `- \`${step.name}\` ${inlineCode(step.arguments)}`).join('\n');
  if (!last) return introduce(question);
  const { text, isPart } = excerpt(last.result, question.words);
  const path = pathOf(last.arguments);
  const where =
    last.name === 'read_file' && path && !isFailedRead(last.result)
      ? `From \`${path}\``
      : `From what \`${last.name}\` returned`;
  const declared = last.name === 'read_file' ? describeDeclarations(last.result) : '';
  return [
    `${where}${isPart ? ', the lines that mention it' : ''}:`,
    fenced(text, last.name === 'read_file' ? languageOf(path) : ''),
    declared,
    `What I looked at:\n${looked}`,
    disclosure,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function answerFromAttachments({ attachments }: Question): string {
  return [...attachments.map(describeAttachment), disclosure].join('\n\n');
}

export function introduce(question: Question, imageCount = 0): string {
  const heard = question.text === '' ? 'Your message has no text.' : `You wrote: "${shorten(question.text, 200)}"`;
  const images = imageCount > 0 ? `It came with ${imageCount} image(s), which I received but cannot see.` : '';
  return [
    disclosure,
    [heard, images].filter((part) => part !== '').join(' '),
    'Name a file or an identifier and I will look it up with the tools that are offered, or attach code and I will list what it declares.',
  ].join('\n\n');
}

function describeAttachment({ label, code }: Attachment): string {
  const lines = code.split('\n');
  const kind = label === '' ? 'code' : `\`${label}\``;
  const declared = describeDeclarations(code) || 'I find no declarations in it.';
  return [
    `The attached ${kind} has ${lines.length} line${lines.length === 1 ? '' : 's'}. ${declared}`,
    `It begins:\n\n${fenced(lines.slice(0, 6).join('\n'), /^\w+$/.test(label) ? label : '')}`,
  ].join('\n\n');
}

function describeDeclarations(code: string): string {
  const found = code.split('\n').flatMap((line) => {
    const [, kind, name] = line.replace(/^\s*\d+\s*[:|\t]\s?/, '').match(declaration) ?? [];
    return kind && name ? [`- ${kind} \`${name}\``] : [];
  });
  return found.length === 0 ? '' : `It declares:\n\n${found.slice(0, maxQuotedLines).join('\n')}`;
}

/** The lines around the first mention of a searched word, else the first lines. */
function excerpt(result: string, words: readonly string[]): { text: string; isPart: boolean } {
  const lines = result.split('\n');
  if (lines.length <= maxQuotedLines) return { text: result, isPart: false };
  const mention = words.map((word) => lines.findIndex((line) => line.includes(word))).find((index) => index >= 0);
  const start = Math.max(0, (mention ?? 0) - 3);
  return { text: lines.slice(start, start + maxQuotedLines).join('\n'), isPart: mention !== undefined };
}

/** A fence longer than any in the text, so that a quoted file cannot end it. */
function fenced(text: string, language: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const marks = '`'.repeat(longest + 1);
  return `${marks}${language}\n${text}\n${marks}`;
}

function inlineCode(text: string): string {
  return `\`${shorten(text.replaceAll('`', "'"), 160)}\``;
}

function shorten(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length).join('')}…`;
}

function pathOf(json: string): string | undefined {
  return json.match(/"(?:path|file|file_?path|filename|uri)":"([^"]+)"/i)?.[1];
}

function languageOf(path: string | undefined): string {
  return path?.match(/\.(\w+)$/)?.[1] ?? '';
}
