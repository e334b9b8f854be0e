import { stripInvisible } from '../agent/invisible.ts';
import { isObject } from '../base/parse-json.ts';

const maxSchemaLength = 8000;
const deepestSchema = 12;

/**
 * Returns a schema that every service takes: without references, `required` names only what is there, and what stands
 * in alternatives at the top is one object. Shows as many levels as fit. It starts with few, because a schema that contains itself often grows many times with
 * every level.
 */
export function shownSchema(inputSchema: object): object {
  let shown: object = { type: 'object' };
  for (let depth = 2; depth <= deepestSchema; depth += 2) {
    const deeper = withoutAlternatives(resolveReferences(inputSchema, inputSchema, depth));
    if (JSON.stringify(deeper).length > maxSchemaLength) break;
    shown = deeper;
  }
  return shown;
}

const dropped = new Set(['$schema', '$defs', 'definitions', '$id', '$comment', 'examples', 'title']);
const named = new Set(['properties', 'patternProperties', 'dependentSchemas']);

function resolveReferences(value: unknown, root: object, depthLeft: number, keysAreNames = false): unknown {
  if (Array.isArray(value)) return value.map((item) => resolveReferences(item, root, depthLeft - 1));
  // What a person cannot see in a description has no business in one.
  if (typeof value === 'string') return stripInvisible(value).text;
  if (typeof value !== 'object' || value === null) return value;
  // A schema that holds itself ends as "anything".
  if (depthLeft < 0) return {};
  if (!keysAreNames && '$ref' in value && typeof value.$ref === 'string') {
    return resolveReferences(lookUp(root, value.$ref), root, depthLeft - 1);
  }
  const resolved = Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => keysAreNames || !dropped.has(key))
      .map(([key, inner]) => [key, resolveReferences(inner, root, depthLeft - 1, !keysAreNames && named.has(key))]),
  );
  return keysAreNames ? resolved : withKnownNames(withoutNothing(resolved));
}

type Plain = Record<string, unknown>;

/** Leaves out what says nothing: an alternative that nothing fits, a single alternative, "any other property". */
function withoutNothing({ anyOf, oneOf, additionalProperties, ...schema }: Plain): Plain {
  const alternatives = Object.entries({ anyOf, oneOf }).map(([key, all]): Plain => {
    if (!Array.isArray(all)) return {};
    const some = all.filter((one) => !(isObject(one) && isObject(one.not) && Object.keys(one.not).length === 0));
    return some.length === 1 && isObject(some[0]) ? some[0] : { [key]: some };
  });
  const isAny = isObject(additionalProperties) && Object.keys(additionalProperties).length === 0;
  const others = additionalProperties === undefined || isAny ? {} : { additionalProperties };
  return Object.assign({}, ...alternatives, schema, others);
}

function withKnownNames({ properties, required, ...schema }: Plain): Plain {
  if (properties === undefined && required === undefined) return schema;
  const known = isObject(properties)
    ? Object.fromEntries(Object.entries(properties).map(([name, inner]) => [name, isObject(inner) ? inner : {}]))
    : undefined;
  // Alternatives may hold the properties whose names stand here.
  const names = listOf(required).filter((name) => typeof name === 'string' && (!known || Object.hasOwn(known, name)));
  return { ...schema, ...(known && { properties: known }), ...(names.length > 0 && { required: names }) };
}

function withoutAlternatives(schema: unknown): Plain {
  if (!isObject(schema)) return { type: 'object' };
  const { anyOf, oneOf, allOf, ...own } = schema;
  const either = [...listOf(anyOf), ...listOf(oneOf)].filter(isObject);
  const all = [own, ...listOf(allOf).filter(isObject)];
  const properties = Object.assign({}, ...[...all, ...either].toReversed().map((branch) => branch.properties));
  const needed = all.flatMap(({ required }) => listOf(required));
  const inEach = listOf(either[0]?.required).filter((name) =>
    either.every(({ required }) => listOf(required).includes(name)),
  );
  return withKnownNames({ ...own, type: 'object', properties, required: [...new Set([...needed, ...inEach])] });
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function lookUp(root: object, reference: string): unknown {
  if (reference === '#') return root;
  let found: unknown = root;
  for (const part of reference.replace(/^#\/?/, '').split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return {};
    found = Object.getOwnPropertyDescriptor(found, key)?.value;
  }
  return found;
}
