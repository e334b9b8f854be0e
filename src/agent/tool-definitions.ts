import * as z from 'zod/mini';
import type { ToolDefinition } from '../service/contract.ts';
import type { Tool } from './tool.ts';

/** What the model is told about the tools: their schemas without the words that every request would pay for. */
export function toolDefinitions(tools: readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
    return {
      name,
      description,
      parameters: { type: 'object', properties: dropSafeIntegerBounds(properties), required },
    };
  });
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
