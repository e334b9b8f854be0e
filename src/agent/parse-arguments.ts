import * as z from 'zod/mini';
import { parseLooseJson } from '../base/loose-json.ts';
import { messageOf } from '../base/message-of.ts';
import { once } from '../base/once.ts';
import { parseJson } from '../base/parse-json.ts';
import { closersAt } from '../service/wire/leaked-markup.ts';
import { loosenArguments, type Schema, signatureOf } from './loose-arguments.ts';
import type { Tool } from './tool.ts';

export type ParsedArguments =
  | {
      ok: true;
      value: unknown;
      ignored: readonly string[];
      comments: readonly string[];
    }
  | { ok: false; sentence: string; unreadable: boolean };

/**
 * Reads a model's arguments by the tool's schema. Another form counts only where one reading exists
 * (`loose-arguments.ts`); for everything else the sentence says what the tool takes. An argument that the tool does
 * not have is named in the result of a read, and stops a call that writes or runs.
 */
export function parseArguments(tool: Pick<Tool, 'name' | 'parameters' | 'access'>, raw: string): ParsedArguments {
  const schema = schemaOf(tool.parameters);
  // Tools of others check their arguments themselves.
  const ownNames = schema.properties !== undefined && tool.parameters._zod.def.type === 'object';
  const takes = ownNames ? ` ${tool.name} takes ${signatureOf(schema)}.` : '';
  const decoded = decodeArguments(raw);
  if (!decoded.ok) return { ok: false, sentence: decoded.sentence + takes, unreadable: true };
  const forgives = tool.access === 'read' || tool.access === 'fetch';
  const tails: string[] = [];
  const given = withoutClosers(decoded.value, '', tails) as object;
  const { value, problems, ignored, comments } = loosenArguments(given, schema, { ownNames, forgives });
  if (!forgives) problems.push(...tails);
  const checked = z.safeParse(tool.parameters, value);
  if (checked.success && problems.length === 0) return { ok: true, value: checked.data, ignored, comments };
  const issues = checked.error?.issues.map((issue) => describeIssue(issue, value)) ?? [];
  const strange = ignored.slice(0, 5).map((name) => `it takes no \`${name}\``);
  const clauses = [...[...new Set([...problems, ...issues])].slice(0, 5), ...strange].join('; ');
  const what = Object.keys(given).length === 0 ? 'arrived empty' : 'do not fit';
  return { ok: false, sentence: `Not run: the arguments ${what}: ${clauses}.${takes}`, unreadable: false };
}

/** Removes the end of a call's form from an argument, where a server that read the call by its text has left it. */
function withoutClosers(value: unknown, key: string, tails: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withoutClosers(one, key, tails));
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, withoutClosers(one, name, tails)]));
  }
  const at = typeof value === 'string' ? closersAt(value) : undefined;
  if (typeof value !== 'string' || at === undefined) return value;
  const tail = JSON.stringify(value.slice(at).trim());
  tails.push(`\`${key}\` ends with ${tail}, which is of the form of the call: leave it out`);
  return value.slice(0, at);
}

/**
 * Rewrites a call in the words of the tool's schema. That form is stored, shown and sent again, so that readers know
 * one form and the model sees the one it should write. A call that cannot be read stays as it is.
 */
export function inSchemaForm<Call extends { name: string; arguments: string }>(
  tools: readonly Pick<Tool, 'name' | 'parameters' | 'access'>[],
  call: Call,
): Call {
  const tool = tools.find(({ name }) => name === call.name);
  const parsed = tool && parseArguments(tool, call.arguments);
  if (!parsed?.ok) return call;
  const { value } = parsed;
  const kept = [...parsed.ignored, ...parsed.comments];
  const decoded = decodeArguments(call.arguments);
  const comments = Object.entries(decoded.ok ? decoded.value : {}).filter(([key]) => kept.includes(key));
  const own = JSON.stringify({ ...(value as object), ...Object.fromEntries(comments) });
  return own === JSON.stringify(parseJson(call.arguments)) ? call : { ...call, arguments: own };
}

/** Accepts an object that was encoded twice and no text at all, because both are habits of servers. */
export function decodeArguments(raw: string): { ok: true; value: object } | { ok: false; sentence: string } {
  let value: unknown;
  try {
    value = raw.trim() === '' ? {} : parseLooseJson(raw);
    if (typeof value === 'string') value = parseLooseJson(value);
  } catch (error) {
    const reason = messageOf(error);
    return { ok: false, sentence: `Not run: the arguments are not valid JSON (${reason}).` };
  }
  if (isDeeperThan(value, maxLevels)) {
    return { ok: false, sentence: `Not run: the arguments are nested more than ${maxLevels} levels deep.` };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ok: true, value };
  return { ok: false, sentence: 'Not run: the arguments must be one JSON object.' };
}

/**
 * Nested values are limited, because printed in lines they grow with the square of their depth, and recursion may
 * exhaust the stack.
 */
const maxLevels = 100;

function isDeeperThan(value: unknown, levels: number): boolean {
  const isNested = (part: unknown): part is object => typeof part === 'object' && part !== null;
  let parts = [value].filter(isNested);
  for (let level = 0; parts.length > 0; level++) {
    if (level === levels) return true;
    parts = parts.flatMap((part) => Object.values(part)).filter(isNested);
  }
  return false;
}

const schemaOf = once((parameters: Tool['parameters']) => z.toJSONSchema(parameters, { io: 'input' }) as Schema);

function describeIssue(issue: z.core.$ZodIssue, args: unknown): string {
  const where = issue.path.length === 0 ? 'the object' : `\`${issue.path.join('.')}\``;
  if (issue.code === 'invalid_type') {
    let there = args;
    for (const key of issue.path) there = (there as Record<PropertyKey, unknown> | undefined)?.[key];
    return there === undefined ? `${where} is required (${issue.expected})` : `${where} must be ${issue.expected}`;
  }
  const unit = issue.code === 'too_small' || issue.code === 'too_big' ? unitOfBound(issue.origin) : '';
  if (issue.code === 'too_small') return `${where} must be at least ${issue.minimum}${unit}`;
  if (issue.code === 'too_big') return `${where} must be at most ${issue.maximum}${unit}`;
  if (issue.code === 'invalid_value') return `${where} must be one of ${issue.values.join(', ')}`;
  return `${where}: ${issue.message}`;
}

function unitOfBound(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}
