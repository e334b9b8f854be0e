// Fills in a tool's arguments by its own JSON schema: the stand-in knows what it wants to say, the schema says how it is called.
import type { ChatTool } from './chat-request.ts';

export interface Wish {
  /** Names this value may have in a schema, in order of preference. */
  names: RegExp;
  value: string | number;
}

/** Each wish takes the first free property that matches; required properties that nobody wants get the smallest valid value. */
export function toArguments(tool: ChatTool, wishes: readonly Wish[]): Record<string, unknown> {
  const { properties, required } = readSchema(tool);
  const result: Record<string, unknown> = {};
  for (const { names, value } of wishes) {
    const free = Object.keys(properties).filter((name) => !(name in result) && takes(properties[name], value));
    const name =
      free.find((candidate) => names.test(candidate)) ?? free.find((candidate) => required.includes(candidate));
    if (name !== undefined && (names.test(name) || typeof value === 'string'))
      result[name] = wrap(properties[name], value);
  }
  for (const name of required) if (!(name in result)) result[name] = smallest(properties[name]);
  return result;
}

interface Schema {
  properties: Record<string, Record<string, unknown>>;
  required: string[];
}

function readSchema(tool: ChatTool): Schema {
  const { properties, required } = tool.function.parameters ?? {};
  const entries = isRecord(properties) ? Object.entries(properties) : [];
  return {
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, isRecord(schema) ? schema : {}])),
    required: Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  };
}

function typeOf(schema: Record<string, unknown> | undefined): unknown {
  const type = schema?.type;
  return Array.isArray(type) ? type[0] : type;
}

function takes(schema: Record<string, unknown> | undefined, value: string | number): boolean {
  const type = typeOf(schema);
  if (schema?.enum !== undefined) return false;
  if (typeof value === 'number') return type === 'integer' || type === 'number';
  return type === 'string' || type === 'array' || type === undefined;
}

function wrap(schema: Record<string, unknown> | undefined, value: string | number): unknown {
  return typeOf(schema) === 'array' ? [value] : value;
}

function smallest(schema: Record<string, unknown> | undefined): unknown {
  if (schema?.default !== undefined) return schema.default;
  const choices = schema?.enum;
  if (Array.isArray(choices)) return choices[0];
  const simple: Record<string, unknown> = {
    integer: schema?.minimum ?? 1,
    number: schema?.minimum ?? 1,
    boolean: false,
    array: [],
    object: {},
  };
  return simple[String(typeOf(schema))] ?? '';
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
