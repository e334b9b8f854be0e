/** Keeps a scrolling box at its end while it grows, until its reader goes elsewhere. */
export interface Follower {
  /** Goes to the end and follows from now on. */
  attach(): void;
  /** Where a stored position left off; undefined means at the end. */
  restore(scrollTop: number | undefined): void;
  /** Call after the content changed, in the same frame. */
  contentChanged(): void;
  dispose(): void;
}

interface Listeners {
  onAttached(attached: boolean): void;
  /** The position to restore later; undefined while it follows the end. */
  onScrolled(scrollTop: number | undefined): void;
}

const nearPx = 48;

export function followBottom(box: HTMLElement, { onAttached, onScrolled }: Listeners): Follower {
  let attached = true;
  /** Position and sizes at our last look: a scroll event that only follows a change of size is nobody's wish. */
  let seen = look(box);

  const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
  const set = (value: boolean) => {
    if (value !== attached) onAttached(value);
    attached = value;
    onScrolled(attached ? undefined : box.scrollTop);
  };
  const stick = () => {
    if (attached && distance() > 0.5) box.scrollTop = box.scrollHeight;
    seen = look(box);
  };
  const onScroll = () => {
    const now = look(box);
    const resized = now.height !== seen.height || now.view !== seen.view;
    if (attached && !resized && now.top < seen.top - 1 && distance() > nearPx) set(false);
    else if (!attached && now.top > seen.top && distance() <= nearPx) set(true);
    else if (!attached) onScrolled(box.scrollTop);
    seen = now;
  };
  const detachIfScrollable = () => {
    if (attached && box.scrollTop > 0) set(false);
  };
  const onWheel = (event: WheelEvent) => {
    if (event.deltaY < 0) detachIfScrollable();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.target instanceof HTMLTextAreaElement) return;
    if (event.key === 'PageUp' || event.key === 'Home' || event.key === 'ArrowUp') detachIfScrollable();
    else if (event.key === 'End' && event.target === box) set(true);
  };
  const onSelect = () => {
    const selection = document.getSelection();
    if (selection && !selection.isCollapsed && box.contains(selection.anchorNode)) detachIfScrollable();
  };
  const resizes = new ResizeObserver(stick);
  resizes.observe(box);
  box.addEventListener('scroll', onScroll, { passive: true });
  box.addEventListener('wheel', onWheel, { passive: true });
  box.addEventListener('touchmove', detachIfScrollable, { passive: true });
  box.addEventListener('keydown', onKey);
  document.addEventListener('selectionchange', onSelect);

  return {
    attach() {
      set(true);
      stick();
    },
    restore(scrollTop) {
      if (scrollTop === undefined) {
        this.attach();
        return;
      }
      box.scrollTop = scrollTop;
      set(distance() <= nearPx);
      stick();
    },
    contentChanged: stick,
    dispose() {
      resizes.disconnect();
      box.removeEventListener('scroll', onScroll);
      box.removeEventListener('wheel', onWheel);
      box.removeEventListener('touchmove', detachIfScrollable);
      box.removeEventListener('keydown', onKey);
      document.removeEventListener('selectionchange', onSelect);
    },
  };
}

function look(box: HTMLElement): { top: number; height: number; view: number } {
  return { top: box.scrollTop, height: box.scrollHeight, view: box.clientHeight };
}
