import { definitionTokens, sentTools } from '../agent/tool-definitions.ts';
import { estimateTokens } from '../service/tokens.ts';
import { createExternalTools, type ExternalToolsDeps, externalToolChoices } from './external-tools.ts';
import { toolRows } from './load-tools.ts';

export interface ExternalToolPrice {
  name: string;
  description: string;
  server: string;
  tokens: number;
}

type PriceDeps = Pick<ExternalToolsDeps, 'workspace' | 'external'>;

/**
 * Weighs each tool that could be picked in the very form in which it is sent. The result is sorted by server and
 * name.
 */
export function externalToolPrices(deps: PriceDeps): readonly ExternalToolPrice[] {
  return externalToolChoices(deps.external)
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
export function tokensOfExternalTools(
  deps: PriceDeps & Pick<ExternalToolsDeps, 'loadAbove'>,
  names: readonly string[],
): { tokens: number; listed: boolean } {
  const tools = offeredOf(deps, names, deps.loadAbove());
  const rows = toolRows(tools);
  return { tokens: definitionTokens(sentTools(tools)) + estimateTokens(rows), listed: rows !== '' };
}

function offeredOf(deps: PriceDeps, names: readonly string[], loadAbove: number) {
  const keepImage = () => Promise.reject(new Error('Nothing is run for a price.'));
  const offer = createExternalTools({ ...deps, picked: () => names, loadAbove: () => loadAbove, keepImage });
  return offer({ own: [], conversationId: '', keep: (tools) => tools });
}

function serverOf(name: string): string {
  return /^mcp_([^_]+)_/.exec(name)?.[1] ?? '';
}
