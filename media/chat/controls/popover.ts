import { useEffect, useRef, useState } from 'preact/hooks';

/**
 * Closes like the editor's popovers: on Escape, which returns the focus to the button, on a press or focus elsewhere,
 * and when `of` changes.
 */
export function usePopover<Root extends HTMLElement>(of: string) {
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
