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

function shallowEqual(a: object, b: object): boolean {
  const left = Object.entries(a);
  const right = new Map<string, unknown>(Object.entries(b));
  return left.length === right.size && left.every(([name, value]) => right.get(name) === value);
}
