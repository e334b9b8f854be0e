import { IconButton, TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { StripLine } from './strip-line.tsx';
import { useSection } from './use-section.ts';

/** Draws rows of one strip in one box, each cut to a line where there are several. */
export function Lines() {
  const { state: lines = [], act } = useSection('lines');
  const strips = Map.groupBy(lines, ({ id }) => id.split(' ', 1)[0]);
  return (
    <>
      {[...strips].map(([strip, rows]) => (
        <section key={strip} class="strip" aria-label={rows[0]?.label}>
          {rows.map(({ id, icon, text, isStatus, buttons }) => {
            const whole = rows.length > 1 ? visibleText(text) : undefined;
            const nameOf = (label: string) => (whole === undefined ? label : `${label}: ${whole}`);
            return (
              <StripLine key={id} {...{ icon, whole, isStatus }} text={visibleText(text)}>
                {buttons.map(({ action, label, primary, icon }) =>
                  icon ? (
                    <IconButton key={action} icon={icon} name={nameOf(label)} onPress={act({ line: id, action })} />
                  ) : (
                    <TextButton key={action} primary={primary} name={nameOf(label)} onPress={act({ line: id, action })}>
                      {label}
                    </TextButton>
                  ),
                )}
              </StripLine>
            );
          })}
        </section>
      ))}
    </>
  );
}
