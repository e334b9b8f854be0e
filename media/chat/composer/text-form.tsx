import * as l10n from '@vscode/l10n';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { TextButton } from '../controls/buttons.tsx';
import { isComposing } from '../controls/keys.ts';

interface TextFormProps {
  label: string;
  submit: string;
  maxLength: number;
  onSubmit: (text: string) => void;
  /** When present, the user asked for the field: it takes the focus, and Escape cancels. */
  onCancel?: () => void;
}

/**
 * Shows a field for a text of several lines: Enter sends, Shift+Enter starts a new line, and no key in it ever approves
 * anything.
 */
export function TextForm({ label, submit, maxLength, onSubmit, onCancel }: TextFormProps) {
  const [text, setText] = useState('');
  const field = useRef<HTMLTextAreaElement>(null);
  const id = useId();
  const asked = onCancel !== undefined;
  useEffect(() => {
    if (asked) field.current?.focus();
  }, [asked]);
  const send = () => onSubmit(text.trim());
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      event.stopPropagation();
      send();
    } else if (event.key === 'Escape' && onCancel) {
      event.preventDefault();
      event.stopPropagation();
      onCancel();
    }
  };
  return (
    <form
      class="text-form"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label for={id}>{label}</label>
      <textarea
        id={id}
        ref={field}
        rows={1}
        maxLength={maxLength}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="actions">
        <TextButton primary onPress={send}>
          {submit}
        </TextButton>
        {onCancel && <TextButton onPress={onCancel}>{l10n.t('Cancel')}</TextButton>}
      </div>
    </form>
  );
}
