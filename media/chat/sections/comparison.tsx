import * as l10n from '@vscode/l10n';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { useSection } from './use-section.ts';

export function Comparison() {
  const { state, act } = useSection('comparison');
  if (!state) return null;
  return (
    <section class="strip" aria-label={l10n.t('Side by side')}>
      <div class="strip-line">
        <p class="paused">
          <Icon name="split" />
          <span>{l10n.t('Side by side with {0}', state.otherName)}</span>
        </p>
        <div class="actions">
          <TextButton onPress={act('keep')}>{l10n.t('Keep This Answer')}</TextButton>
        </div>
      </div>
    </section>
  );
}
