import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from '../controls/icon.tsx';

interface StripLineProps {
  icon?: IconName;
  text: string;
  /** Is the whole text where the line is cut. */
  whole?: string;
  isStatus?: boolean;
  /** Are the buttons. */
  children: ComponentChildren;
}

export function StripLine({ icon, text, whole, isStatus, children }: StripLineProps) {
  return (
    <div class={whole === undefined ? 'strip-line' : 'strip-line cut'}>
      <p class="paused" role={isStatus ? 'status' : undefined} title={whole}>
        {icon && <Icon name={icon} />}
        <span>{text}</span>
      </p>
      <div class="actions">{children}</div>
    </div>
  );
}
