import * as l10n from '@vscode/l10n';
import { useEffect, useRef } from 'preact/hooks';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { useSection } from './use-section.ts';

export function ElsewhereLine() {
  const { state: elsewhere, act } = useSection('elsewhere');
  const line = useRef<HTMLElement>(null);
  const isElsewhere = elsewhere !== undefined;

  // The composer is off: who was in it goes on from here.
  useEffect(() => {
    const focused = document.activeElement;
    const isNowhere = focused === document.body || focused?.closest('[inert]') !== null;
    if (isElsewhere && document.hasFocus() && isNowhere) line.current?.querySelector('button')?.focus();
  }, [isElsewhere]);

  if (elsewhere === undefined) return null;
  return (
    <section ref={line} class="strip elsewhere" aria-label={l10n.t('Open in another window')}>
      <div class="strip-line">
        <Icon name="info" />
        <div role="status">
          {elsewhere === 'asked'
            ? l10n.t('Waiting for the other window to stop.')
            : l10n.t('Open in another window, where an answer is in progress.')}
        </div>
        <div class="actions">
          {/* It stays while it waits: whoever pressed it is still there. */}
          <TextButton
            disabled={elsewhere === 'asked'}
            onPress={() => {
              if (elsewhere === 'open') act('takeOver')();
            }}
          >
            {l10n.t('Take Over')}
          </TextButton>
        </div>
      </div>
    </section>
  );
}
