import type { ChatMode } from '../shared/approval.ts';
import type { Tool, ToolAccess, ToolNeed } from './tool.ts';

const accessIn: Record<Exclude<ChatMode, 'agent'>, readonly ToolAccess[]> = {
  ask: ['read', 'fetch', 'ask'],
  edit: ['read', 'fetch', 'ask', 'write'],
};

/** Where nothing is changed there is nothing to plan. */
const isPlanned = (mode: ChatMode, { kind }: Pick<Tool, 'kind'>) => mode !== 'ask' || kind !== 'plan';

/**
 * Filters our tools by the mode and by what they need: `agent` offers all of them, the others what their access allows.
 * What cannot be used is not offered, because every definition is paid for with every request.
 */
export function offeredTools<Offered extends Pick<Tool, 'access' | 'kind' | 'needs'>>(
  mode: ChatMode,
  tools: readonly Offered[],
  has: (need: ToolNeed) => boolean,
): readonly Offered[] {
  return tools
    .filter(({ needs }) => needs === undefined || has(needs))
    .filter((tool) => isPlanned(mode, tool))
    .filter(({ access }) => mode === 'agent' || accessIn[mode].includes(access));
}
