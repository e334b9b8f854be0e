import { systemPrompt } from '../../../src/agent/system-prompt.ts';
import { toolDefinitions } from '../../../src/agent/tool-definitions.ts';
import type { ToolDefinition } from '../../../src/service/contract.ts';
import type { WindowPorts } from '../../../src/tools/index.ts';
import { createReadTools } from '../../support/window-tools.ts';

const text = { type: 'string' };

/** Tools of the recordings that change or run something: all that is needed of them here is what the model is told. */
const acting: readonly ToolDefinition[] = [
  {
    name: 'edit_file',
    description: 'Replaces text in a file. Each search must stand in the file exactly once.',
    parameters: {
      type: 'object',
      properties: {
        path: text,
        edits: {
          type: 'array',
          items: { type: 'object', properties: { search: text, replace: text }, required: ['search', 'replace'] },
        },
      },
      required: ['path', 'edits'],
    },
  },
  {
    name: 'run_command',
    description: 'Runs a command line in the workspace once the user agrees.',
    parameters: { type: 'object', properties: { command: text, cwd: text }, required: ['command'] },
  },
  {
    name: 'update_plan',
    description: 'Shows the plan to the user, replacing an earlier one.',
    parameters: {
      type: 'object',
      properties: {
        items: {
          type: 'array',
          items: { type: 'object', properties: { text, state: text }, required: ['text', 'state'] },
        },
      },
      required: ['items'],
    },
  },
];

/** What every contender offers: the definitions do not depend on what the tools work on. */
export const sessionTools: readonly ToolDefinition[] = [
  ...toolDefinitions(createReadTools({} as WindowPorts)),
  ...acting,
];

export function sessionSystem(name: string): string {
  return systemPrompt({ folders: [name], tools: [{ kind: 'read' }], today: '2026-11-20' });
}
