import { type CreateSection, panelSection } from '../../chat/panel-sections.ts';
import type { Review } from './create-review.ts';

/** Says which files were restored last, as long as that can be undone. */
export const restoredSection =
  ({ restored, actions }: Pick<Review, 'restored' | 'actions'>): CreateSection =>
  ({ viewModel }) =>
    panelSection({
      key: 'restored',
      state: () => restored(viewModel.conversation().id),
      act: actions.restored,
    });
