import * as l10n from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import type { Asked } from '../../../src/shared/interaction.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../panel.ts';

/**
 * Asks before a request above the user's amount, and again when the agreed sum has doubled. This request is not sent
 * before the answer.
 */
export function CostCard({ asked: { id, about } }: { asked: Asked<'cost'> }) {
  const { estimateMicroUsd, spentMicroUsd, limitMicroUsd } = about;
  const panel = usePanel();
  const heading = useId();
  const [answered, setAnswered] = useState(false);
  const locale = panel.info.value?.locale ?? 'en';
  const money = (microUsd: number, estimated = true) => formatMicroUsd(microUsd, estimated, locale);
  const answer = (value: boolean) => () => {
    if (answered) return;
    setAnswered(true);
    panel.post({ type: 'answer', answer: { id, kind: 'cost', value } });
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the other cards.
    <div
      class={answered ? 'approval question' : 'approval question waiting'}
      role="group"
      aria-labelledby={heading}
      tabIndex={-1}
    >
      <h3 id={heading}>
        <Icon name="alert" />
        <span>{l10n.t('Go on with this message?')}</span>
      </h3>
      <p>
        {spentMicroUsd > 0
          ? l10n.t('Cost so far: {0}. Each further step: {1}.', ...[money(spentMicroUsd), money(estimateMicroUsd)])
          : l10n.t(
              'The first request costs {0}. The answer and any further steps cost extra.',
              money(estimateMicroUsd),
            )}
      </p>
      <p class="quiet">
        {l10n.t('You are asked above {0} a request, and again when the sum has doubled.', money(limitMicroUsd, false))}
      </p>
      <div class="actions">
        <TextButton primary onPress={answer(true)}>
          {l10n.t('Go On')}
        </TextButton>
        <TextButton onPress={answer(false)}>{l10n.t("Don't Send")}</TextButton>
      </div>
    </div>
  );
}
