import * as z from 'zod/mini';
import type { ToolDefinition } from '../service/contract.ts';
import { estimatePromptTokens } from '../service/tokens.ts';
import type { Tool } from './tool.ts';

export function toolDefinitions(tools: readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]): ToolDefinition[] {
  return tools.map(({ name, description, parameters }) => {
    const { properties = {}, required = [] } = z.toJSONSchema(parameters, { io: 'input' });
    const isOurs = parameters._zod.def.type === 'object';
    const shown = withoutBounds(properties, isOurs ? all : safeIntegers);
    const needed = required.length > 0 ? { required } : {};
    const schema = { type: 'object', properties: shown, ...needed };
    return { name, description, parameters: schema, ...(isOurs ? {} : { isExternal: true as const }) };
  });
}

export function definitionTokens(tools: readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]): number {
  return tools.length === 0 ? 0 : estimatePromptTokens({ messages: [], tools: toolDefinitions(tools) });
}

/** Loaded tools are put at the end, so that the beginning of a request stays the same and can be cached. */
export function sentTools<Sent extends Pick<Tool, 'loadedAt'>>(tools: readonly Sent[]): readonly Sent[] {
  const loaded = tools.flatMap((tool) => {
    const at = tool.loadedAt?.();
    return at === undefined ? [] : [{ tool, at }];
  });
  const always = tools.filter(({ loadedAt }) => loadedAt === undefined);
  return [...always, ...loaded.toSorted((a, b) => a.at - b.at).map(({ tool }) => tool)];
}

type Drops = (key: string, value: unknown) => boolean;

const safeIntegers: Drops = (_key, value) => value === Number.MAX_SAFE_INTEGER || value === Number.MIN_SAFE_INTEGER;

const bounds = new Set(['minLength', 'maxLength', 'minItems', 'maxItems', 'minimum', 'maximum']);

const all: Drops = (key, value) => bounds.has(key) && typeof value === 'number';

function withoutBounds(value: unknown, drops: Drops): unknown {
  if (Array.isArray(value)) return value.map((inner) => withoutBounds(inner, drops));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key, inner]) => !drops(key, inner))
      .map(([key, inner]) => [key, withoutBounds(inner, drops)]),
  );
}
