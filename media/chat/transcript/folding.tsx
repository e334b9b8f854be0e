import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../panel.ts';

/**
 * The content of this `<details>` exists only while it is open, because a long conversation has thousands. Screen
 * readers get everything open. `id` must be unique in the conversation; it restores the state after a reload.
 */
export function Folding(props: {
  id: string;
  className: string;
  summary: ComponentChildren;
  busy?: boolean;
  children: () => ComponentChildren;
}) {
  const { isToggled, setToggled } = usePanel();
  const [open, setOpen] = useState(() => openFromStart() !== isToggled(props.id));
  const toggle = (now: boolean) => {
    setOpen(now);
    setToggled(props.id, now !== openFromStart());
  };
  return (
    <details class={props.className} open={open} onToggle={(event) => toggle(event.currentTarget.open)}>
      <summary>
        <Icon name={props.busy ? 'spinner' : 'chevron'} />
        {props.summary}
      </summary>
      {open && <div class="folded">{props.children()}</div>}
    </details>
  );
}

export function openFromStart(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}
