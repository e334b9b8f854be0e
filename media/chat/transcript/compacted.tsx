import * as l10n from '@vscode/l10n';
import { useId } from 'preact/hooks';
import type { CompactedItem } from '../../../src/shared/chat/chat-state.ts';
import { formatCount } from '../controls/format.ts';
import { memo } from '../controls/memo.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { usePanel } from '../panel.ts';
import { Folding } from './folding.tsx';

/** The line above which the conversation is sent as a summary. It is a stop of the arrow keys like any message. */
export const CompactedLine = memo(({ item, last }: { item: CompactedItem; last: boolean }) => {
  const name = useId();
  const locale = usePanel().info.value?.locale ?? 'en';
  const [before, after] = [item.tokensBefore, item.tokensAfter].map((count) => formatCount(count, locale));
  return (
    <article class="message compacted" aria-labelledby={name} tabIndex={last ? 0 : -1}>
      <h2 id={name}>{l10n.t('Compacted')}</h2>
      <p class="quiet">
        {l10n.t('What stands above is sent as a summary: {0} instead of {1} tokens.', after ?? '', before ?? '')}
      </p>
      <Folding id={`${item.id}/summary`} className="summary-folding" summary={<span>{l10n.t('Summary')}</span>}>
        {() => <MarkdownView text={item.summary} live={false} />}
      </Folding>
    </article>
  );
});
