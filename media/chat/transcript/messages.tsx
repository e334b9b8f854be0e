import * as l10n from '@vscode/l10n';
import { useEffect, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { type AnswerItem, asTyped, type RunningTurn, type UserItem } from '../../../src/shared/chat/chat-state.ts';
import type { FailureAction } from '../../../src/shared/failure/failure-action.ts';
import { FailureCard } from '../cards/failure-card.tsx';
import { Chips } from '../composer/chips.tsx';
import { CopyButton, IconButton, TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { numberCodeBlocks } from '../markdown/code-block-names.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { priceToAskAgain, priceToGoOn, withPrice } from '../sections/go-on-price.ts';
import { menuContext } from './context-menu.ts';
import { CostLine } from './cost-line.tsx';
import { Folding } from './folding.tsx';
import { Parts } from './parts.tsx';
import { answerText, questionAt } from './said.ts';
import { NextSteps, ToMendLine, TurnFactsWords } from './turn-facts-line.tsx';

interface UserProps {
  item: UserItem;
  answered: Answered;
}

export interface Answered {
  /** Holds the turn whose changed files can be restored. */
  restorableTurnId?: string;
  microUsd?: number;
}

export const UserMessage = memo(({ item, answered: { restorableTurnId, microUsd } }: UserProps) => {
  const { post } = usePanel();
  const name = useId();
  return (
    <article
      class="message user"
      aria-labelledby={name}
      tabIndex={-1}
      data-id={item.id}
      data-vscode-context={menuContext.question}
    >
      <h2 id={name} class="visually-hidden">
        {l10n.t('You')}
      </h2>
      <Chips chips={item.attachments} name={l10n.t('Attachments')} />
      {asTyped(item) !== '' && <p class="prompt">{visibleText(asTyped(item))}</p>}
      {item.typed !== undefined && (
        <Folding id={`${item.id}/sent`} className="sent-text" summary={l10n.t('What was sent')}>
          {() => <p class="prompt">{visibleText(item.text)}</p>}
        </Folding>
      )}
      <footer class="message-actions">
        {restorableTurnId !== undefined && (
          <IconButton
            icon="restore"
            name={l10n.t('Restore Files to This Point')}
            onPress={() => post({ type: 'restoreCheckpoint', turnId: restorableTurnId })}
          />
        )}
        <MessageActions item={item} microUsd={microUsd} />
      </footer>
    </article>
  );
});

function AnswerActions({ item }: { item: AnswerItem }) {
  const panel = usePanel();
  const askAgain = (pickModel: boolean) => () => {
    const items = panel.items.value;
    const at = items.findIndex((one) => one.kind === 'answer' && one.turnId === item.turnId);
    const asked = questionAt(items, at);
    if (asked) panel.post({ type: 'rerun', messageId: asked.id, pickModel });
  };
  // One that failed for nothing is the last as a rule, and its price is the next message's.
  const price = priceToAskAgain(panel, item.cost?.microUsd) ?? priceToGoOn(panel, item.turnId);
  return (
    <>
      <IconButton icon="retry" name={withPrice(l10n.t('Ask Again'), price)} onPress={askAgain(false)} />
      <IconButton icon="swap" name={withPrice(l10n.t('Ask Another Model'), price)} onPress={askAgain(true)} />
    </>
  );
}

function MessageActions({ item, microUsd }: { item: UserItem; microUsd: number | undefined }) {
  const panel = usePanel();
  const { post, editing, focusComposer } = panel;
  return (
    <>
      <IconButton
        icon="edit"
        name={l10n.t('Edit')}
        onPress={() => {
          editing.begin({ ...item, text: asTyped(item) });
          focusComposer();
        }}
      />
      <IconButton
        icon="retry"
        name={withPrice(l10n.t('Ask Again from Here'), priceToAskAgain(panel, microUsd))}
        onPress={() => post({ type: 'rerun', messageId: item.id, pickModel: false })}
      />
      <IconButton
        icon="fork"
        name={l10n.t('Fork from Here')}
        onPress={() => post({ type: 'fork', point: { messageId: item.id } })}
      />
      <CopyButton name={l10n.t('Copy Message')} text={() => asTyped(item)} />
      <IconButton
        icon="trash"
        name={l10n.t('Delete from Here')}
        onPress={() => {
          post({ type: 'deleteFrom', messageId: item.id });
          focusComposer();
        }}
      />
    </>
  );
}

interface AnswerProps {
  item: AnswerItem;
  past: boolean;
  /** The turn started while the panel was open, so space below is reserved for its text to grow. */
  fresh: boolean;
  running?: RunningTurn;
}

export const AnswerMessage = memo(({ item, past, fresh, running }: AnswerProps) => {
  const panel = usePanel();
  const name = useId();
  const title = item.model === '' ? l10n.t('Answer') : panel.nameOf(item.model);
  const article = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (article.current && !running) numberCodeBlocks(article.current);
  });
  const whole = running === undefined;
  useEffect(() => (whole && article.current ? panel.names.watch(article.current, item.turnId) : undefined), [whole]);
  return (
    <article
      ref={article}
      class={fresh ? 'message answer fresh' : 'message answer'}
      aria-labelledby={name}
      tabIndex={-1}
      data-id={item.turnId}
      data-vscode-context={running ? undefined : menuContext.answer}
    >
      <h2 id={name} title={visibleText(item.model)}>
        {visibleText(title)}
      </h2>
      <Parts turn={item.turnId} parts={item.parts} running={running} />
      {item.failure && <FailureCard answer={item} failure={item.failure} past={past} />}
      {!running && <Footer item={item} past={past} />}
    </article>
  );
});

function Footer({ item, past }: { item: AnswerItem; past: boolean }) {
  const panel = usePanel();
  const hasText = item.parts.some((part) => part.type === 'text');
  // A failed turn that spent nothing has its money line in the card.
  const showsCost = item.cost !== undefined && (item.cost.totalTokens > 0 || item.failure === undefined);
  const note = noteOf(item);
  const act = (action: FailureAction) => () => panel.post({ type: 'action', turnId: item.turnId, action });
  return (
    <footer>
      <ToMendLine item={item} past={past} />
      {note && (
        <div class="running">
          <p>
            <Icon name="info" />
            <span>{note.text}</span>
          </p>
          {note.resumable && !past && (
            <div class="actions">
              <TextButton onPress={act('continue')}>
                {withPrice(l10n.t('Continue'), priceToGoOn(panel, item.turnId))}
              </TextButton>
            </div>
          )}
        </div>
      )}
      <div class="footer-line">
        {showsCost && item.cost && (
          <CostLine
            cost={item.cost}
            durationMs={item.durationMs}
            savedTokens={item.savedTokens}
            requests={item.requests}
            sent={item.sent}
          />
        )}
        <TurnFactsWords item={item} />
        <span class="message-actions">
          <AnswerActions item={item} />
          {hasText && <CopyButton name={l10n.t('Copy Answer')} text={() => answerText(item)} />}
        </span>
      </div>
      {!past && <NextSteps item={item} />}
    </footer>
  );
}

function noteOf(item: AnswerItem): { text: string; resumable: boolean } | undefined {
  if (item.failure) return undefined;
  if (item.outcome === 'stopped') return { text: l10n.t('Stopped'), resumable: false };
  if (item.outcome === 'interrupted') {
    return {
      text: l10n.t('Interrupted: the window closed or reloaded before the answer was complete.'),
      resumable: true,
    };
  }
  if (item.outcome === 'limit') return { text: l10n.t('Stopped at a limit'), resumable: true };
  if (item.finish === 'length') return { text: l10n.t('Cut off at the length limit'), resumable: true };
  return undefined;
}
