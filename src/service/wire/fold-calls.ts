import { parseJson } from '../../base/parse-json.ts';
import type { ReplyCall } from '../contract.ts';
import type { CallDelta } from './chunk-schema.ts';

const maxCalls = 128;

interface OpenCall {
  key: string;
  id: string;
  index?: string;
  name: string;
  arguments: string;
  lastFrom: number;
}

export interface CallFolder {
  add(deltas: readonly CallDelta[]): void;
  /** Only a reply with terminal evidence may use the calls. */
  calls(): ReplyCall[];
  dropped(): number;
}

/**
 * Assembles tool calls from deltas whose servers disagree about `id` and `index`. A delta belongs to the call with
 * its id, else to the one with its index, else to the last one.
 */
export function createCallFolder(onForming: (key: string, name: string, argumentsDelta: string) => void): CallFolder {
  const all: OpenCall[] = [];
  const byId = new Map<string, OpenCall>();
  const byIndex = new Map<string, OpenCall>();
  let last: OpenCall | undefined;
  let dropped = 0;

  const find = (delta: CallDelta, position: number): OpenCall | undefined => {
    const indexed = delta.index === undefined ? undefined : byIndex.get(delta.index);
    if (delta.id !== '') {
      // An id that comes late belongs to the call that was begun without one.
      const late = indexed?.id === '' ? indexed : undefined;
      const same = byId.get(delta.id);
      // Two calls may share one id: each goes on under its own index.
      if (same === undefined || delta.index === undefined || same.index === undefined || same.index === delta.index) {
        return same ?? late;
      }
      return indexed?.id === delta.id ? indexed : late;
    }
    if (indexed !== undefined) return indexed;
    // Nothing but arguments under an index that began no call goes on with the call that is not whole yet.
    if (delta.index !== undefined) {
      return delta.name === '' && last !== undefined && !isJsonObject(last.arguments) ? last : undefined;
    }
    return last !== undefined && beginsAnother(delta, position, last) ? undefined : last;
  };

  const begin = (): OpenCall | undefined => {
    if (all.length >= maxCalls) {
      dropped += 1;
      return undefined;
    }
    const call: OpenCall = { key: `t${all.length}`, id: '', name: '', arguments: '', lastFrom: 0 };
    all.push(call);
    return call;
  };

  const addOne = (delta: CallDelta, position: number) => {
    const call = find(delta, position) ?? begin();
    if (call === undefined) return;
    last = call;
    if (delta.id !== '') {
      call.id = delta.id;
      if (!byId.has(delta.id)) byId.set(delta.id, call);
    }
    if (delta.index !== undefined) {
      call.index ??= delta.index;
      byIndex.set(delta.index, call);
    }
    // Names come whole; servers that repeat them mean the same one.
    const named = call.name === '' && delta.name !== '';
    if (named) call.name = delta.name;
    const added = isReplay(call, delta) ? '' : delta.arguments;
    if (added !== '') call.lastFrom = call.arguments.length;
    call.arguments += added;
    if (named || added !== '') onForming(call.key, cleanToolName(call.name), added);
  };

  return {
    add: (deltas) => {
      for (const [position, delta] of deltas.entries()) addOne(delta, position);
    },
    calls: () => all.filter((call) => call.name !== '' || call.arguments !== '').map(finish),
    dropped: () => dropped,
  };
}

/** Without id and index, a name behind complete arguments, or a second entry of one chunk, begins a new call. */
function beginsAnother(delta: CallDelta, position: number, last: OpenCall): boolean {
  if (delta.name === '' || isReplay(last, delta)) return false;
  return position > 0 || (delta.arguments !== '' && isJsonObject(last.arguments));
}

/** Detects a chunk that a proxy sent twice. Lengths are compared first, so that growing arguments cost nothing. */
function isReplay(call: OpenCall, delta: CallDelta): boolean {
  if (delta.arguments === '' || delta.arguments.length !== call.arguments.length) return false;
  return delta.arguments === call.arguments && isJsonObject(call.arguments);
}

function finish(call: OpenCall): ReplyCall {
  return { name: cleanToolName(call.name), arguments: unwrapArguments(withoutBeginning(call)) };
}

/**
 * Some servers end a call by repeating all of its arguments, with other whitespace and even before the first copy was
 * complete. The last piece wins when it is an object that begins with everything before it.
 */
function withoutBeginning({ arguments: all, lastFrom }: OpenCall): string {
  if (lastFrom === 0 || isJsonObject(all)) return all;
  const last = all.slice(lastFrom);
  if (!isJsonObject(last)) return all;
  return withoutBlanks(last).startsWith(withoutBlanks(all.slice(0, lastFrom))) ? last : all;
}

function withoutBlanks(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*"?)|\s+/g, (_, text: string | undefined) => text ?? '');
}

function cleanToolName(name: string): string {
  return name
    .split('<', 1)
    .join('')
    .trim()
    .replace(/^functions[.:]/, '')
    .replace(/:\d+$/, '');
}

function unwrapArguments(text: string): string {
  const inner = text.trimStart().startsWith('"') ? parseJson(text) : undefined;
  return typeof inner === 'string' ? inner : text;
}

export function isJsonObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null;
}
