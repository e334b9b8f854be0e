import * as l10n from '@vscode/l10n';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** That files were put back, and the way back from there. */
export function RestoredLine({ restored }: { restored: PanelInfo['restored'] }) {
  const { post } = usePanel();
  if (restored === undefined) return null;
  const { count, left } = restored;
  return (
    <section class="strip restored" aria-label={l10n.t('Restored')}>
      <div class="strip-line">
        <div role="status">
          {count === 1 ? l10n.t('1 file restored.') : l10n.t('{0} files restored.', count)}
          {left.length > 0 && ` ${visibleText(l10n.t('Left unchanged: {0}', left.join(', ')))}`}
        </div>
        <div class="actions">
          <TextButton onPress={() => post({ type: 'restored', action: 'undo' })}>{l10n.t('Undo Restore')}</TextButton>
          <IconButton
            icon="close"
            name={l10n.t('Dismiss')}
            onPress={() => post({ type: 'restored', action: 'dismiss' })}
          />
        </div>
      </div>
    </section>
  );
}
