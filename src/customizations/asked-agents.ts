import type { Tool } from '../agent/tool.ts';
import { type MatchPath, narrowTools } from './agent-spec.ts';
import { agentsOf, renderAgent } from './agent-text.ts';
import type { Customization } from './customization.ts';

export interface CallableAgent {
  name: string;
  text: string;
  models: readonly string[];
  narrow(tools: readonly Tool[]): readonly Tool[];
}

/**
 * Returns the agents that a model may call: those that `picked` (the active agent) lists, even `notForModels` ones,
 * or, without a list or with `*`, all others too.
 */
export function askedAgents(
  all: readonly Customization[],
  picked: Customization | undefined,
  matches: MatchPath,
): readonly CallableAgent[] {
  const named = picked?.entry.when === 'picked' ? picked.entry.agent.agents : undefined;
  const isAll = named === undefined || named.includes('*');
  const wanted = new Set(named?.map((name) => name.toLowerCase()));
  return agentsOf(all).flatMap((one) => {
    if (one.entry.when !== 'picked') return [];
    const { name } = one;
    const { agent } = one.entry;
    if (!wanted.has(name) && !(isAll && agent.notForModels !== true)) return [];
    return [
      {
        ...{ name, text: renderAgent(one, [], 'You are asked as this agent.'), models: agent.models },
        narrow: (tools) => narrowTools(agent, tools, matches),
      },
    ];
  });
}
