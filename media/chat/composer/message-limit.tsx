import * as l10n from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { wholeCents } from '../../../src/shared/money.ts';
import type { NextPrice } from '../../../src/shared/panel/panel-info.ts';
import { TextButton } from '../controls/buttons.tsx';
import { isComposing } from '../controls/keys.ts';

interface MessageLimitProps {
  price: NextPrice;
  limitMicroUsd: number | undefined;
  focused: boolean;
  onChange: (microUsd: number | undefined) => void;
}

/** The limit opens with Ctrl+Shift+4: the dollar sign's key on most keyboards, and the same place on all. */
export function isLimitKey({ code, ctrlKey, shiftKey, altKey, metaKey }: KeyboardEvent): boolean {
  return code === 'Digit4' && ctrlKey && shiftKey && !altKey && !metaKey;
}

export function MessageLimit({ price, limitMicroUsd, focused, onChange }: MessageLimitProps) {
  const [text, setText] = useState(() => inDollars(limitMicroUsd ?? suggested(price)));
  const field = useRef<HTMLInputElement>(null);
  const id = useId();
  useEffect(() => {
    if (focused) field.current?.select();
  }, [focused]);
  const microUsd = readDollars(text);
  const set = () => {
    if (microUsd === undefined) field.current?.focus();
    else onChange(microUsd);
  };
  return (
    <div class="message-limit">
      <label for={id}>{l10n.t('Limit this once (USD)')}</label>
      <input
        id={id}
        ref={field}
        inputMode="decimal"
        size={6}
        maxLength={10}
        value={text}
        aria-invalid={microUsd === undefined || undefined}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event)) return;
          // Within the composer's form, Enter would send the message.
          event.preventDefault();
          set();
        }}
      />
      <TextButton primary={limitMicroUsd === undefined} disabled={microUsd === undefined} onPress={set}>
        {l10n.t('Set Limit')}
      </TextButton>
      {limitMicroUsd !== undefined && <TextButton onPress={() => onChange(undefined)}>{l10n.t('No Limit')}</TextButton>}
    </div>
  );
}

/** Suggests twice what such a message usually costs. */
function suggested({ microUsd, usualMicroUsd = microUsd }: NextPrice): number {
  return wholeCents(2 * Math.max(microUsd, usualMicroUsd, 1));
}

function inDollars(microUsd: number): string {
  return String(microUsd / 1e6);
}

/** Reads `0.05` and `0,05`; returns undefined for what is no amount. */
function readDollars(text: string): number | undefined {
  if (!/^\s*(?:\d+|\d*[.,]\d+)\s*$/.test(text)) return undefined;
  const microUsd = Math.round(Number(text.replace(',', '.')) * 1e6);
  return microUsd > 0 && microUsd <= 1_000_000_000 ? microUsd : undefined;
}
