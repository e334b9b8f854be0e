import { type ComponentChildren, createElement, type Ref } from 'preact';

interface ScrollBoxProps {
  tag: 'pre' | 'div';
  className?: string;
  label: string;
  about?: string;
  boxRef?: Ref<HTMLElement>;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}

export function ScrollBox({ tag, className, label, about, boxRef, onKeyDown, children }: ScrollBoxProps) {
  const attributes = {
    class: className,
    role: 'group' as const,
    'aria-label': label,
    'data-about': about,
    tabIndex: 0,
    ref: boxRef,
    onKeyDown,
  };
  return createElement(tag, attributes, children);
}
