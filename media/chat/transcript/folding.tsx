import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../panel.ts';

/**
 * A `<details>` whose content exists only while it is open: a long conversation keeps thousands of them. Screen readers
 * get everything open from the start. `id`: unique in the conversation; by it the fold is as it was after a reload.
 */
export function Folding(props: {
  id: string;
  className: string;
  summary: ComponentChildren;
  /** Its content is being made: a spinner takes the place of the arrow. */
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

/** Screen readers get everything open. */
export function openFromStart(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}
