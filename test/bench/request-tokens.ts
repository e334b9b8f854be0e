import { fixedTokens } from '../support/fixed-tokens.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';

/** P11: what every request carries before anybody has said anything. Exact, so there is one round. */
export const requestTokens: Part = {
  ids: ['P11'],
  measure: async () => {
    const ask = fixedTokens('ask');
    return [
      fixed('Ask, with every tool that it offers', ask.all, 800),
      fixed('the system text of Ask alone', ask.system),
      fixed('the tools of Ask alone', ask.tools),
      fixed('Edit, with every tool that it offers', fixedTokens('edit').all, 1200),
      fixed('Agent, with every tool that it offers', fixedTokens('agent').all, 1500),
    ];
  },
};

function fixed(what: string, ours: number, goal?: number): Figure {
  const comparisons = [{ by: 'alone' as const, goal }];
  return {
    id: 'P11',
    what: `fixed tokens of a request: ${what}`,
    unit: 'tokens',
    rounds: [{ ours }],
    ours: 'ours',
    comparisons,
  };
}
