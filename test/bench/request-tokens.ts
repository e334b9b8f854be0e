import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { systemPrompt } from '../../src/agent/system-prompt.ts';
import type { Tool } from '../../src/agent/tool.ts';
import { toolDefinitions } from '../../src/agent/tool-definitions.ts';
import {
  createChangesTool,
  createCodeTools,
  createCommandTool,
  createEditTools,
  createReadTools,
  createTalkTools,
  type ReadToolDeps,
} from '../../src/tools/index.ts';
import type { LanguageDeps } from '../../src/tools/language.ts';
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
    const agent = systemPrompt({
      folders: ['my-project'],
      hasTools: true,
      canEdit: true,
      canRun: true,
      today: '2026-11-20',
    });
    const agentWire = JSON.stringify(
      toolDefinitions(agentTools()).map((tool) => ({ type: 'function', function: tool })),
    );
    return [
      fixed('system text and read tools', ours.system + ours.tools, 900),
      fixed('system text alone', ours.system),
      fixed('read tools alone', ours.tools),
      fixed('system text and the whole agent set', encode(agent).length + encode(agentWire).length, 1500),
    ];
  },
};

/** Everything that is offered in a repository on this disk, tools of others aside. */
function agentTools(): readonly Tool[] {
  return [
    ...createReadTools(unusedPorts),
    ...createCodeTools({} as LanguageDeps),
    createChangesTool({} as Parameters<typeof createChangesTool>[0]),
    createCommandTool(unused),
    ...createTalkTools(),
    ...createEditTools(unused),
  ];
}

/** The definitions do not depend on what the tools work on. */
const unusedPorts = {} as ReadToolDeps;
const unused = () => Promise.reject(new Error('No tool is called here'));

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
