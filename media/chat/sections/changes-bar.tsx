import * as l10n from '@vscode/l10n';
import { useId, useState } from 'preact/hooks';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import { Changed } from '../cards/approval-facts.tsx';
import { IconButton, TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { keyNames } from '../controls/keys.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

type EditedFile = PanelInfo['edits'][number];

export function ChangesBar() {
  const { post, info } = usePanel();
  const edits = info.value?.edits ?? [];
  const [open, setOpen] = useState(false);
  const list = useId();
  if (edits.length === 0) return null;
  const sum = (field: 'added' | 'removed') => edits.reduce((total, file) => total + file[field], 0);
  return (
    <section class="strip changes" aria-label={l10n.t('Changes')}>
      <div class="strip-line">
        <button
          type="button"
          class="strip-toggle"
          aria-expanded={open}
          aria-controls={open ? list : undefined}
          onClick={() => setOpen(!open)}
        >
          <Icon name="chevron" />
          <span>{edits.length === 1 ? l10n.t('1 file') : l10n.t('{0} files', edits.length)}</span>
          <Changed added={sum('added')} removed={sum('removed')} />
        </button>
        <div class="actions">
          <TextButton primary title={keyNames.keepAll} onPress={() => post({ type: 'edits', action: 'keepAll' })}>
            {l10n.t('Keep All')}
          </TextButton>
          <TextButton title={keyNames.undoAll} onPress={() => post({ type: 'edits', action: 'undoAll' })}>
            {l10n.t('Undo All')}
          </TextButton>
          <TextButton onPress={() => post({ type: 'edits', action: 'review' })}>{l10n.t('Review')}</TextButton>
        </div>
      </div>
      {open && (
        <ul id={list} class="strip-list" aria-label={l10n.t('Changed files')}>
          {edits.map((file) => (
            <FileRow key={file.uri} file={file} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Names other chats with pending edits in the file, which Keep and Undo of this row do not change. */
function alsoText(titles: readonly string[]): string {
  const named = titles.filter((title) => title !== '');
  return named.length === 0
    ? l10n.t('Another chat has pending edits here, too. They stay as they are.')
    : l10n.t('Also edited in: {0}. Those edits stay as they are.', named.join(', '));
}

function FileRow({ file }: { file: EditedFile }) {
  const { post } = usePanel();
  const path = visibleText(file.path);
  const renamed = file.renamedFrom && l10n.t('Renamed from {0}', visibleText(file.renamedFrom));
  const act = (action: 'keep' | 'undo' | 'open') => () => post({ type: 'editedFile', action, uri: file.uri });
  return (
    <li>
      <button
        type="button"
        class="link-button path"
        title={path}
        aria-label={l10n.t('Open {0}', path)}
        onClick={act('open')}
      >
        <bdi>{path}</bdi>
      </button>
      {file.is && <span class="quiet">{file.is === 'new' ? l10n.t('New') : l10n.t('Deleted')}</span>}
      {renamed && (
        <span class="quiet renamed" title={renamed}>
          {renamed}
        </span>
      )}
      {file.expired && (
        <span
          class="quiet"
          title={l10n.t('The window was reloaded before you decided. Choose Keep to write it anyway.')}
        >
          {l10n.t('Expired')}
        </span>
      )}
      {file.alsoIn && (
        <span class="quiet" title={visibleText(alsoText(file.alsoIn))}>
          {l10n.t('Shared')}
        </span>
      )}
      <Changed added={file.added} removed={file.removed} />
      <IconButton icon="check" name={l10n.t('Keep {0}', path)} onPress={act('keep')} />
      <IconButton icon="undo" name={l10n.t('Undo {0}', path)} onPress={act('undo')} />
    </li>
  );
}
