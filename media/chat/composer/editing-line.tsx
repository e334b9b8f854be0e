import * as l10n from '@vscode/l10n';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

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
      {edited.attachments.length > 0 && (
        <ul class="chips" aria-label={l10n.t('Attached to the edited message')}>
          {edited.attachments.map(({ id, label }) => (
            <li key={id} class="chip">
              <Icon name="file" />
              <span title={visibleText(label)}>{visibleText(label)}</span>
              <IconButton
                icon="close"
                name={l10n.t('Remove {0}', visibleText(label))}
                onPress={() => {
                  focusInput();
                  editing.removeAttachment(id);
                }}
              />
            </li>
          ))}
        </ul>
      )}
    </fieldset>
  );
}
