import type { PlanItem } from '../../shared/approval.ts';
import type { ToolCall } from '../../shared/messages.ts';
import { decodeArguments, parseArguments } from '../parse-arguments.ts';
import type { Tool } from '../tool.ts';
import { plainToolName } from './plain-tool-name.ts';

/** Arguments of a call as they were written. */
export type Arguments = Readonly<Record<string, unknown>>;

type Written = Pick<ToolCall, 'name' | 'arguments'>;

/** A call under one of our names; its arguments are read by `parseArguments` like those of any other. */
export interface OwnCall {
  name: string;
  arguments: Arguments;
}

/** Looked for only where a call changes a part of it. */
type LastPlan = () => readonly PlanItem[];

/** A tool of ours in the words of other agents. Names stand in one text, in plain form, with blanks between them. */
export interface ToolDialect {
  /** Names of tools of other agents that do the same. */
  names: string;
  /**
   * Their arguments in our words, one or several calls; a sentence for the model where a guess would be needed. `called` is the
   * plain form of the name that was written. Names that only differ from ours are left as they are.
   */
  translate(args: Arguments, called: string, plan: LastPlan): readonly OwnCall[] | string;
}

/** Tools of other agents for which nothing here can do under any name. */
export interface Absent {
  names: string;
  sentence: string;
}

export interface DialectWords {
  tools: readonly { name: string; dialect: ToolDialect }[];
  absent: readonly Absent[];
  /** Names of calls that end a turn with a text. */
  endings: string;
}

/** `refusal`: the call was understood and is not run, so it does not count as one that cannot be read. */
export type Understood =
  | { kind: 'calls'; calls: readonly Written[]; note?: string }
  | { kind: 'refusal'; sentence: string }
  | { kind: 'ending'; text: string };

export interface Dialect {
  /** Whether a tool of ours or of other agents is called so. */
  recognises(name: string): boolean;
  /** Reads a call with the tools that are offered and the last plan. One that nobody knows comes back as it is. */
  understand(call: Written, offered: readonly Tool[], plan?: LastPlan): Understood;
}

/** Calls that one call of another agent may become. */
const maxCalls = 16;
const tooMany: Understood = { kind: 'refusal', sentence: `At most ${maxCalls} at once: make more calls.` };
const patchCommand = /"command"\s*:\s*"\s*apply_patch\b/;
/** Where the text of an ending stands, in this order. */
const endingTexts = ['result', 'answer', 'message', 'text', 'response', 'summary', 'output', 'plan'];

/**
 * Models fall back into the tools of the agents that they were trained with. A name that is offered is never touched; any other
 * one is compared in plain form with what the tools of ours are called elsewhere, never by likeness: two readings are none.
 */
export function createDialect({ tools, absent, endings }: DialectWords): Dialect {
  const byName = new Map(
    tools.flatMap((tool) => [plainToolName(tool.name), ...tool.dialect.names.split(' ')].map((name) => [name, tool])),
  );
  const sentences = new Map(absent.flatMap(({ names, sentence }) => names.split(' ').map((name) => [name, sentence])));
  const ends = new Set(endings.split(' '));

  function translate(
    { name, dialect }: DialectWords['tools'][number],
    call: Written,
    offered: readonly Tool[],
    plan: LastPlan,
  ): Understood {
    const called = plainToolName(call.name);
    const note =
      called === plainToolName(name) ? {} : { note: `[${call.name.slice(0, 60).toWellFormed()} is ${name} here.]` };
    const decoded = decodeWrapped(call.arguments);
    if (decoded === undefined) return { kind: 'calls', calls: [{ name, arguments: call.arguments }], ...note };
    const own = dialect.translate(decoded, called, plan);
    if (typeof own === 'string') return { kind: 'refusal', sentence: own };
    if (own.length > maxCalls) return tooMany;
    const missing = own.find((one) => !offered.some((tool) => tool.name === one.name));
    if (missing) return { kind: 'refusal', sentence: `${missing.name} is not offered now. Go on without it.` };
    const calls = own.map((one) => ({ name: one.name, arguments: JSON.stringify(one.arguments) }));
    return { kind: 'calls', calls, ...note };
  }

  function understand(call: Written, offered: readonly Tool[], plan: LastPlan): Understood {
    const asIs: Understood = { kind: 'calls', calls: [call] };
    const exact = offered.find((tool) => tool.name === call.name);
    const plain = plainToolName(call.name);
    const meant = byName.get(plain);
    if (exact !== undefined) {
      // Many agents use the same names for other arguments, and one patches files by a command that no shell knows.
      const isOwn = parseArguments(exact, call.arguments).ok && !patchCommand.test(call.arguments);
      if (meant?.name !== exact.name || isOwn) return asIs;
      const translated = translate(meant, call, offered, plan);
      return isReadable(translated, offered) ? translated : asIs;
    }
    if (meant !== undefined) return translate(meant, call, offered, plan);
    if (ends.has(plain)) return { kind: 'ending', text: endingText(call.arguments) };
    const sentence = sentences.get(plain);
    return sentence === undefined ? asIs : { kind: 'refusal', sentence };
  }

  return {
    recognises(name) {
      const plain = plainToolName(name);
      return byName.has(plain) || ends.has(plain) || sentences.has(plain) || plain === parallel;
    },
    understand(call, offered, plan = () => []) {
      const several = offered.some(({ name }) => name === call.name) ? undefined : parallelCalls(call);
      if (several === undefined) return understand(call, offered, plan);
      const understood = several.map((one) => understand(one, offered, plan));
      const refused = understood.find((one) => one.kind !== 'calls');
      if (refused !== undefined) return refused;
      const calls = understood.flatMap((one) => (one.kind === 'calls' ? one.calls : []));
      return calls.length > maxCalls ? tooMany : { kind: 'calls', calls };
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

/** In plain form. */
const parallel = 'multitooluseparallel';

/** The members that the wrapper of parallel calls holds; undefined for every other call. */
function parallelCalls(call: Written): Written[] | undefined {
  if (plainToolName(call.name) !== parallel) return undefined;
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
  const isObject = typeof inner === 'object' && inner !== null && !Array.isArray(inner);
  return isWrapper && isObject ? (inner as Arguments) : (value.value as Arguments);
}

function endingText(raw: string): string {
  const decoded = decodeWrapped(raw) ?? {};
  const texts = endingTexts.map((name) => decoded[name]).filter((text) => typeof text === 'string');
  return texts.find((text) => text.trim() !== '') ?? '';
}
