import * as z from 'zod/mini';
import type { ToolDefinition } from '../service/contract.ts';
import type { Tool } from './tool.ts';

/** What the model is told about the tools: their schemas without the words that every request would pay for. */
export function toolDefinitions(tools: readonly Tool[]): ToolDefinition[] {
  return tools.map((tool) => {
    const { properties = {}, required = [] } = jsonSchema(tool.parameters);
    return {
      name: tool.name,
      description: tool.description,
      parameters: { type: 'object', properties: dropSafeIntegerBounds(properties), required },
    };
  });
}

/**
 * The JSON schema of what a tool takes, for the kinds of schema that tools are made of; throws on any other. Zod's own
 * `toJSONSchema` knows all kinds and is half as large again as the rest of Zod: a test holds the two equal.
 */
function jsonSchema(schema: z.core.$ZodType): Record<string, unknown> {
  const override = schema._zod.toJSONSchema?.();
  if (typeof override === 'object' && override !== null) return { ...override };
  const description = z.globalRegistry.get(schema)?.description;
  return { ...ofKind(schema), ...(description !== undefined && { description }) };
}

function ofKind(schema: z.core.$ZodType): Record<string, unknown> {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { min_length: minLength, max_length: maxLength, greater_than: minimum, less_than: maximum } = boundsOf(def);
  if ('format' in def && def.format !== 'safeint') throw new Error(`No tool checks this yet: ${def.format}`);
  switch (def.type) {
    case 'string':
      return given({ type: 'string', minLength, maxLength });
    case 'number':
      return given({ type: 'format' in def ? 'integer' : 'number', minimum, maximum });
    case 'boolean':
      return { type: 'boolean' };
    case 'enum':
      return { type: 'string', enum: Object.values(def.entries) };
    case 'array':
      return given({ minItems: minLength, maxItems: maxLength, type: 'array', items: jsonSchema(def.element) });
    case 'optional':
      return jsonSchema(def.innerType);
    case 'object': {
      const fields = Object.entries(def.shape);
      const properties = Object.fromEntries(fields.map(([name, field]) => [name, jsonSchema(field)]));
      const required = fields.filter(([, field]) => field._zod.optin === undefined).map(([name]) => name);
      return given({ type: 'object', properties, required: required.length > 0 ? required : undefined });
    }
    default:
      throw new Error(`No tool takes this kind of value yet: ${def.type}`);
  }
}

interface Bound {
  check: string;
  minimum?: unknown;
  maximum?: unknown;
  value?: unknown;
  inclusive?: boolean;
}

/** The numbers in the checks of a schema, by Zod's name of the check. */
function boundsOf({ checks = [] }: z.core.$ZodTypeDef): Record<string, unknown> {
  const bounds = checks.map(({ _zod: { def } }) => {
    const { check, minimum, maximum, value = minimum ?? maximum, inclusive = true }: Bound = def;
    if (check !== 'describe' && (typeof value !== 'number' || !inclusive)) {
      throw new Error(`No tool checks this yet: ${check}`);
    }
    return [check, value];
  });
  return Object.fromEntries(bounds);
}

function given(words: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined));
}

/** Tools of others are made with Zod too, which states that integers are safe ones; no model needs to read that. */
function dropSafeIntegerBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropSafeIntegerBounds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== Number.MAX_SAFE_INTEGER && inner !== Number.MIN_SAFE_INTEGER)
      .map(([key, inner]) => [key, dropSafeIntegerBounds(inner)]),
  );
}
