import type { Tool } from '../../../src/agent/tool.ts';
import { narrowTools } from '../../../src/customizations/agent-spec.ts';
import type { Entry } from '../../../src/customizations/customization.ts';
import { toolSpecs } from '../../../src/tools/all-tools.ts';

/** The kinds of access that an agent keeps of all our tools, in one text; empty for what is no agent. */
export function accessKept(entry: Entry): string {
  if (entry.when !== 'picked') return '';
  const kept = narrowTools(entry.agent, toolSpecs as readonly Tool[], async () => true);
  return [...new Set(kept.map(({ access }) => access))].sort().join(' ');
}
