// Which tool the stand-in calls next. A fixed plan: find or search, read, do, answer. At most four calls for one question.
import type { ChatRequest, ChatTool } from './chat-request.ts';
import { messageText } from './chat-request.ts';
import { declarationIn } from './stand-in-code.ts';
import type { FinishedStep, PlannedCall, Question } from './stand-in-question.ts';
import { workCall } from './stand-in-work.ts';
import { toArguments, type Wish } from './tool-arguments.ts';

/** A place in a file, as search results name it. */
export interface Hit {
  path: string;
  line: number;
}

const maxSteps = 4;
const pathNames = /^(path|file|file_?path|file_?name|uri)$/i;
const queryNames = /^(query|pattern|text|term|search)/i;
const startNames = /^(start|from|first|begin).*|^offset$/i;
const endNames = /^(end|to|last).*/i;
const linesBeforeHit = 10;
const linesAfterHit = 30;

export function finishedSteps(request: ChatRequest): FinishedStep[] {
  const lastUser = request.messages.findLastIndex(({ role }) => role === 'user');
  const since = request.messages.slice(lastUser + 1);
  const results = new Map(
    since.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, messageText(message)]] : [])),
  );
  return since
    .flatMap((message) => message.tool_calls ?? [])
    .map((call) => ({ ...call.function, result: results.get(call.id) ?? '' }));
}

/** The next call, or undefined when it is time to answer. */
export function nextCall(
  request: ChatRequest,
  question: Question,
  steps: readonly FinishedStep[],
): PlannedCall | undefined {
  const tools = request.tools ?? [];
  if (tools.length === 0 || steps.length >= maxSteps || request.tool_choice === 'none') return undefined;
  const plan =
    forcedCall(request, question, steps) ??
    workCall(tools, question, steps) ??
    fileCall(tools, question, steps) ??
    foreignCall(tools, question, steps) ??
    requiredCall(request, question, steps);
  const repeated = steps.some((step) => step.name === plan?.name && step.arguments === plan.arguments);
  return repeated ? undefined : plan;
}

/** `tool_choice` naming a function is obeyed once. */
function forcedCall(
  { tools, tool_choice: choice }: ChatRequest,
  question: Question,
  steps: readonly FinishedStep[],
): PlannedCall | undefined {
  if (steps.length > 0 || typeof choice !== 'object' || choice === null || !('function' in choice)) return undefined;
  const wanted = choice.function;
  const name = typeof wanted === 'object' && wanted !== null && 'name' in wanted ? wanted.name : undefined;
  const tool = tools?.find((candidate) => candidate.function.name === name);
  return tool && guessCall(tool, question);
}

/** `tool_choice: required`: some call is made, though nothing in the question asks for one. */
function requiredCall(
  { tools, tool_choice: choice }: ChatRequest,
  question: Question,
  steps: readonly FinishedStep[],
): PlannedCall | undefined {
  const [first] = tools ?? [];
  return choice === 'required' && steps.length === 0 && first !== undefined ? guessCall(first, question) : undefined;
}

function fileCall(tools: ChatTool[], question: Question, steps: readonly FinishedStep[]): PlannedCall | undefined {
  const call = (name: string, wishes: Wish[]): PlannedCall | undefined => {
    const tool = tools.find((candidate) => candidate.function.name === name);
    return tool && { name, arguments: JSON.stringify(toArguments(tool, wishes)) };
  };
  const read = ({ path, line }: Hit): PlannedCall | undefined =>
    call('read_file', [
      { names: pathNames, value: path },
      ...(line > 0
        ? [
            { names: startNames, value: Math.max(1, line - linesBeforeHit) },
            { names: endNames, value: line + linesAfterHit },
          ]
        : []),
    ]);
  const search = (word: string | undefined): PlannedCall | undefined =>
    word === undefined ? undefined : call('search_text', [{ names: queryNames, value: word }]);

  const [file] = question.files;
  const last = steps.at(-1);
  if (last?.name === 'edit_file' || last?.name === 'run_command') return undefined;
  if (!last) {
    if (file?.includes('/')) return read({ path: file, line: 0 });
    if (file) return call('find_files', [{ names: queryNames, value: `**/${file}` }]) ?? read({ path: file, line: 0 });
    if (asksForListing(question.text)) return call('list_directory', [{ names: pathNames, value: '.' }]);
    return search(question.words[0]);
  }
  if (last.name === 'find_files') {
    const path = findPath(last.result, file?.split('/').at(-1) ?? '');
    return path === undefined ? search(question.words[0]) : read({ path, line: 0 });
  }
  if (last.name === 'search_text') {
    const searched = String(JSON.parse(last.arguments).query ?? question.words[0] ?? '');
    const hit = bestHit(last.result, searched);
    if (hit) return read(hit);
    const searches = steps.filter(({ name }) => name === 'search_text').length;
    return searches < 2 ? search(question.words[searches]) : call('list_directory', [{ names: pathNames, value: '.' }]);
  }
  const searchedByName = steps.some(({ name }) => name === 'find_files');
  if (last.name === 'read_file' && file && !searchedByName && isFailedRead(last.result)) {
    return call('find_files', [{ names: queryNames, value: `**/${file.split('/').at(-1)}` }]);
  }
  return undefined;
}

/** One short line that tells of an error, where a file's text was expected. */
export function isFailedRead(result: string): boolean {
  return (
    !result.trim().includes('\n') &&
    /^error\b|no (such )?file|not found|is a folder|cannot be read/i.test(result.trim())
  );
}

function asksForListing(text: string): boolean {
  return /\b(list|which|what|show)\b.*\b(files|folders?|director(y|ies)|structure)\b/i.test(text);
}

/** A tool of another kind is called once, when the question shares a word with its name. */
function foreignCall(tools: ChatTool[], question: Question, steps: readonly FinishedStep[]): PlannedCall | undefined {
  if (steps.length > 0) return undefined;
  const text = question.text.toLowerCase();
  const known = ['read_file', 'list_directory', 'find_files', 'search_text'];
  const tool = tools
    .filter(({ function: { name } }) => !known.includes(name))
    .find(({ function: { name } }) =>
      name.split(/[_\W]+|(?=[A-Z])/).some((part) => part.length > 3 && text.includes(part.toLowerCase())),
    );
  return tool && guessCall(tool, question);
}

function guessCall(tool: ChatTool, question: Question): PlannedCall {
  const proper = question.text.match(/(?<=\S\s)\p{Lu}[\p{L}\p{N}]+/u)?.[0];
  const number = question.text.match(/\d+/)?.[0];
  const value = proper ?? question.files[0] ?? question.words.at(-1) ?? question.text;
  const wishes: Wish[] = [{ names: /./, value }, ...(number ? [{ names: /./, value: Number(number) }] : [])];
  const { name } = tool.function;
  return { name, arguments: JSON.stringify(toArguments(tool, wishes)) };
}

/** The first path in a result that ends in `name`. */
export function findPath(result: string, name: string): string | undefined {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return result.match(new RegExp(`(?:^|[\\s"'\`(])((?:[^\\s"'\`()]*/)?${escaped})(?=$|[\\s"'\`):,])`, 'im'))?.[1];
}

/**
 * Places named as `path:line` in a result; undefined when there is none. Where `word` is declared comes first, then source code,
 * then tests and prose.
 */
export function bestHit(result: string, word = ''): Hit | undefined {
  const hits: (Hit & { text: string })[] = [];
  let heading = '';
  for (const line of result.split('\n')) {
    const inline = line.match(/^\s*(?:[-*]\s+)?[`"']?([^:`"'\n]+\.\w+)[`"']?:(\d+)[`"']?:?\s?(.*)/);
    const own = line.match(/^\s*(?:line\s+)?(\d+)\s*[:|\t]\s?(.*)/i);
    if (inline?.[1]) hits.push({ path: inline[1].trim(), line: Number(inline[2]), text: inline[3] ?? '' });
    else if (own && heading !== '') hits.push({ path: heading, line: Number(own[1]), text: own[2] ?? '' });
    else heading = line.match(/^[#\s`*]*((?:[\w@.()[\]-]+\/)*[\w@.()[\]-]+\.\w+)[`*]*(?=$|[\s:(])/)?.[1] ?? heading;
  }
  const primary = hits.filter(({ path }) => !isSecondary(path));
  const declares = ({ text }: { text: string }) =>
    word !== '' && declarationIn(text)?.name.toLowerCase().includes(word.toLowerCase()) === true;
  // A field of an interface or a local variable may be called the same.
  const best = primary.find((hit) => declares(hit) && !/^\s/.test(hit.text)) ?? primary.find(declares);
  const hit = best ?? primary[0] ?? hits[0];
  return hit && { path: hit.path, line: hit.line };
}

function isSecondary(path: string): boolean {
  return /(^|\/)(tests?|__tests__|docs?|node_modules|dist)\/|\.(test|spec|md|txt|json|lock)\b/i.test(path);
}
