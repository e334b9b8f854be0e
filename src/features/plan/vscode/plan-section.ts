import { disposeAll } from '../../../base/emitter.ts';
import { type CreateSection, panelSection } from '../../../chat/panel-sections.ts';
import type { Plans } from '../../../conversation/store/plans.ts';
import { createPlanInfo, type PlanInfoDeps } from '../core/plan-info.ts';
import { createPlanStart, type PlanStartDeps } from '../core/plan-start.ts';
import type { PlanDocuments } from './plan-documents.ts';

export interface PlanSectionDeps
  extends Omit<PlanInfoDeps, 'model' | 'estimate' | 'plans'>,
    Omit<PlanStartDeps, 'price' | 'plans'> {
  plans: PlanInfoDeps['plans'] & PlanStartDeps['plans'] & Pick<Plans, 'onDidChange'>;
  documents: Pick<PlanDocuments, 'show'>;
}

/** Shows the plan of a conversation and the two ways to carry it out, each with its price. */
export const planSection =
  ({ documents, ...deps }: PlanSectionDeps): CreateSection =>
  ({ viewModel, model, estimate }) => {
    const info = createPlanInfo({ ...deps, model, estimate });
    const { start, goOnHere } = createPlanStart({ ...deps, price: info.price });
    const actions = { open: () => documents.show(viewModel.conversation().id), start, goOnHere };
    return panelSection({
      key: 'plan',
      state: () => info.shown(viewModel.conversation()),
      act: (action) => actions[action](viewModel),
      onDidChange(listener) {
        const read = () => void deps.plans.read(viewModel.conversation().id).then((plan) => plan && listener());
        const listening = [
          viewModel.onDidReset(read),
          deps.plans.onDidChange((id) => {
            if (id === viewModel.conversation().id) listener();
          }),
        ];
        read();
        return { dispose: () => disposeAll(listening) };
      },
    });
  };
