import type { HistoryMessage } from '../../../src/shared/messages.ts';

/** What an agent did, as the messages that it left, without the system message. */
export interface Session {
  name: string;
  messages: HistoryMessage[];
}

const texts = new WeakMap<HistoryMessage, string>();

/** All that a message says, arguments as they were before they became JSON. */
export function textOf(message: HistoryMessage): string {
  const known = texts.get(message);
  if (known !== undefined) return known;
  const calls = message.role === 'assistant' ? message.toolCalls : [];
  const text = [message.text, ...calls.map((call) => leaves(call.arguments).join('\n'))].join('\n');
  texts.set(message, text);
  return text;
}

export function leaves(args: string): string[] {
  try {
    return leavesOf(JSON.parse(args));
  } catch {
    return [args];
  }
}

export function leavesOf(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf);
  return value === null || value === undefined ? [] : [String(value)];
}
