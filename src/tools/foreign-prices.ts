import { definitionTokens, sentTools } from '../agent/tool-definitions.ts';
import { estimateTokens } from '../service/tokens.ts';
import { createForeignTools, type ForeignToolsDeps, foreignChoices } from './foreign-tools.ts';
import { toolRows } from './load-tools.ts';

export interface ForeignPrice {
  name: string;
  description: string;
  server: string;
  tokens: number;
}

type PriceDeps = Pick<ForeignToolsDeps, 'workspace' | 'foreign'>;

/**
 * Weighs each tool that could be picked in the very form in which it is sent. The result is sorted by server and
 * name.
 */
export function foreignPrices(deps: PriceDeps): readonly ForeignPrice[] {
  return foreignChoices(deps.foreign)
    .map(({ name, description }) => {
      const tokens = definitionTokens(offeredOf(deps, [name], Number.POSITIVE_INFINITY));
      return { name, description, server: serverOf(name), tokens };
    })
    .toSorted((a, b) => (a.server === b.server ? 0 : a.server < b.server ? -1 : 1));
}

/**
 * Returns the tokens that these tools together add to every request before any of them is loaded. `listed` means that
 * only their names are sent.
 */
export function shareOfForeign(
  deps: PriceDeps & Pick<ForeignToolsDeps, 'loadAbove'>,
  names: readonly string[],
): { tokens: number; listed: boolean } {
  const tools = offeredOf(deps, names, deps.loadAbove());
  const rows = toolRows(tools);
  return { tokens: definitionTokens(sentTools(tools)) + estimateTokens(rows), listed: rows !== '' };
}

function offeredOf(deps: PriceDeps, names: readonly string[], loadAbove: number) {
  const keepImage = () => Promise.reject(new Error('Nothing is run for a price.'));
  const offer = createForeignTools({ ...deps, picked: () => names, loadAbove: () => loadAbove, keepImage });
  return offer({ own: [], conversationId: '', keep: (tools) => tools });
}

function serverOf(name: string): string {
  return /^mcp_([^_]+)_/.exec(name)?.[1] ?? '';
}
