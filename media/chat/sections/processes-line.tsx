import * as l10n from '@vscode/l10n';
import { targetTexts } from '../cards/target-texts.ts';
import { TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { useSection } from './use-section.ts';

export function ProcessesLine() {
  const { state: processes = [], act } = useSection('processes');
  const [first] = processes;
  if (first === undefined) return null;
  const count = processes.length;
  return (
    <section class="strip processes" aria-label={l10n.t('Background processes')}>
      <p class="quiet">{count === 1 ? l10n.t('1 background process') : l10n.t('{0} background processes', count)}</p>
      <ul class="strip-list">
        {processes.map(({ id, line, place, elsewhere }) => (
          <li key={id}>
            <code class="process-line" title={visibleText(line)}>
              {visibleText(line)}
            </code>
            <span class="quiet">
              {[targetTexts[place](), ...(elsewhere ? [l10n.t('another conversation')] : [])].join(' · ')}
            </span>
            <div class="actions">
              <TextButton onPress={act({ do: 'show', id })}>{l10n.t('Show')}</TextButton>
              <TextButton onPress={act({ do: 'stop', id })}>{l10n.t('Stop')}</TextButton>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
