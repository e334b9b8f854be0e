import * as l10n from '@vscode/l10n';
import type { PlanItem } from '../../../src/shared/approval.ts';
import { Icon, type IconName } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { Folding } from '../transcript/folding.tsx';

export function Plan() {
  const plan = usePanel().plan.value;
  return plan && plan.length > 0 ? <PlanList plan={plan} /> : null;
}

const PlanList = memo(({ plan }: { plan: readonly PlanItem[] }) => {
  const done = plan.filter(({ state }) => state === 'done').length;
  const current = plan.find(({ state }) => state === 'active') ?? plan.find(({ state }) => state === 'pending');
  const summary = (
    <>
      <span class="plan-count">{l10n.t('Plan: {0} of {1}', done, plan.length)}</span>
      {current && <span class="plan-current">{visibleText(current.text)}</span>}
    </>
  );
  return (
    <section class="strip plan" aria-label={l10n.t('Plan')}>
      <Folding id="plan" className="plan-folding" summary={summary}>
        {() => (
          <ol>
            {plan.map(({ text, state }, index) => (
              <li key={index} class={state} aria-current={state === 'active' ? 'step' : undefined}>
                <Icon name={icons[state]} />
                <span class="visually-hidden">{stateTexts[state]()}</span>
                <span>{visibleText(text)}</span>
              </li>
            ))}
          </ol>
        )}
      </Folding>
    </section>
  );
});

const icons: Record<PlanItem['state'], IconName> = { done: 'check', active: 'chevron', pending: 'circle' };

const stateTexts: Readonly<Record<PlanItem['state'], () => string>> = {
  done: () => l10n.t('Done:'),
  active: () => l10n.t('In progress:'),
  pending: () => l10n.t('To do:'),
};
