import * as l10n from '@vscode/l10n';
import { TextButton } from '../controls/buttons.tsx';
import { usePanel } from '../panel.ts';
import { budgetWords } from './plan-document.tsx';
import { StripLine } from './strip-line.tsx';
import { useSection } from './use-section.ts';

export function WorktreeLine() {
  const { chat, running } = usePanel();
  const { act, locale } = useSection('worktree');
  const { worktree, worktreePatch } = chat.value;
  if (worktree === undefined) return worktreePatch === undefined ? null : <PatchLine />;
  const { files } = worktree;
  const isRunning = running.value !== undefined;
  const spent = budgetWords(chat.value, locale);
  const words = [isRunning ? l10n.t('In a worktree') : changedText(files), ...(spent === undefined ? [] : [spent])];
  return (
    <section class="strip" aria-label={l10n.t('Worktree')}>
      <StripLine icon="fork" text={words.join(' · ')}>
        {!isRunning && files > 0 && (
          <TextButton
            primary
            title={l10n.t('The changes become edits in your files, which you keep or undo.')}
            onPress={act('bringBack')}
          >
            {l10n.t('Bring Back')}
          </TextButton>
        )}
        {(isRunning || files > 0) && (
          <TextButton name={l10n.t('Show Changes')} onPress={act('show')}>
            {l10n.t('Show')}
          </TextButton>
        )}
        {!isRunning && <TextButton onPress={act('remove')}>{l10n.t('Remove')}</TextButton>}
      </StripLine>
    </section>
  );
}

function changedText(files: number): string {
  if (files === 0) return l10n.t('Worktree · nothing to bring back');
  return files === 1 ? l10n.t('Worktree · 1 file changed') : l10n.t('Worktree · {0} files changed', files);
}

function PatchLine() {
  const { act } = useSection('worktree');
  return (
    <section class="strip" aria-label={l10n.t('Worktree')}>
      <StripLine icon="fork" text={l10n.t('Worktree removed. Changes saved as a patch.')}>
        <TextButton onPress={act('openPatch')}>{l10n.t('Open Patch')}</TextButton>
      </StripLine>
    </section>
  );
}
