import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { usePanel } from '../panel.ts';

/** Comments on lines that wait to be sent in one message, with its price. */
export function CommentsBar({ comments, locale }: Pick<PanelInfo, 'comments' | 'locale'>) {
  const { post } = usePanel();
  if (comments === undefined) return null;
  const { count, files, microUsd } = comments;
  const number = count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count);
  return (
    <section class="strip" aria-label={l10n.t('Comments')}>
      <div class="strip-line">
        <p class="paused">
          <span>{[number, files.join(', '), formatMicroUsd(microUsd, true, locale)].join(' · ')}</span>
        </p>
        <div class="actions">
          <TextButton primary onPress={() => post({ type: 'comments', action: 'send' })}>
            {l10n.t('Send')}
          </TextButton>
          <TextButton onPress={() => post({ type: 'comments', action: 'discard' })}>{l10n.t('Discard')}</TextButton>
        </div>
      </div>
    </section>
  );
}
