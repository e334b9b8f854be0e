// The sentences of the stand-in: quotes from tool results or attached code, and the plain statement of what it is.
import { commentAbove, declarationIn, fenced, pathOf, readLines } from './stand-in-code.ts';
import type { Attachment, FinishedStep, Question } from './stand-in-question.ts';
import { isFailedRead } from './stand-in-steps.ts';

const maxQuotedLines = 24;

const disclosure =
  'I am the local stand-in of the service: there is no language model behind me. I cannot reason; I only look things up and quote them.';

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
  const found = last.name === 'read_file' && path ? findAnswer(path, last.result, question.words) : '';
  if (found !== '') return [found, disclosure].join('\n\n');
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
  const found = readLines(code).flatMap(({ text }) => {
    const declared = declarationIn(text);
    return declared ? [`- ${declared.kind} \`${declared.name}\``] : [];
  });
  return found.length === 0 ? '' : `It declares:\n\n${found.slice(0, maxQuotedLines).join('\n')}`;
}

/**
 * The first line of a numbered file that says the most specific word, best in a declaration: where it is, what the comment above says,
 * and the values of the constants that the declaration names. Empty when no line says it.
 */
function findAnswer(path: string, result: string, words: readonly string[]): string {
  const lines = readLines(result);
  if (lines.every(({ number }) => number === undefined)) return '';
  for (const word of words) {
    const mentions = ({ text }: { text: string }) => text.toLowerCase().includes(word.toLowerCase());
    const declared = lines.findIndex((line) =>
      declarationIn(line.text)?.name.toLowerCase().includes(word.toLowerCase()),
    );
    // The name of a file that was asked about says nothing of its lines.
    const at = declared >= 0 || path.toLowerCase().includes(word.toLowerCase()) ? declared : lines.findIndex(mentions);
    const line = lines[at];
    if (line === undefined) continue;
    const place = `\`${path}:${line.number}\``;
    const { name } = declarationIn(line.text) ?? {};
    if (name === undefined) {
      const around = lines.slice(0, at).findLast(({ text }) => declarationIn(text) !== undefined);
      const inside = around === undefined ? '' : `, in \`${declarationIn(around.text)?.name}\``;
      return `${place}${inside}: ${inlineCode(line.text.trim().replace(/,$/, ''))}`;
    }
    const comment = commentAbove(lines, at);
    const body = lines.slice(at, at + maxQuotedLines).map(({ text }) => text);
    const values = lines.flatMap(({ text }) => {
      const [, constant, value] = text.match(/^\s*(?:export\s+)?const\s+(\w+)\s*=\s*([\d_.]+);?$/) ?? [];
      return constant && body.some((row) => row.includes(constant)) ? [`\`${constant}\` is ${value}`] : [];
    });
    const said = [`\`${name}\` in ${place}.`, comment, values.length === 0 ? '' : `${values.join(', and ')}.`];
    return `${said.filter((part) => part !== '').join(' ')}\n\n${fenced(declarationText(body), languageOf(path))}`;
  }
  return '';
}

/** Down to the line that closes it, as far as indentation tells. */
function declarationText(body: readonly string[]): string {
  const end = body.findIndex((row, at) => at > 0 && /^\S/.test(row));
  const closes = end > 0 && /^[)}\]]/.test(body[end] ?? '');
  return body
    .slice(0, end < 0 ? body.length : closes ? end + 1 : end)
    .join('\n')
    .trimEnd();
}

/** The lines around the first mention of a searched word, else the first lines. */
function excerpt(result: string, words: readonly string[]): { text: string; isPart: boolean } {
  const lines = result.split('\n');
  if (lines.length <= maxQuotedLines) return { text: result, isPart: false };
  const mention = words.map((word) => lines.findIndex((line) => line.includes(word))).find((index) => index >= 0);
  const start = Math.max(0, (mention ?? 0) - 3);
  return { text: lines.slice(start, start + maxQuotedLines).join('\n'), isPart: mention !== undefined };
}

function inlineCode(text: string): string {
  return `\`${shorten(text.replaceAll('`', "'"), 160)}\``;
}

function shorten(text: string, length: number): string {
  const characters = [...text.replace(/\s+/g, ' ')];
  return characters.length <= length ? characters.join('') : `${characters.slice(0, length).join('')}…`;
}

function languageOf(path: string | undefined): string {
  return path?.match(/\.(\w+)$/)?.[1] ?? '';
}
