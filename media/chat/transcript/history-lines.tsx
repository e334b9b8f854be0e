import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import type { ForkedItem, ModelChangedItem, RewoundItem } from '../../../src/shared/chat/chat-state.ts';
import { TextButton } from '../controls/buttons.tsx';
import { memo } from '../controls/memo.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** Draws what happened to the conversation as a message, so that the arrow keys stop at it. */
export function HistoryLine({ title, children }: { title: string; children?: ComponentChildren }) {
  const name = useId();
  return (
    <article class="message compacted" aria-labelledby={name} tabIndex={-1}>
      <h2 id={name}>{title}</h2>
      {children}
    </article>
  );
}

export const ForkedLine = memo(({ item }: { item: ForkedItem }) => {
  const { post } = usePanel();
  return (
    <HistoryLine title={l10n.t('Forked')}>
      <div class="quiet line-with-button">
        <span>{l10n.t('Everything above is a copy.')}</span>
        <TextButton onPress={() => post({ type: 'openConversation', id: item.id })}>
          {l10n.t('Open Original')}
        </TextButton>
      </div>
    </HistoryLine>
  );
});

/**
 * Marks where the conversation was rewound. Its button opens the former continuation, which is still in the file, as
 * a conversation of its own.
 */
export const RewoundLine = memo(({ item }: { item: RewoundItem }) => {
  const { post } = usePanel();
  return (
    <HistoryLine title={item.deleted ? l10n.t('Deleted') : l10n.t('Asked again')}>
      <div class="quiet line-with-button">
        <span>
          {item.removed === 1
            ? l10n.t('1 earlier message is kept.')
            : l10n.t('{0} earlier messages are kept.', item.removed)}
        </span>
        <TextButton onPress={() => post({ type: 'fork', point: { rewind: Number(item.id) } })}>
          {l10n.t('Open Earlier Version')}
        </TextButton>
      </div>
    </HistoryLine>
  );
});

export const ModelChangedLine = memo(({ item }: { item: ModelChangedItem }) => (
  <HistoryLine title={l10n.t('Model changed to {0}', visibleText(usePanel().nameOf(item.model)))} />
));
