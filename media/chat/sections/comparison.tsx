import * as l10n from '@vscode/l10n';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../panel.ts';

/** Two models answer the same prompt beside each other; one of them is gone on with. */
export function Comparison({ comparison }: { comparison: PanelInfo['comparison'] }) {
  const { post } = usePanel();
  if (!comparison) return null;
  return (
    <section class="strip" aria-label={l10n.t('Side by side')}>
      <div class="strip-line">
        <p class="paused">
          <Icon name="split" />
          <span>{l10n.t('Side by side with {0}', comparison.otherName)}</span>
        </p>
        <div class="actions">
          <TextButton onPress={() => post({ type: 'keepCompared' })}>{l10n.t('Keep This Answer')}</TextButton>
        </div>
      </div>
    </section>
  );
}
