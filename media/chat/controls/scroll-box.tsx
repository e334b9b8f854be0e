import { type ComponentChildren, createElement, type Ref } from 'preact';

interface ScrollBoxProps {
  tag: 'pre' | 'div';
  className?: string;
  label: string;
  /** The part of the label besides numbers. */
  about?: string;
  boxRef?: Ref<HTMLElement>;
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}

/** A box whose content may be wider or higher than itself: named, and reached by Tab so that the keyboard can scroll it. */
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
