import type { ChatMode } from '../shared/approval.ts';
import type { Tool, ToolAccess, ToolNeed } from './tool.ts';

/** What tools of ours do in the modes that leave some out. */
const accessIn: Record<Exclude<ChatMode, 'agent'>, readonly ToolAccess[]> = {
  ask: ['read', 'ask'],
  edit: ['read', 'ask', 'write'],
};

/**
 * Of the tools of ours those that a mode offers and that have what they need: `agent` all of them, the others what their access
 * allows. What cannot be used is not offered, because every definition is paid for with every request.
 */
export function offeredTools(
  mode: ChatMode,
  tools: readonly Tool[],
  has: (need: ToolNeed) => boolean,
): readonly Tool[] {
  return tools
    .filter(({ needs }) => needs === undefined || has(needs))
    .filter(({ access }) => mode === 'agent' || accessIn[mode].includes(access));
}
