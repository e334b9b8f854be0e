import { Component, type ComponentChildren, createElement, type FunctionComponent } from 'preact';

/**
 * Draws the view again only when `same` returns false for its props or a signal that it read has changed. Settled
 * content is never compared deeper than this.
 */
export function memo<P extends object>(
  view: FunctionComponent<P>,
  same: (previous: P, next: P) => boolean = shallowEqual,
): FunctionComponent<P> {
  class Memo extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !same(this.props, next);
    }
    override render(): ComponentChildren {
      return createElement(view, this.props);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}

function shallowEqual<P extends object>(a: P, b: P): boolean {
  const names = Object.keys(a) as (keyof P)[];
  return names.length === Object.keys(b).length && names.every((name) => name in b && a[name] === b[name]);
}
