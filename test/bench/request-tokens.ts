import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../src/agent/system-prompt.ts';
import { toolDefinitions } from '../../src/agent/tool-definitions.ts';
import { toolSpecs } from '../../src/tools/index.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';

/** P11: what every request carries before anybody has said anything. Exact, so there is one round. */
export const requestTokens: Part = {
  ids: ['P11'],
  measure: async () => {
    const system = systemPrompt({ folders: ['my-project'], hasTools: true, today: '2026-11-20' });
    const tools = toolDefinitions(toolSpecs.filter(({ access }) => access === 'read' || access === 'ask'));
    const wire = JSON.stringify(tools.map((tool) => ({ type: 'function', function: tool })));
    const ours = { system: encode(system).length, tools: encode(wire).length };
    const agent = systemPrompt({
      folders: ['my-project'],
      hasTools: true,
      canEdit: true,
      canRun: true,
      today: '2026-11-20',
    });
    const agentWire = JSON.stringify(toolDefinitions(toolSpecs).map((tool) => ({ type: 'function', function: tool })));
    return [
      fixed('system text and the tools of Ask', ours.system + ours.tools, 900),
      fixed('system text alone', ours.system),
      fixed('tools of Ask alone', ours.tools),
      fixed('system text and the whole agent set', encode(agent).length + encode(agentWire).length, 1500),
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
