import { IconButton, TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { useSection } from './use-section.ts';

export function Lines() {
  const { state: lines = [], act } = useSection('lines');
  return (
    <>
      {lines.map(({ id, label, icon, text, isStatus, buttons }) => (
        <section key={id} class="strip" aria-label={label}>
          <div class="strip-line">
            <p class="paused" role={isStatus && 'status'}>
              {icon && <Icon name={icon} />}
              <span>{visibleText(text)}</span>
            </p>
            <div class="actions">
              {buttons.map(({ action, label, primary, icon }) =>
                icon ? (
                  <IconButton key={action} icon={icon} name={label} onPress={act({ line: id, action })} />
                ) : (
                  <TextButton key={action} primary={primary} onPress={act({ line: id, action })}>
                    {label}
                  </TextButton>
                ),
              )}
            </div>
          </div>
        </section>
      ))}
    </>
  );
}
