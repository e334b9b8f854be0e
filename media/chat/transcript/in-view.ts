export interface InView {
  /** Returns a function that stops watching. */
  watch(element: HTMLElement, changed: (visible: boolean) => void): () => void;
}

/**
 * One observer serves all elements, so a frame costs only what is near the view. Elements in a section that the
 * browser has not drawn yet are checked again when it is.
 */
export function createInView(): InView {
  const listeners = new WeakMap<Element, (visible: boolean) => void>();
  const waiting = new WeakMap<Element, Set<HTMLElement>>();
  const options: IntersectionObserverInit & { scrollMargin: string } = { scrollMargin: '50% 0px' };
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting, boundingClientRect } of entries) {
      listeners.get(target)?.(isIntersecting);
      const section = target.closest('.section');
      const drawn = boundingClientRect.width > 0 || section === null || !waitsForView(section);
      if (drawn || !(target instanceof HTMLElement)) continue;
      observer.unobserve(target);
      const others = waiting.get(section);
      if (others) others.add(target);
      else waiting.set(section, new Set([target]));
    }
  }, options);
  document.addEventListener('contentvisibilityautostatechange', ({ target }) => {
    if (!(target instanceof Element)) return;
    for (const element of waiting.get(target) ?? []) observer.observe(element);
    waiting.delete(target);
  });
  return {
    watch(element, changed) {
      listeners.set(element, changed);
      observer.observe(element);
      return () => {
        listeners.delete(element);
        observer.unobserve(element);
        const section = element.closest('.section');
        if (section) waiting.get(section)?.delete(element);
      };
    },
  };
}

function waitsForView(section: Element): boolean {
  return section.nextElementSibling !== null;
}
