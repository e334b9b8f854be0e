import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { visibleName } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** More would push the conversation out of a narrow panel. */
const maxNamed = 3;

/** Comments on lines that wait to be sent in one message, with its price. */
export function CommentsBar({ comments, locale }: Pick<PanelInfo, 'comments' | 'locale'>) {
  const { post } = usePanel();
  if (comments === undefined) return null;
  const { count, files, microUsd } = comments;
  const where = files.length <= maxNamed ? files.map(visibleName).join(', ') : l10n.t('{0} files', files.length);
  const number = count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count);
  return (
    <section class="strip" aria-label={l10n.t('Comments')}>
      <div class="strip-line">
        <p class="paused">
          <span>{[number, where, formatMicroUsd(microUsd, true, locale)].join(' · ')}</span>
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
