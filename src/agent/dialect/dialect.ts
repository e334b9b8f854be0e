import { isObject } from '../../base/parse-json.ts';
import type { ReplyCall } from '../../service/contract.ts';
import type { PlanItem } from '../../shared/approval.ts';
import { decodeArguments, parseArguments } from '../parse-arguments.ts';
import type { Tool } from '../tool.ts';
import { plainToolName } from './plain-tool-name.ts';

export type Arguments = Readonly<Record<string, unknown>>;

export interface TranslatedCall {
  name: string;
  arguments: Arguments;
}

type LastPlan = () => readonly PlanItem[];

export interface ToolDialect {
  names: string;
  /**
   * Returns the arguments of another agent's call as one or several calls of ours, or a sentence for the model where a
   * guess would be needed. `called` is the written name in plain form. Names that differ from ours in spelling alone
   * are left as they are.
   */
  translate(args: Arguments, called: string, plan: LastPlan): readonly TranslatedCall[] | string;
}

export interface Absent {
  names: string;
  sentence: string;
}

export interface DialectWords {
  tools: readonly { name: string; dialect: ToolDialect }[];
  absent: readonly Absent[];
  endings: string;
}

/**
 * A `refusal` was understood and is not run, so it does not count as a call that cannot be read. `isWhole` means that
 * the calls were one, as a patch of several files is.
 */
export type Understood =
  | { kind: 'calls'; calls: readonly ReplyCall[]; note?: string; isWhole?: true }
  | { kind: 'refusal'; sentence: string }
  | { kind: 'ending'; text: string };

export interface Dialect {
  recognises(name: string): boolean;
  understand(call: ReplyCall, offered: readonly Tool[], plan?: LastPlan): Understood;
}

const maxCalls = 16;
const tooMany: Understood = { kind: 'refusal', sentence: `At most ${maxCalls} at once: make more calls.` };
const patchCommand = /"command"\s*:\s*"\s*apply_patch\b/;
const endingTexts = ['result', 'answer', 'message', 'text', 'response', 'summary', 'output', 'plan'];

/**
 * Translates calls, because models fall back into the tools of the agents that they were trained with. An available
 * name is never changed. Any other is compared in plain form with the known names of other agents, never by likeness, and an
 * ambiguous one is not translated.
 */
export function createDialect({ tools, absent, endings }: DialectWords): Dialect {
  const byName = new Map(
    tools.flatMap((tool) => [plainToolName(tool.name), ...tool.dialect.names.split(' ')].map((name) => [name, tool])),
  );
  const sentences = new Map(absent.flatMap(({ names, sentence }) => names.split(' ').map((name) => [name, sentence])));
  const ends = new Set(endings.split(' '));

  function translate(
    { name, dialect }: DialectWords['tools'][number],
    call: ReplyCall,
    offered: readonly Tool[],
    plan: LastPlan,
  ): Understood {
    const called = plainToolName(call.name);
    const note =
      called === plainToolName(name) ? {} : { note: `[${call.name.slice(0, 60).toWellFormed()} is ${name} here.]` };
    const decoded = decodeListed(call.arguments);
    if (decoded === undefined) return { kind: 'calls', calls: [{ name, arguments: call.arguments }], ...note };
    const own = dialect.translate(decoded, called, plan);
    if (typeof own === 'string') return { kind: 'refusal', sentence: own };
    if (own.length > maxCalls) return tooMany;
    const missing = own.find((one) => !offered.some((tool) => tool.name === one.name));
    if (missing) return { kind: 'refusal', sentence: `${missing.name} is not offered now. Go on without it.` };
    const calls = own.map((one) => ({ name: one.name, arguments: JSON.stringify(one.arguments) }));
    return { kind: 'calls', calls, ...note, isWhole: true };
  }

  /** Some put all arguments into one of their own, as an object or its text. */
  function readings(meant: DialectWords['tools'][number], call: ReplyCall, offered: readonly Tool[], plan: LastPlan) {
    const [inner, ...more] = Object.values(decodeListed(call.arguments) ?? {});
    const text = isObject(inner) ? JSON.stringify(inner) : inner;
    const all = [call, ...(typeof text === 'string' && more.length === 0 ? [{ ...call, arguments: text }] : [])];
    return all.map((one) => translate(meant, one, offered, plan));
  }

  function understand(call: ReplyCall, offered: readonly Tool[], plan: LastPlan): Understood {
    const asIs: Understood = { kind: 'calls', calls: [call] };
    const exact = offered.find((tool) => tool.name === call.name);
    const plain = plainToolName(call.name);
    const meant = byName.get(plain);
    if (exact !== undefined) {
      // Many agents use the same names for other arguments, and one patches files by a command that no shell knows.
      const isOwn = parseArguments(exact, call.arguments).ok && !patchCommand.test(call.arguments);
      if (meant?.name !== exact.name || isOwn) return asIs;
      return readings(meant, call, offered, plan).find((one) => isReadable(one, offered)) ?? asIs;
    }
    if (meant !== undefined) {
      const all = readings(meant, call, offered, plan);
      return all.find((one) => isReadable(one, offered)) ?? all[0] ?? asIs;
    }
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

const parallel = 'multitooluseparallel';

function parallelCalls(call: ReplyCall): ReplyCall[] | undefined {
  if (plainToolName(call.name) !== parallel) return undefined;
  const uses = decodeListed(call.arguments)?.tool_uses;
  if (!Array.isArray(uses) || uses.length === 0) return undefined;
  const members = uses.flatMap((use: unknown) => {
    if (typeof use !== 'object' || use === null || !('recipient_name' in use) || !('parameters' in use)) return [];
    return [{ name: String(use.recipient_name), arguments: JSON.stringify(use.parameters) }];
  });
  return members.length === uses.length ? members : undefined;
}

function decodeListed(raw: string): Arguments | undefined {
  const list = /^\s*\[([\s\S]*)\]\s*$/.exec(raw)?.[1];
  const decoded = decodeArguments(raw);
  const value = decoded.ok || list === undefined ? decoded : decodeArguments(list);
  return value.ok ? (value.value as Arguments) : undefined;
}

function endingText(raw: string): string {
  const decoded = decodeListed(raw) ?? {};
  const texts = endingTexts.map((name) => decoded[name]).filter((text) => typeof text === 'string');
  return texts.find((text) => text.trim() !== '') ?? '';
}
