import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** The element that holds both the button and what it opens, and whether that is open. */
export interface Popover<Root extends HTMLElement> {
  root: RefObject<Root | null>;
  isOpen: boolean;
  toggle(): void;
}

/**
 * Closes as every popover of the editor: on Escape, which gives the focus back to the button, on a press elsewhere, when the focus
 * goes elsewhere, and when `of` is another one.
 */
export function usePopover<Root extends HTMLElement>(of: string): Popover<Root> {
  const root = useRef<Root>(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(false), [of]);
  useEffect(() => {
    if (!isOpen) return undefined;
    const close = () => setOpen(false);
    const closeFrom = ({ target }: Event) => {
      if (!(target instanceof Node && root.current?.contains(target))) close();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Before it stops an answer or leaves the panel.
      event.preventDefault();
      event.stopPropagation();
      close();
      root.current?.querySelector('button')?.focus();
    };
    const listeners = [
      ['pointerdown', closeFrom],
      ['focusin', closeFrom],
      ['keydown', onKey as (event: Event) => void],
    ] as const;
    for (const [type, listener] of listeners) window.addEventListener(type, listener, { capture: true });
    window.addEventListener('blur', close);
    return () => {
      for (const [type, listener] of listeners) window.removeEventListener(type, listener, { capture: true });
      window.removeEventListener('blur', close);
    };
  }, [isOpen]);
  return { root, isOpen, toggle: () => setOpen(!isOpen) };
}
