/**
 * Lets Tab reach one message of the log: the one that had the focus last, and the newest until one had, or when
 * another comes while the focus is elsewhere. Messages are drawn with a `tabIndex` of -1, and nothing else sets it.
 */
export function createTabStop() {
  let stop: HTMLElement | null = null;
  let newest: Element | null = null;
  function move(message: HTMLElement): void {
    if (stop) stop.tabIndex = -1;
    stop = message;
    stop.tabIndex = 0;
  }
  return {
    focused(target: EventTarget | null): void {
      const message = target instanceof HTMLElement ? target.closest('article') : null;
      if (message) move(message);
    },
    /** Takes constant time. */
    drawn(log: HTMLElement): void {
      const last = log.lastElementChild?.lastElementChild ?? null;
      const isNew = last !== newest && !log.contains(document.activeElement);
      newest = last;
      if (last instanceof HTMLElement && (isNew || !stop?.isConnected)) move(last);
    },
  };
}
