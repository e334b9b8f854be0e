import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { useEffect } from 'preact/hooks';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { Card } from '../cards/card.tsx';
import { TextButton } from '../controls/buttons.tsx';
import { formatCount } from '../controls/format.ts';
import { usePanel } from '../panel.ts';

/** Asks before a message is sent that comes near to the model's limit. Nothing has been sent, and the message waits. */
export function CompactCard({ locale }: Pick<PanelInfo, 'locale'>) {
  const panel = usePanel();
  const asked = useComputed(() => panel.chat.value.asked).value;
  const title = l10n.t('Compact before your message is sent?');
  useEffect(() => {
    if (asked) panel.announce(title);
  }, [asked !== undefined]);
  if (!asked) return null;
  const { near, priceMicroUsd, savedMicroUsd, paysAfterRequests } = asked.about;
  const tokens = formatCount(near.tokens, locale);
  const money = (microUsd: number) => formatMicroUsd(microUsd, true, locale);
  const answer = (value: boolean) => () =>
    panel.post({ type: 'answer', answer: { id: asked.id, kind: 'compact', value } });
  return (
    <Card icon="alert" title={title} className="question waiting before-sending">
      <p>
        {near.by === 'set'
          ? l10n.t('The next request is close to the limit of {0} tokens that you set.', tokens)
          : l10n.t('The next request is close to {0} tokens, a size this model has refused.', tokens)}
      </p>
      <p class="quiet">
        {l10n.t(
          'Compacting saves {0} on every later request. It costs {1} once and pays for itself after {2} requests.',
          ...[money(savedMicroUsd), money(priceMicroUsd), paysAfterRequests],
        )}
      </p>
      <div class="actions">
        <TextButton primary onPress={answer(true)}>
          {l10n.t('Compact')}
        </TextButton>
        <TextButton onPress={answer(false)}>{l10n.t('Send as It Is')}</TextButton>
      </div>
    </Card>
  );
}
