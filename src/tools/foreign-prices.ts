import type { Tool } from '../agent/tool.ts';
import { toolDefinitions } from '../agent/tool-definitions.ts';
import { estimatePromptTokens } from '../service/tokens.ts';
import type { Workspace } from './files/workspace.ts';
import { createForeignTools, type ForeignTools, foreignChoices } from './foreign-tools.ts';

/** A tool of others as it would be sent. */
export interface ForeignPrice {
  name: string;
  description: string;
  /** Its MCP server, as the editor writes it in front of the name; empty for a tool of an extension. */
  server: string;
  /** Its definition adds so many to every request. */
  tokens: number;
}

/** Each tool that could be picked, by server and name, weighed in the very form in which it is sent. */
export function foreignPrices(deps: { workspace: Workspace; foreign: ForeignTools }): readonly ForeignPrice[] {
  const choices = foreignChoices(deps.foreign);
  return choices
    .map(({ name, description }) => {
      const adapted = createForeignTools({ ...deps, picked: () => [name] })([]);
      return { name, description, server: serverOf(name), tokens: definitionTokens(adapted) };
    })
    .toSorted((a, b) => (a.server === b.server ? 0 : a.server < b.server ? -1 : 1));
}

/** Estimated, as all that is shown before sending. */
export function definitionTokens(tools: readonly Pick<Tool, 'name' | 'description' | 'parameters'>[]): number {
  return tools.length === 0 ? 0 : estimatePromptTokens({ messages: [], tools: toolDefinitions(tools) });
}

/** The editor names a tool of a server `mcp_<server>_<tool>`. */
function serverOf(name: string): string {
  return /^mcp_([^_]+)_/.exec(name)?.[1] ?? '';
}
