import * as l10n from '@vscode/l10n';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { useSection } from './use-section.ts';

export function RestoredLine() {
  const { state, act } = useSection('restored');
  if (state === undefined) return null;
  const { count, left } = state;
  return (
    <section class="strip restored" aria-label={l10n.t('Restored')}>
      <div class="strip-line">
        <div role="status">
          {count === 1 ? l10n.t('1 file restored.') : l10n.t('{0} files restored.', count)}
          {left.length > 0 && ` ${visibleText(l10n.t('Left unchanged: {0}', left.join(', ')))}`}
        </div>
        <div class="actions">
          <TextButton onPress={act('undo')}>{l10n.t('Undo Restore')}</TextButton>
          <IconButton icon="close" name={l10n.t('Dismiss')} onPress={act('dismiss')} />
        </div>
      </div>
    </section>
  );
}
