import type { Page } from 'playwright-core';

const boxes =
  '.log, .composer, .banner, .failure, .approval, .diff, .strips, .strip, .composer-footer, .editing, fieldset';

/**
 * What does not fit: the page when it scrolls sideways, boxes that are wider than their place, and controls that reach
 * out of the window or whose own text is cut. Text that ends in an ellipsis has its whole in a title.
 */
export function clippedParts(page: Page): Promise<string[]> {
  return page.evaluate((selector) => {
    // A square icon that turns reaches out of its own box.
    for (const animation of document.getAnimations()) animation.cancel();
    const nameOf = (element: Element) =>
      `${element.className}: ${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 60)}`;
    const scrolls = (element: Element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
    const scroller = (element: Element) => {
      for (let at = element.parentElement; at; at = at.parentElement) if (scrolls(at) && !at.matches('.log')) return at;
      return undefined;
    };
    const shortened = (element: Element) =>
      getComputedStyle(element).textOverflow === 'ellipsis' && element.closest('[title], [aria-label]') !== null;
    const overflows = (element: HTMLElement) => element.scrollWidth > element.clientWidth + 1 && !shortened(element);
    const controls = [...document.querySelectorAll<HTMLElement>('button, summary, input, select, textarea, a[href]')];
    return [
      ...(document.documentElement.scrollWidth > innerWidth ? ['the page'] : []),
      ...[...document.querySelectorAll<HTMLElement>(selector)].filter(overflows).map(nameOf),
      ...controls
        .filter((control) => control.checkVisibility() && !scroller(control))
        .filter((control) => {
          const { left, right } = control.getBoundingClientRect();
          return left < -1 || right > innerWidth + 1 || overflows(control);
        })
        .map(nameOf),
    ];
  }, boxes);
}
