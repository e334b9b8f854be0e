import type { ChatMode } from '../shared/approval.ts';
import type { Tool, ToolAccess, ToolNeed } from './tool.ts';

/** What tools of ours do in the modes that leave some out. */
const accessIn: Record<Exclude<ChatMode, 'agent'>, readonly ToolAccess[]> = {
  ask: ['read', 'fetch', 'ask'],
  edit: ['read', 'fetch', 'ask', 'write'],
};

/** Where nothing is changed there is nothing to plan. */
const isPlanned = (mode: ChatMode, { kind }: Pick<Tool, 'kind'>) => mode !== 'ask' || kind !== 'plan';

/**
 * Of the tools of ours those that a mode offers and that have what they need: `agent` all of them, the others what their access
 * allows. What cannot be used is not offered, because every definition is paid for with every request.
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
