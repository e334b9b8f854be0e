import { parseLooseJson } from '../base/loose-json.ts';
import { isObject } from '../base/parse-json.ts';
import { isCommentary, meantName, otherNames, otherValues } from './argument-habits.ts';
import { readLineNumbers } from './line-numbers.ts';

export interface Schema {
  type?: unknown;
  properties?: Readonly<Record<string, Schema>>;
  required?: readonly string[];
  items?: Schema;
  enum?: readonly unknown[];
}

export interface Loosened {
  value: unknown;
  problems: string[];
  ignored: string[];
  comments: string[];
}

interface ArgumentNotes {
  problems: string[];
  ignored: string[];
  comments: string[];
  ownNames: boolean;
  /** Says whether arguments that the tool lacks are left out and named, which is safe only for calls that read. */
  forgives: boolean;
}

/**
 * Turns a model's arguments into the schema's form wherever only one reading exists: a number or a word as text, one
 * entry for a list, a list or an object as JSON text, the names and words of other agents' tools, a line in a path.
 * Two possible readings are a problem for the model to solve. What fits already stays as it is.
 */
export function loosenArguments(
  given: object,
  schema: Schema,
  { ownNames, forgives }: Pick<ArgumentNotes, 'ownNames' | 'forgives'>,
): Loosened {
  const reading: ArgumentNotes = { problems: [], ignored: [], comments: [], ownNames, forgives };
  const value = readObject(given, schema, '', reading);
  const { problems, ignored, comments } = reading;
  return { value, problems, ignored, comments };
}

/**
 * Some models write `null` for an argument that they leave out. Deep in arguments of external tools, or where their
 * schema speaks of it, it is a value.
 */
function readObject(given: object, schema: Schema, where: string, reading: ArgumentNotes): object {
  const { properties = {}, required = [] } = schema;
  const known = new Map<string, unknown>();
  const unknown = new Map<string, unknown>();
  const writtenAs = new Map<string, string>();
  for (const [key, value] of Object.entries(given)) {
    if (value === null && (reading.ownNames || (where === '' && !takesNull(properties[key])))) continue;
    const names = Object.keys(properties);
    const name = reading.ownNames ? meantName(key, names, otherNames) : (meantName(key, names, {}) ?? key);
    if (name === undefined) unknown.set(key, value);
    else {
      const read = Object.hasOwn(properties, name) ? readValue(value, properties[name], where + name, reading) : value;
      const other = writtenAs.get(name);
      if (other === undefined || same(known.get(name), read)) known.set(name, read);
      else reading.problems.push(`\`${other}\` and \`${key}\` differ: give only \`${where}${name}\``);
      writtenAs.set(name, key);
    }
  }
  if (!reading.ownNames) return Object.fromEntries(known);
  wrapEntry(known, unknown, { properties, required });
  if (where === '') reading.problems.push(...readLineNumbers(known, unknown, Object.keys(properties)));
  for (const [key, value] of unknown) {
    if (isCommentary(key, value) || (reading.forgives && asksNothing(value))) reading.comments.push(key);
    else if (reading.forgives && where === '') reading.ignored.push(key);
    else reading.problems.push(`there is no \`${where}${shorten(key)}\``);
  }
  // Only to the eye: the order of the schema, whatever was written first.
  const names = [...Object.keys(properties), ...known.keys()].filter((name) => known.has(name));
  return Object.fromEntries(names.map((name) => [name, known.get(name)]));
}

function asksNothing(value: unknown): boolean {
  return !value || (typeof value === 'object' && Object.keys(value).length === 0);
}

function takesNull(schema: Schema | undefined): boolean {
  return /"null"|"nullable":true/.test(JSON.stringify(schema ?? {}));
}

function wrapEntry(
  known: Map<string, unknown>,
  unknown: Map<string, unknown>,
  { properties, required }: Required<Pick<Schema, 'properties' | 'required'>>,
): void {
  for (const name of required) {
    const items = properties[name]?.items;
    if (known.has(name) || items?.properties === undefined) continue;
    const names = Object.keys(items.properties);
    const inside = [...unknown].filter(([key]) => meantName(key, names, otherNames) !== undefined);
    const nested: ArgumentNotes = { problems: [], ignored: [], comments: [], ownNames: true, forgives: false };
    const entry = readObject(Object.fromEntries(inside), items, '', nested);
    if (nested.problems.length > 0 || items.required?.some((needed) => !Object.hasOwn(entry, needed))) continue;
    known.set(name, [entry]);
    for (const [key] of inside) unknown.delete(key);
  }
}

function readValue(given: unknown, schema: Schema | undefined, where: string, reading: ArgumentNotes): unknown {
  if (given === 'null' && takesNull(schema) && !JSON.stringify(schema).includes('"string"')) return null;
  switch (schema?.type) {
    case 'integer':
    case 'number':
      return typeof given === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(given) ? Number(given) : given;
    case 'boolean':
      return typeof given === 'string' ? (booleans.get(given.trim().toLowerCase()) ?? given) : given;
    case 'string':
      // How a file of ours is to be laid out is not for us to say; a tool of others gets a text of that value.
      if (typeof given === 'object' && given !== null && !reading.ownNames) return JSON.stringify(given);
      return typeof given === 'string' && schema.enum !== undefined ? readWord(given, schema.enum, reading) : given;
    case 'array':
      return readList(given, schema.items ?? {}, where, reading);
    case 'object': {
      const value = typeof given === 'string' ? (parsed(given) ?? given) : given;
      return isObject(value) ? readObject(value, schema, `${where}.`, reading) : value;
    }
    default:
      return given;
  }
}

const booleans = new Map([
  ['true', true],
  ['false', false],
]);

function readWord(given: string, words: readonly unknown[], { ownNames }: ArgumentNotes): string {
  const known = words.filter((word) => typeof word === 'string');
  return meantName(given.trim(), known, ownNames ? otherValues : {}) ?? given;
}

/** A text that holds a comma, a semicolon or several lines is not wrapped, because it may be one entry or many. */
function readList(given: unknown, items: Schema, where: string, reading: ArgumentNotes): unknown {
  const value = typeof given === 'string' ? (parsed(given) ?? given) : given;
  const isEntry =
    (isObject(value) && items.type === 'object') ||
    (typeof value === 'string' && items.type === 'string' && !/[,;\n]/.test(value));
  const list = isEntry ? [value] : value;
  return Array.isArray(list) ? list.map((entry, index) => readValue(entry, items, `${where}.${index}`, reading)) : list;
}

function parsed(text: string): object | undefined {
  if (!/^\s*[[{]/.test(text)) return undefined;
  try {
    const value: unknown = parseLooseJson(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function signatureOf({ type, properties, required = [], items, enum: words }: Schema): string {
  if (properties !== undefined) {
    const members = Object.entries(properties).map(
      ([name, inner]) => `${name}${required.includes(name) ? '' : '?'}: ${signatureOf(inner)}`,
    );
    return `{${members.join(', ')}}`;
  }
  if (words !== undefined) return words.map((word) => JSON.stringify(word)).join('|');
  return items === undefined ? String(type ?? 'any') : `[${signatureOf(items)}]`;
}

function shorten(key: string): string {
  return key.slice(0, 40).toWellFormed();
}
