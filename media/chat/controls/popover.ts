import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

/**
 * Closes like the editor's popovers: on Escape and with `close`, which return the focus to the button, on a press or
 * focus elsewhere, and when `of` changes.
 */
export function usePopover<Root extends HTMLElement>(of: string) {
  const root = useRef<Root>(null);
  const [isOpen, setOpen] = useState(false);
  const close = () => {
    setOpen(false);
    root.current?.querySelector('button')?.focus();
  };
  useEffect(() => setOpen(false), [of]);
  // Before anything is painted: an Escape right after the opening would stop the answer.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const leave = () => setOpen(false);
    const leaveFrom = ({ target }: Event) => {
      if (!(target instanceof Node && root.current?.contains(target))) leave();
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      // Otherwise the same Escape would also stop the answer.
      event.preventDefault();
      event.stopPropagation();
      close();
    };
    const listeners = [
      ['pointerdown', leaveFrom],
      ['focusin', leaveFrom],
      ['keydown', onKey as (event: Event) => void],
    ] as const;
    for (const [type, listener] of listeners) window.addEventListener(type, listener, { capture: true });
    window.addEventListener('blur', leave);
    return () => {
      for (const [type, listener] of listeners) window.removeEventListener(type, listener, { capture: true });
      window.removeEventListener('blur', leave);
    };
  }, [isOpen]);
  return { root, isOpen, toggle: () => setOpen(!isOpen), close };
}
