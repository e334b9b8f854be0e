import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Icon, type IconName } from '../controls/icon.tsx';

interface CardProps {
  icon: IconName;
  title: string;
  /** Names the card where its title does not. */
  name?: string;
  className: string;
  children: ComponentChildren;
}

/** Draws what asks the user. The card takes no focus; `panel-keys.ts` finds its buttons by their classes. */
export function Card({ icon, title, name, className, children }: CardProps) {
  const heading = useId();
  const shownAt = useRef(Math.round(performance.now()));
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be laid out like the other cards.
    <div
      class={`approval ${className}`}
      role="group"
      aria-label={name}
      aria-labelledby={name === undefined ? heading : undefined}
      tabIndex={-1}
      data-shown-at={shownAt.current}
    >
      <h3 id={heading}>
        <Icon name={icon} />
        <span>{title}</span>
      </h3>
      {children}
    </div>
  );
}
