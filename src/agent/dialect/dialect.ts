import type { ToolCall } from '../../shared/messages.ts';
import { decodeArguments, parseArguments } from '../parse-arguments.ts';
import type { Tool } from '../tool.ts';
import { plainToolName } from './plain-tool-name.ts';

/** Arguments of a call as they were written. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A call under one of our names; its arguments are read by `parseArguments` like those of any other. */
export interface OwnCall {
  name: string;
  arguments: Arguments;
}

/** A tool of ours in the words of other agents. */
export interface ToolDialect {
  /** Names of tools of other agents that do the same, in plain form. */
  names: readonly string[];
  /**
   * Their arguments in our words, one or several calls; a sentence for the model where a guess would be needed. `called` is the
   * plain form of the name that was written. Names that only differ from ours are left as they are.
   */
  translate(args: Arguments, called: string): readonly OwnCall[] | string;
}

/** Tools of other agents for which nothing here can do under any name. */
export interface Absent {
  names: readonly string[];
  sentence: string;
}

export interface DialectWords {
  tools: readonly { name: string; dialect: ToolDialect }[];
  absent: readonly Absent[];
  /** Names, in plain form, of calls that end a turn with a text. */
  endings: readonly string[];
}

/** `refusal`: the call was understood and is not run, so it does not count as one that cannot be read. */
export type Understood =
  | { kind: 'calls'; calls: readonly Pick<ToolCall, 'name' | 'arguments'>[]; note?: string }
  | { kind: 'refusal'; sentence: string }
  | { kind: 'ending'; text: string };

export interface Dialect {
  /** Reads a call with the tools that are offered. One that nobody knows comes back as it is. */
  understand(call: Pick<ToolCall, 'name' | 'arguments'>, offered: readonly Tool[]): Understood;
}

/** Calls that one call of another agent may become. */
const mostCalls = 16;
/** Where the text of an ending stands, in this order. */
const endingTexts = ['result', 'answer', 'message', 'text', 'response', 'summary', 'output', 'plan'];

/**
 * Models fall back into the tools of the agents that they were trained with. A name that is offered is never touched; any other
 * one is compared in plain form with what the tools of ours are called elsewhere, never by likeness: two readings are none.
 */
export function createDialect({ tools, absent, endings }: DialectWords): Dialect {
  const byName = new Map(
    tools.flatMap((tool) => [tool.name, ...tool.dialect.names].map((name) => [plainToolName(name), tool])),
  );
  const sentences = new Map(absent.flatMap(({ names, sentence }) => names.map((name) => [name, sentence])));

  function translate(
    { name, dialect }: DialectWords['tools'][number],
    call: Pick<ToolCall, 'name' | 'arguments'>,
    offered: readonly Tool[],
  ): Understood {
    const called = plainToolName(call.name);
    const note = called === plainToolName(name) ? {} : { note: `[${shortName(call.name)} is ${name} here.]` };
    const decoded = decodeWrapped(call.arguments);
    if (decoded === undefined) return { kind: 'calls', calls: [{ name, arguments: call.arguments }], ...note };
    const own = dialect.translate(decoded, called);
    if (typeof own === 'string') return { kind: 'refusal', sentence: own };
    if (own.length > mostCalls) return { kind: 'refusal', sentence: `At most ${mostCalls} at once: make more calls.` };
    const missing = own.find((one) => !offered.some((tool) => tool.name === one.name));
    if (missing) return { kind: 'refusal', sentence: `${missing.name} is not offered now. Go on without it.` };
    return {
      kind: 'calls',
      calls: own.map((one) => ({ name: one.name, arguments: JSON.stringify(one.arguments) })),
      ...note,
    };
  }

  function understand(call: Pick<ToolCall, 'name' | 'arguments'>, offered: readonly Tool[]): Understood {
    const asIs: Understood = { kind: 'calls', calls: [call] };
    const exact = offered.find((tool) => tool.name === call.name);
    const plain = plainToolName(call.name);
    const meant = byName.get(plain);
    if (exact !== undefined) {
      // Many agents use the same names for other arguments.
      if (meant?.name !== exact.name || parseArguments(exact, call.arguments).ok) return asIs;
      const translated = translate(meant, call, offered);
      return isReadable(translated, offered) ? translated : asIs;
    }
    if (meant !== undefined) return translate(meant, call, offered);
    if (endings.includes(plain)) return { kind: 'ending', text: endingText(call.arguments) };
    const sentence = sentences.get(plain);
    return sentence === undefined ? asIs : { kind: 'refusal', sentence };
  }

  return {
    understand(call, offered) {
      const several = offered.some(({ name }) => name === call.name) ? undefined : parallelCalls(call);
      if (several === undefined) return understand(call, offered);
      const understood = several.map((one) => understand(one, offered));
      const refused = understood.find((one) => one.kind !== 'calls');
      if (refused !== undefined) return refused;
      const calls = understood.flatMap((one) => (one.kind === 'calls' ? one.calls : []));
      return calls.length > mostCalls
        ? { kind: 'refusal', sentence: `At most ${mostCalls} at once: make more calls.` }
        : { kind: 'calls', calls };
    },
  };
}

function isReadable(understood: Understood, offered: readonly Tool[]): boolean {
  if (understood.kind !== 'calls') return understood.kind === 'refusal';
  return understood.calls.every((call) => {
    const tool = offered.find(({ name }) => name === call.name);
    return tool !== undefined && parseArguments(tool, call.arguments).ok;
  });
}

/** The members that the wrapper of parallel calls holds; undefined for every other call. */
function parallelCalls(call: Pick<ToolCall, 'name' | 'arguments'>): Pick<ToolCall, 'name' | 'arguments'>[] | undefined {
  if (plainToolName(call.name) !== 'multitooluseparallel') return undefined;
  const uses = decodeWrapped(call.arguments)?.tool_uses;
  if (!Array.isArray(uses) || uses.length === 0) return undefined;
  const members = uses.flatMap((use: unknown) => {
    if (typeof use !== 'object' || use === null || !('recipient_name' in use) || !('parameters' in use)) return [];
    return [{ name: String(use.recipient_name), arguments: JSON.stringify(use.parameters) }];
  });
  return members.length === uses.length ? members : undefined;
}

/** The object of arguments, also where it is the only entry of a list or stands under `arguments` or `input` alone. */
function decodeWrapped(raw: string): Arguments | undefined {
  const list = /^\s*\[([\s\S]*)\]\s*$/.exec(raw)?.[1];
  const decoded = decodeArguments(raw);
  const value = decoded.ok || list === undefined ? decoded : decodeArguments(list);
  if (!value.ok) return undefined;
  const [[key, inner] = [], ...more] = Object.entries(value.value);
  const isWrapper = more.length === 0 && (key === 'arguments' || key === 'input');
  if (!isWrapper) return value.value as Arguments;
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return inner as Arguments;
  return value.value as Arguments;
}

function endingText(raw: string): string {
  const decoded = decodeWrapped(raw) ?? {};
  const texts = endingTexts.map((name) => decoded[name]).filter((text) => typeof text === 'string');
  return texts.find((text) => text.trim() !== '') ?? '';
}

function shortName(name: string): string {
  return name.slice(0, 60).toWellFormed();
}
