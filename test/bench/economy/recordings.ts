import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { HistoryMessage } from '../../../src/shared/messages.ts';
import type { Session } from './session.ts';

/**
 * What other agents left of their work, as our own history. Known are the files of mini-swe-agent (`*.traj.json`), of Codex
 * (`rollout-*.jsonl`), of pi (`session.jsonl`), and exports of Claude Code and Codex as chat messages. Tools and arguments
 * get the names that ours have; what they returned stays as it is.
 */
export async function readRecordings(folder: string): Promise<Session[]> {
  const files = (await readdir(folder)).filter((file) => /\.jsonl?(?:\.gz)?$/.test(file)).sort();
  const sessions = await Promise.all(
    files.map(async (file) => {
      const bytes = await readFile(path.join(folder, file));
      const text = (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString();
      return { name: file.replace(/\..*$/, ''), messages: toMessages(entriesOf(text)) };
    }),
  );
  return sessions.filter(({ messages }) => messages.length > 0);
}

/** A call, a result, or words, in whatever form the agent stores them. */
type Part =
  | { type: 'user'; text: string }
  | { type: 'assistant'; text: string }
  | { type: 'call'; id: string; name: string; args: Record<string, unknown> }
  | { type: 'result'; id: string; text: string };

type Json = Record<string, unknown>;

function entriesOf(text: string): Part[] {
  const [first = ''] = text.trimStart().split('\n');
  const isLines = first.startsWith('{') && first.trimEnd().endsWith('}');
  const entries = isLines
    ? text.split('\n').flatMap((line): Json[] => (line.trim() === '' ? [] : [JSON.parse(line)]))
    : list((JSON.parse(text) as Json).messages);
  return entries.flatMap(partsOf);
}

function partsOf(entry: Json): Part[] {
  if (entry.type === 'response_item') return codexParts(entry.payload as Json);
  if (entry.type === 'message') return chatParts(entry.message as Json);
  return 'role' in entry ? chatParts(entry) : [];
}

function codexParts(item: Json): Part[] {
  switch (item.type) {
    case 'message':
      return item.role === 'user' || item.role === 'assistant' ? words(item.role, textOf(item.content)) : [];
    case 'function_call':
      return [call(item.call_id, item.name, parsed(item.arguments))];
    case 'custom_tool_call':
      return [call(item.call_id, item.name, { input: item.input })];
    case 'function_call_output':
    case 'custom_tool_call_output':
      return [{ type: 'result', id: String(item.call_id), text: outputOf(item.output) }];
    default:
      return [];
  }
}

function outputOf(output: unknown): string {
  const inner = parsed(output);
  return typeof inner.output === 'string' ? inner.output : textOf(output);
}

function chatParts(message: Json): Part[] {
  const content = Array.isArray(message.content) ? list(message.content) : [];
  if (message.role === 'tool' || message.role === 'toolResult') {
    const id = String(message.tool_call_id ?? message.toolCallId);
    return [{ type: 'result', id, text: textOf(message.content) }];
  }
  if (message.role === 'user') return words('user', textOf(message.content));
  if (message.role !== 'assistant') return [];
  const inContent = content.flatMap((part) => {
    if (part.type === 'tool_call') return [call(part.tool_call_id, part.name, parsed(part.arguments))];
    return part.type === 'toolCall' ? [call(part.id, part.name, part.arguments as Json)] : [];
  });
  const beside = list(message.tool_calls).map((one) => {
    const { name, arguments: args } = one.function as Json;
    return call(one.id, name, parsed(args));
  });
  return [...words('assistant', textOf(message.content)), ...(inContent.length > 0 ? inContent : beside)];
}

function words(type: 'user' | 'assistant', text: string): Part[] {
  return text.trim() === '' ? [] : [{ type, text }];
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return list(content)
    .flatMap(({ text }) => (text === undefined ? [] : [textOf(text)]))
    .join('\n');
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value : [];
}

function parsed(text: unknown): Json {
  try {
    const value: unknown = JSON.parse(String(text));
    return typeof value === 'object' && value !== null ? (value as Json) : {};
  } catch {
    return {};
  }
}

function call(id: unknown, name: unknown, args: Json): Part {
  return { type: 'call', id: String(id), ...ownCall(String(name), args) };
}

/** As our tools name the same thing. */
function ownCall(name: string, args: Json): { name: string; args: Json } {
  const { file_path: file, path: place = file, old_string: search, new_string: replace, ...rest } = args;
  switch (name.toLowerCase()) {
    case 'read':
      return { name: 'read_file', args: { path: place, ...rest } };
    case 'edit':
      return { name: 'edit_file', args: { path: place, edits: rest.edits ?? [{ search, replace }] } };
    case 'write':
      return { name: 'create_file', args: { path: place, ...rest } };
    case 'apply_patch':
      return { name: 'edit_file', args: patchOf(String(args.input)) };
    case 'bash':
    case 'exec_command':
    case 'shell':
    case 'shell_command':
      return { name: 'run_command', args: { command: [args.command ?? args.cmd].flat().join(' ') } };
    case 'grep':
      return { name: 'search_text', args: { path: place, ...rest } };
    case 'glob':
      return { name: 'find_files', args: { path: place, ...rest } };
    case 'update_plan':
    case 'todowrite':
    case 'taskcreate':
    case 'taskupdate':
      return { name: 'update_plan', args };
    default:
      return { name, args };
  }
}

/** Each hunk of a patch as a search and what replaces it; a new file has no search. */
function patchOf(patch: string): Json {
  const edits: { search: string[]; replace: string[] }[] = [];
  let place: string | undefined;
  for (const line of patch.split('\n')) {
    const file = /^\*\*\* (?:Update|Add|Delete) File: (.*)$/.exec(line)?.[1];
    if (file !== undefined) place ??= file;
    if (file !== undefined || line.startsWith('@@')) edits.push({ search: [], replace: [] });
    const hunk = edits.at(-1);
    if (file !== undefined || hunk === undefined || !/^[ +-]/.test(line)) continue;
    if (!line.startsWith('+')) hunk.search.push(line.slice(1));
    if (!line.startsWith('-')) hunk.replace.push(line.slice(1));
  }
  const used = edits.filter(({ search, replace }) => search.length + replace.length > 0);
  return {
    path: place,
    edits: used.map(({ search, replace }) => ({ search: search.join('\n'), replace: replace.join('\n') })),
  };
}

const model = 'svc/kimi-k3';

/** Neighbouring words and calls of the agent are one answer; a call without a result is left out, and so is its result alone. */
function toMessages(parts: readonly Part[]): HistoryMessage[] {
  const results = new Map(parts.flatMap((part) => (part.type === 'result' ? [[part.id, part.text]] : [])));
  const messages: HistoryMessage[] = [];
  let answer: Extract<HistoryMessage, { role: 'assistant' }> | undefined;
  const close = () => {
    if (answer === undefined) return;
    messages.push(answer);
    for (const { id, name } of answer.toolCalls) {
      messages.push({ role: 'tool', callId: id, name, text: results.get(id) ?? '' });
    }
    answer = undefined;
  };
  for (const part of parts) {
    if (part.type === 'user') {
      close();
      messages.push({ role: 'user', text: part.text });
    } else if (part.type === 'result') close();
    else {
      if (part.type === 'call' && !results.has(part.id)) continue;
      answer ??= { role: 'assistant', text: '', model, toolCalls: [] };
      if (part.type === 'call') {
        answer.toolCalls.push({ id: part.id, name: part.name, arguments: JSON.stringify(part.args) });
      } else answer.text = answer.text === '' ? part.text : `${answer.text}\n${part.text}`;
    }
  }
  close();
  return messages;
}
