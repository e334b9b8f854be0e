import type { Place } from './host.ts';

/** Keeps a scrolling box at its end while it grows, until its reader goes elsewhere. */
export interface Follower {
  /** Goes to the end and follows from now on. */
  attach(): void;
  /** Goes to a stored place; undefined means the end. */
  restore(place: Place | undefined): void;
  /** Call after the content changed, in the same frame. */
  contentChanged(): void;
  dispose(): void;
}

interface Listeners {
  onAttached(attached: boolean): void;
  /** The place to restore later; undefined while it follows the end. */
  onMoved(place: Place | undefined): void;
  /** Index of the message that is the box's first child. */
  firstMessage(): number;
}

const nearPx = 48;

export function followBottom(box: HTMLElement, { onAttached, onMoved, firstMessage }: Listeners): Follower {
  let attached = true;
  /** Position and sizes at our last look: a scroll event that only follows a change of size is nobody's wish. */
  let seen = look(box);

  const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
  const set = (value: boolean) => {
    if (value !== attached) onAttached(value);
    attached = value;
    onMoved(attached ? undefined : placeOf(box, firstMessage()));
  };
  const stick = () => {
    // Without messages there is a page to read from its top.
    if (attached && box.firstElementChild?.tagName === 'ARTICLE' && distance() > 0.5) box.scrollTop = box.scrollHeight;
    seen = look(box);
  };
  const onScroll = () => {
    const now = look(box);
    const resized = now.height !== seen.height || now.view !== seen.view;
    if (attached && !resized && now.top < seen.top - 1 && distance() > nearPx) set(false);
    else if (!attached && now.top > seen.top && distance() <= nearPx) set(true);
    else if (!attached) onMoved(placeOf(box, firstMessage()));
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
    restore(place) {
      const message = box.children[(place?.message ?? -1) - firstMessage()];
      if (!place || !(message instanceof HTMLElement)) {
        this.attach();
        return;
      }
      box.scrollTop = message.offsetTop - box.offsetTop + place.offsetPx;
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

/** The first message that reaches into view. */
function placeOf(box: HTMLElement, first: number): Place | undefined {
  const top = box.scrollTop + box.offsetTop;
  let [low, high] = [0, box.children.length - 1];
  const bottomOf = (index: number) => {
    const message = box.children[index];
    return message instanceof HTMLElement ? message.offsetTop + message.offsetHeight : 0;
  };
  while (low < high) {
    const middle = (low + high) >> 1;
    if (bottomOf(middle) > top) high = middle;
    else low = middle + 1;
  }
  const message = box.children[low];
  return message instanceof HTMLElement ? { message: first + low, offsetPx: top - message.offsetTop } : undefined;
}
