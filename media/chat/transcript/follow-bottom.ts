import type { ScrollAnchor } from '../host.ts';
import { firstBelow, hasMessages, messageAt, messageBelow } from './message-list.ts';

/**
 * Keeps a growing box scrolled to its end until the reader scrolls away, and then keeps the read text in position.
 * The browser's scroll anchoring is turned off in the style sheet, because it fails at the very top and in content
 * that was never laid out.
 */
export interface Follower {
  attach(): void;
  /** Scrolls to a stored position; undefined means the end. */
  restore(place: ScrollAnchor | undefined): void;
  /** Must be called after the content changed, in the same frame. */
  contentChanged(): void;
  dispose(): void;
}

interface Emitter {
  onAttached(attached: boolean): void;
  onMoved(place: ScrollAnchor | undefined): void;
}

const nearPx = 48;
const messagePaddingPx = 8;

export function followBottom(box: HTMLElement, { onAttached, onMoved }: Emitter): Follower {
  let attached = true;
  /**
   * Holds position and sizes of the last measurement, because a scroll event after a mere change of size is not the
   * user's.
   */
  let seen = look(box);
  let anchor: Anchor | undefined;

  const distance = () => box.scrollHeight - box.scrollTop - box.clientHeight;
  const moved = () => {
    anchor = attached ? undefined : anchorOf(box);
    onMoved(anchor?.place);
  };
  const set = (value: boolean) => {
    if (value !== attached) onAttached(value);
    attached = value;
    moved();
  };
  const restoreAnchor = ({ element, topPx }: Anchor) => {
    if (element.isConnected) box.scrollTop += topIn(box, element) - topPx;
    else anchor = anchorOf(box);
    seen = look(box);
  };
  const followOrHold = () => {
    if (anchor) {
      restoreAnchor(anchor);
      return;
    }
    // Without messages there is a page to read from its top.
    if (attached && hasMessages(box) && distance() > 0.5) box.scrollTop = box.scrollHeight;
    seen = look(box);
  };
  const onScroll = () => {
    // Usually caused by our own scrolling as an answer grows.
    if (attached && box.scrollTop === seen.top) return;
    const now = look(box);
    const resized = now.height !== seen.height || now.view !== seen.view;
    if (attached && !resized && now.top < seen.top - 1 && distance() > nearPx) set(false);
    else if (!attached && now.top > seen.top && distance() <= nearPx) set(true);
    else if (!attached) moved();
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
  const resizes = new ResizeObserver(followOrHold);
  for (const element of [box, ...box.children]) resizes.observe(element);
  const sections = new MutationObserver((records) => {
    for (const node of records.flatMap(({ addedNodes }) => [...addedNodes])) {
      if (node instanceof HTMLElement) resizes.observe(node);
    }
  });
  sections.observe(box, { childList: true });
  const life = new AbortController();
  const passive = { signal: life.signal, passive: true };
  box.addEventListener('scroll', onScroll, passive);
  box.addEventListener('wheel', onWheel, passive);
  box.addEventListener('touchmove', detachIfScrollable, passive);
  box.addEventListener('keydown', onKey, life);
  document.addEventListener('selectionchange', onSelect, life);

  return {
    attach() {
      set(true);
      followOrHold();
    },
    restore(place) {
      const message = place && messageAt(box, place.message);
      if (!message) {
        this.attach();
        return;
      }
      box.scrollTop += topIn(box, message) + place.offsetPx;
      set(distance() <= nearPx);
      followOrHold();
    },
    contentChanged: followOrHold,
    dispose() {
      resizes.disconnect();
      sections.disconnect();
      life.abort();
    },
  };
}

function look(box: HTMLElement): { top: number; height: number; view: number } {
  return { top: box.scrollTop, height: box.scrollHeight, view: box.clientHeight };
}

interface Anchor {
  element: Element;
  /** The distance is negative when the element begins above the view. */
  topPx: number;
  place: ScrollAnchor;
}

function anchorOf(box: HTMLElement): Anchor | undefined {
  const top = box.getBoundingClientRect().top + messagePaddingPx;
  const found = messageBelow(box, top);
  if (!found) return undefined;
  let element: Element = found.message;
  for (let inside: Element | undefined = element; inside; inside = firstBelow([...element.children], top)) {
    const { top: start, bottom } = inside.getBoundingClientRect();
    if (bottom <= top) break;
    element = inside;
    if (start >= top) break;
  }
  const place = { message: found.index, offsetPx: -topIn(box, found.message) };
  return { element, topPx: topIn(box, element), place };
}

function topIn(box: HTMLElement, element: Element): number {
  return element.getBoundingClientRect().top - box.getBoundingClientRect().top;
}
