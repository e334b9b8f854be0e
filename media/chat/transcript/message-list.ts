/** Returns the messages drawn so far, in order and across sections. */
export function messagesOf(log: HTMLElement): HTMLElement[] {
  return sectionsOf(log).flatMap(messagesIn);
}

/** Takes constant time however long the conversation is. */
export function hasMessages(log: HTMLElement): boolean {
  return log.firstElementChild instanceof HTMLElement && log.firstElementChild.dataset.start !== undefined;
}

export function messageAt(log: HTMLElement, index: number): HTMLElement | undefined {
  const section = sectionsOf(log).findLast((one) => startOf(one) <= index);
  return section && messagesIn(section)[index - startOf(section)];
}

/** Returns the first message that ends below `y` of the viewport, or the last, with its index in the conversation. */
export function messageBelow(log: HTMLElement, y: number): { index: number; message: HTMLElement } | undefined {
  const section = firstBelow(sectionsOf(log), y);
  const messages = section ? messagesIn(section) : [];
  const message = firstBelow(messages, y);
  return section && message && { index: startOf(section) + messages.indexOf(message), message };
}

export function messageBeside(message: HTMLElement, side: 'previous' | 'next'): HTMLElement | undefined {
  const step = (element: Element | null) =>
    side === 'next' ? element?.nextElementSibling : element?.previousElementSibling;
  const beside = step(message);
  if (beside instanceof HTMLElement) return beside;
  const section = step(message.parentElement);
  return section instanceof HTMLElement ? messagesIn(section).at(side === 'next' ? 0 : -1) : undefined;
}

/**
 * Returns the first of the vertically ordered elements that ends below `y` of the viewport, or the last one. It takes
 * logarithmic time.
 */
export function firstBelow<E extends Element>(elements: readonly E[], y: number): E | undefined {
  let [low, high] = [0, elements.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((elements[middle]?.getBoundingClientRect().bottom ?? 0) > y) high = middle;
    else low = middle + 1;
  }
  return elements[low];
}

function sectionsOf(log: HTMLElement): HTMLElement[] {
  return htmlElements(log.children).filter((element) => element.dataset.start !== undefined);
}

function messagesIn(section: HTMLElement): HTMLElement[] {
  return htmlElements(section.children);
}

function startOf(section: HTMLElement): number {
  return Number(section.dataset.start);
}

function htmlElements(elements: HTMLCollection): HTMLElement[] {
  return Array.from(elements).filter((element) => element instanceof HTMLElement);
}
