import * as l10n from '@vscode/l10n';
import type { AnswerItem } from '../../../src/shared/chat/chat-state.ts';
import { TextButton } from '../controls/buttons.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import type { PresentationOf } from '../transcript/part-positions.ts';
import { useSection } from './use-section.ts';

/**
 * Shows files that commands of the last answer changed. They are no edits of the model, so nothing in them is
 * pending; their content from before is stored, and is restored with everything that the answer did.
 */
export function CommandChanges() {
  const { post, chat, items, running, info, presentationOf } = usePanel();
  const isRestored = useSection('lines').state?.some(({ id }) => id === 'restored');
  const beside = info.value !== undefined && info.value.edits.length > 0;
  const last = items.value.findLast(({ kind }) => kind === 'answer' || kind === 'user');
  if (last?.kind !== 'answer' || running.value !== undefined || isRestored) return null;
  // Gone along with their worktree.
  if (chat.value.worktreePatch !== undefined) return null;
  const paths = changedByCommands(last, presentationOf);
  const count = paths.length;
  if (count === 0) return null;
  return (
    <section class="strip command-changes" aria-label={l10n.t('Changed by commands')}>
      <div class="strip-line">
        <p class="quiet" title={visibleText(paths.join('\n'))}>
          {count === 1 ? l10n.t('1 file changed by commands') : l10n.t('{0} files changed by commands', count)}
          {beside && ` · ${l10n.t('not part of Undo All')}`}
        </p>
        <div class="actions">
          <TextButton
            title={l10n.t('Restores all files to before this answer')}
            onPress={() => post({ type: 'restoreCheckpoint', turnId: last.turnId })}
          >
            {l10n.t('Restore')}
          </TextButton>
        </div>
      </div>
    </section>
  );
}

/** Returns the files that the turn changed and that none of its edits names. */
export function changedByCommands({ parts, checkpoint }: AnswerItem, presentationOf: PresentationOf): string[] {
  if (checkpoint === undefined) return [];
  const edits = parts.flatMap((part) =>
    part.type === 'tool' && presentationOf(part.name).gathers === 'edits' ? [part.arguments] : [],
  );
  return checkpoint.paths.filter(
    (path) => !edits.some((written) => written.includes(JSON.stringify(path).slice(1, -1))),
  );
}
