import * as l10n from '@vscode/l10n';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { TextButton } from '../controls/buttons.tsx';
import { visibleName } from '../markdown/visible-text.ts';
import { useSection } from './use-section.ts';

const maxNamed = 3;

export function CommentsBar() {
  const { state, act, locale } = useSection('comments');
  if (state === undefined) return null;
  const { count, files, microUsd } = state;
  const where = files.length <= maxNamed ? files.map(visibleName).join(', ') : l10n.t('{0} files', files.length);
  const number = count === 1 ? l10n.t('1 comment') : l10n.t('{0} comments', count);
  return (
    <section class="strip" aria-label={l10n.t('Comments')}>
      <div class="strip-line">
        <p class="paused">
          <span>{[number, where, formatMicroUsd(microUsd, true, locale)].join(' · ')}</span>
        </p>
        <div class="actions">
          <TextButton primary onPress={act('send')}>
            {l10n.t('Send')}
          </TextButton>
          <TextButton onPress={act('discard')}>{l10n.t('Discard')}</TextButton>
        </div>
      </div>
    </section>
  );
}
