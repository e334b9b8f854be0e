import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { usePanel } from '../panel.ts';
import { Icon, type IconName } from './icon.tsx';

export function IconButton(props: { icon: IconName; name: string; pressed?: boolean; onPress: () => void }) {
  const { icon, name, pressed, onPress } = props;
  return (
    <button type="button" class="icon-button" aria-label={name} title={name} aria-pressed={pressed} onClick={onPress}>
      <Icon name={icon} />
    </button>
  );
}

export function TextButton(props: { primary?: boolean; onPress: () => void; children: ComponentChildren }) {
  return (
    <button type="button" class={props.primary ? 'button primary' : 'button'} onClick={props.onPress}>
      {props.children}
    </button>
  );
}

/** Copies through the host; the tick shows for two seconds that it did. `text` is read when it is pressed. */
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
  return <IconButton icon={copied ? 'check' : 'copy'} name={name} onPress={copy} />;
}
