import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { Icon, type IconName } from './icon.tsx';

interface IconButtonProps {
  icon: IconName;
  name: string;
  pressed?: boolean;
  className?: string;
  disabled?: boolean;
  onPress: () => void;
}

export function IconButton({ icon, name, pressed, className, disabled, onPress }: IconButtonProps) {
  return (
    <button
      type="button"
      class={className ? `icon-button ${className}` : 'icon-button'}
      aria-label={name}
      title={name}
      aria-pressed={pressed}
      aria-disabled={disabled || undefined}
      onClick={() => {
        if (!disabled) onPress();
      }}
    >
      <Icon name={icon} />
    </button>
  );
}

interface TextButtonProps {
  primary?: boolean;
  title?: string;
  /** Replaces the text as the accessible name where the text alone is unclear; it must begin with the text. */
  name?: string;
  /** Shows the button as disabled; `onPress` is still called and may say why. */
  disabled?: boolean;
  onPress: () => void;
  children: ComponentChildren;
}

export function TextButton({ primary, title, name, disabled, onPress, children }: TextButtonProps) {
  return (
    <button
      type="button"
      class={primary ? 'button primary' : 'button'}
      title={title}
      aria-label={name}
      aria-disabled={disabled || undefined}
      onClick={onPress}
    >
      {children}
    </button>
  );
}

export function KeyHint({ text }: { text: string }) {
  return (
    <span class="key" aria-hidden="true">
      {text}
    </span>
  );
}

/** Copies through the host and shows a tick for two seconds. `text` is called on each press. */
export function CopyButton({ name, text }: { name: string; text: () => string }) {
  const panel = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    panel.post({ type: 'copy', text: text() });
    panel.announce(l10n.t('Copied'));
    setCopied(true);
  };
  return <IconButton icon={copied ? 'check' : 'copy'} className="copy" name={name} onPress={copy} />;
}
