import type { ChatMode } from '../shared/approval.ts';
import type { Tool, ToolAccess, ToolKind, ToolNeed } from './tool.ts';

/** All that a mode lets the model do: what is offered, and once more what is carried out. */
export const accessIn: Readonly<Record<ChatMode, readonly ToolAccess[]>> = {
  ask: ['read', 'fetch', 'ask'],
  plan: ['read', 'fetch', 'ask'],
  edit: ['read', 'fetch', 'ask', 'write'],
  agent: ['read', 'fetch', 'ask', 'write', 'execute'],
};

/** Where nothing is changed there is nothing to plan; a plan is written where it is all that is written. */
const planning: Readonly<Record<ChatMode, readonly ToolKind[]>> = {
  ask: [],
  plan: ['outline'],
  edit: ['plan'],
  agent: ['plan'],
};

const isPlanned = (mode: ChatMode, { kind }: Pick<Tool, 'kind'>) =>
  (kind !== 'plan' && kind !== 'outline') || planning[mode].includes(kind);

/**
 * Filters our tools by the mode and by what they need: each offers what its access allows.
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
    .filter(({ access }) => accessIn[mode].includes(access));
}
