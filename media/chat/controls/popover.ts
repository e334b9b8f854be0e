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
    const life = new AbortController();
    const early = { signal: life.signal, capture: true };
    for (const type of ['pointerdown', 'focusin']) window.addEventListener(type, leaveFrom, early);
    window.addEventListener('keydown', onKey, early);
    window.addEventListener('blur', leave, life);
    return () => life.abort();
  }, [isOpen]);
  return { root, isOpen, toggle: () => setOpen(!isOpen), close };
}
