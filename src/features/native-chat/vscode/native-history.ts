import type { ToolDefinition } from '../../../service/contract.ts';
import type { HistoryImage, HistoryMessage, ToolCall } from '../../../shared/messages.ts';
import { freeName, maxTools } from '../../../tools/external-tools.ts';

export interface NativeMessage {
  role: 'system' | 'user' | 'assistant';
  parts: readonly NativePart[];
}

export type NativePart =
  | { kind: 'text'; text: string }
  | { kind: 'image'; image: HistoryImage }
  | { kind: 'call'; callId: string; name: string; input: object }
  | { kind: 'result'; callId: string; text: string };

/** Lists tools under names that the service accepts; `ownName` returns the name that VS Code knows. */
export interface NativeTools {
  definitions: readonly ToolDefinition[];
  alias(name: string): string;
  ownName(alias: string): string;
  leftOut: readonly string[];
}

/**
 * Makes the tools of a request from those of VS Code's chat. Services of this kind refuse names outside of
 * `^[A-Za-z0-9_-]{1,64}$` and more than 128 tools.
 */
export function nativeTools(
  tools: readonly { name: string; description: string; inputSchema?: object }[],
): NativeTools {
  const aliases = new Map<string, string>();
  const names = new Map<string, string>();
  const kept = tools.slice(0, maxTools);
  const definitions = kept.map(({ name, description, inputSchema }) => {
    const alias = freeName(name, new Set(names.keys()));
    aliases.set(name, alias);
    names.set(alias, name);
    return { name: alias, description, parameters: { type: 'object', properties: {}, required: [], ...inputSchema } };
  });
  return {
    definitions,
    alias: (name) => aliases.get(name) ?? freeName(name, new Set(names.keys())),
    ownName: (alias) => names.get(alias) ?? alias,
    leftOut: tools.slice(maxTools).map(({ name }) => name),
  };
}

/**
 * Converts the messages of VS Code's chat. Results come before the text of the same message, because they answer what
 * is before it.
 */
export function toHistoryMessages(
  messages: readonly NativeMessage[],
  model: string,
  alias: (name: string) => string,
): HistoryMessage[] {
  const names = new Map<string, string>();
  return messages.flatMap(({ role, parts }): HistoryMessage[] => {
    const text = parts.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('');
    if (role === 'system') return [{ role, text }];
    if (role === 'assistant') {
      const toolCalls: ToolCall[] = parts.flatMap((part) => {
        if (part.kind !== 'call') return [];
        names.set(part.callId, alias(part.name));
        return [{ id: part.callId, name: alias(part.name), arguments: JSON.stringify(part.input) }];
      });
      return text === '' && toolCalls.length === 0 ? [] : [{ role, text, model, toolCalls }];
    }
    const results: HistoryMessage[] = parts.flatMap((part) =>
      part.kind === 'result'
        ? [{ role: 'tool', callId: part.callId, name: names.get(part.callId) ?? 'tool', text: part.text }]
        : [],
    );
    const images = parts.flatMap((part) => (part.kind === 'image' ? [part.image] : []));
    if (text === '' && images.length === 0) return results;
    return [...results, { role, text, ...(images.length > 0 && { images }) }];
  });
}
