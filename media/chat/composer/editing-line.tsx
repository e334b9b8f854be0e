import * as l10n from '@vscode/l10n';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { usePanel } from '../panel.ts';
import { Chips } from './chips.tsx';

export function EditingLine({ focusInput }: { focusInput: () => void }) {
  const { editing } = usePanel();
  const edited = editing.current.value;
  if (!edited) return null;
  return (
    <fieldset class="editing" aria-label={l10n.t('Editing an earlier message')}>
      <div class="strip-line">
        <Icon name="edit" />
        <span class="grow">{l10n.t('Editing. Everything after this message will be replaced.')}</span>
        <TextButton
          title={l10n.t('Esc')}
          onPress={() => {
            editing.cancel();
            focusInput();
          }}
        >
          {l10n.t('Cancel')}
        </TextButton>
      </div>
      <Chips
        chips={edited.attachments}
        name={l10n.t('Attached to the edited message')}
        onRemove={(id) => {
          focusInput();
          editing.removeAttachment(id);
        }}
      />
    </fieldset>
  );
}
