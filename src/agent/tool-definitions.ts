import * as z from 'zod/mini';
import type { ToolDefinition } from '../service/contract.ts';
import type { Tool } from './tool.ts';

/** What the model is told about the tools: their schemas without the words that every request would pay for (P11). */
export function toolDefinitions(tools: readonly Tool[]): ToolDefinition[] {
  return tools.map((tool) => {
    const { properties = {}, required = [] } = z.toJSONSchema(tool.parameters, { io: 'input' });
    return {
      name: tool.name,
      description: tool.description,
      parameters: { type: 'object', properties: dropSafeIntegerBounds(properties), required },
    };
  });
}

/** Zod states that integers are safe ones; no model needs to read that. */
function dropSafeIntegerBounds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(dropSafeIntegerBounds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== Number.MAX_SAFE_INTEGER && inner !== Number.MIN_SAFE_INTEGER)
      .map(([key, inner]) => [key, dropSafeIntegerBounds(inner)]),
  );
}
