import type { ChatMode } from '../shared/approval.ts';
import type { Tool, ToolAccess, ToolKind, ToolNeed } from './tool.ts';

/** Lists what a mode lets the model do. It is checked when tools are sent and once more when a call runs. */
export const accessIn: Readonly<Record<ChatMode, readonly ToolAccess[]>> = {
  ask: ['read', 'fetch', 'ask'],
  plan: ['read', 'fetch', 'ask'],
  edit: ['read', 'fetch', 'ask', 'write'],
  agent: ['read', 'fetch', 'ask', 'write', 'execute'],
};

const planning: Readonly<Record<ChatMode, readonly ToolKind[]>> = {
  ask: [],
  plan: ['outline'],
  edit: ['plan'],
  agent: ['plan'],
};

const isPlanned = (mode: ChatMode, { kind }: Pick<Tool, 'kind'>) =>
  (kind !== 'plan' && kind !== 'outline') || planning[mode].includes(kind);

/**
 * Filters our tools by the mode and by their needs. What cannot be used is left out, because every definition is paid
 * for with every request.
 */
export function offeredTools<Offered extends Pick<Tool, 'access' | 'kind' | 'needs'>>(
  mode: ChatMode,
  tools: readonly Offered[],
  has: (need: ToolNeed) => boolean,
): readonly Offered[] {
  return tools
    .filter(({ needs }) => needs === undefined || has(needs))
    .filter((tool) => isPlanned(mode, tool))
    .filter(({ access }) => accessIn[mode].includes(access));
}
