import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

/**
 * A `<details>` whose content exists only while it is open: a long conversation keeps thousands of them. Screen readers
 * get everything open from the start.
 */
export function Folding(props: { className: string; summary: ComponentChildren; children: () => ComponentChildren }) {
  const [open, setOpen] = useState(() => document.body.classList.contains('vscode-using-screen-reader'));
  return (
    <details class={props.className} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon name="chevron" />
        {props.summary}
      </summary>
      {open && <div class="folded">{props.children()}</div>}
    </details>
  );
}
