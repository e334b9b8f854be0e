import { parseJson } from '../../base/parse-json.ts';
import type { ReplyCall } from '../contract.ts';
import type { CallDelta } from './chunk-schema.ts';

/** More calls than this in one reply are not read. */
const maxCalls = 128;

interface OpenCall {
  /** Stable within the reply; the preview's handle. */
  key: string;
  id: string;
  /** Under which it began, where its server has any. */
  index?: string;
  name: string;
  arguments: string;
  /** Where the last piece of the arguments begins. */
  lastFrom: number;
}

export interface CallFolder {
  /** The deltas of one chunk, in order. */
  add(deltas: readonly CallDelta[]): void;
  /** Calls as they stand; only a reply with terminal evidence may use them. */
  calls(): ReplyCall[];
  /** Calls that were not read because there were too many. */
  dropped(): number;
}

/**
 * Puts tool calls together from deltas whose servers disagree about `id` and `index`. A delta belongs to the call with
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
    if (delta.index !== undefined) return indexed;
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

/** Neither id nor index: a name after whole arguments, or a second entry of the same chunk, is a new call. */
function beginsAnother(delta: CallDelta, position: number, last: OpenCall): boolean {
  if (delta.name === '' || isReplay(last, delta)) return false;
  return position > 0 || (delta.arguments !== '' && isJsonObject(last.arguments));
}

/** A chunk that a proxy sent twice. Lengths are compared first, so this costs nothing while arguments grow. */
function isReplay(call: OpenCall, delta: CallDelta): boolean {
  if (delta.arguments === '' || delta.arguments.length !== call.arguments.length) return false;
  return delta.arguments === call.arguments && isJsonObject(call.arguments);
}

function finish(call: OpenCall): ReplyCall {
  return { name: cleanToolName(call.name), arguments: unwrapArguments(withoutBeginning(call)) };
}

/**
 * Some servers end a call by saying all of its arguments once more, with other blanks and even before the first saying
 * was complete. That last piece is what was meant when it is an object by itself and begins with all that came before.
 */
function withoutBeginning({ arguments: all, lastFrom }: OpenCall): string {
  if (lastFrom === 0 || isJsonObject(all)) return all;
  const last = all.slice(lastFrom);
  if (!isJsonObject(last)) return all;
  return withoutBlanks(last).startsWith(withoutBlanks(all.slice(0, lastFrom))) ? last : all;
}

/** JSON, or the beginning of it, without the blanks between its parts. */
function withoutBlanks(json: string): string {
  return json.replace(/("(?:[^"\\]|\\.)*"?)|\s+/g, (_, text: string | undefined) => text ?? '');
}

/** `functions.read_file:0` is how one model family numbers its calls; what follows a `<` is left of its markup. */
function cleanToolName(name: string): string {
  return name
    .split('<', 1)
    .join('')
    .trim()
    .replace(/^functions[.:]/, '')
    .replace(/:\d+$/, '');
}

/** JSON inside a JSON string, once. */
function unwrapArguments(text: string): string {
  const inner = text.trimStart().startsWith('"') ? parseJson(text) : undefined;
  return typeof inner === 'string' ? inner : text;
}

export function isJsonObject(text: string): boolean {
  if (!text.trimEnd().endsWith('}')) return false;
  const value = parseJson(text);
  return typeof value === 'object' && value !== null;
}
