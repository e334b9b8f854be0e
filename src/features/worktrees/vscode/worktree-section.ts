import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import type { WorktreeTasks } from './create-worktrees.ts';

/** Where the tools of a conversation work when it is not in the workspace, and the ways back from there. */
export const worktreeSection =
  ({ act }: Pick<WorktreeTasks, 'act'>): CreateSection =>
  ({ viewModel }) =>
    panelSection({
      key: 'worktree',
      act: (action) => act(action, viewModel.conversation()),
    });
