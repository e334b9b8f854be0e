import { Component, type ComponentChildren, createElement, type FunctionComponent } from 'preact';

/**
 * A view that is drawn again only when `same` says that its props changed (or a signal that it read). What has settled in
 * a conversation is never compared deeper than this.
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
