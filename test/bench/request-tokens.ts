import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../src/agent/system-prompt.ts';
import { toolDefinitions } from '../../src/agent/tool-definitions.ts';
import { createReadTools, type ReadToolDeps } from '../../src/tools/index.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';

/** P11: what every request carries before anybody has said anything. Exact, so there is one round. */
export const requestTokens: Part = {
  ids: ['P11'],
  measure: async () => {
    const system = systemPrompt({ folders: ['my-project'], hasTools: true, today: '2026-11-20' });
    const tools = toolDefinitions(createReadTools(unusedPorts));
    const wire = JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool })));
    const ours = { system: encode(system).length, tools: encode(wire).length };
    return [
      fixed('system text and read tools', ours.system + ours.tools, 900),
      fixed('system text alone', ours.system),
      fixed('read tools alone', ours.tools),
    ];
  },
};

/** The definitions do not depend on what the tools work on. */
const unusedPorts = {} as ReadToolDeps;

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
