import type { Comparisons } from '../../../chat/comparisons.ts';
import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import type { Service } from '../../account/create-service.ts';
import type { Compared } from '../compared.ts';

export const comparisonSection =
  (
    models: Pick<Service['models'], 'nameOf'>,
    comparisons: Comparisons,
    compared: Pick<Compared, 'keep'>,
  ): CreateSection =>
  ({ viewModel }) =>
    panelSection({
      key: 'comparison',
      state() {
        const other = comparisons.of(viewModel.conversation().id)?.otherModel;
        return other === undefined ? undefined : { otherName: models.nameOf(other) };
      },
      act: (_keep, page) => compared.keep(viewModel.conversation(), page.focusInput),
      onDidChange: comparisons.onDidChange,
    });
