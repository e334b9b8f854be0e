import * as l10n from '@vscode/l10n';
import { useState } from 'preact/hooks';
import type { Question } from '../../../src/shared/approval.ts';
import { TextForm } from '../composer/text-form.tsx';
import { TextButton } from '../controls/buttons.tsx';
import { memo } from '../controls/memo.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { plainText } from '../markdown/plain-text.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { PlainText } from './approval-facts.tsx';
import { Card } from './card.tsx';

/**
 * A question of `ask_user` suggests options and always allows a free answer; a question of consent allows only its
 * choices.
 */
export const QuestionCard = memo(({ question }: { question: Question }) => {
  const panel = usePanel();
  // A command runs on this answer: there is nothing to say to it but one of its choices.
  const isConsent = question.command !== undefined && question.options.length > 0;
  const [answered, setAnswered] = useState(false);
  const answer = (text: string) => {
    if (answered || text === '') return;
    setAnswered(true);
    panel.post({ type: 'answer', answer: { id: question.callId, kind: 'question', value: text } });
  };
  return (
    <Card icon="chat" title={l10n.t('A question for you')} className={answered ? 'question' : 'question waiting'}>
      <MarkdownView text={question.text} live={false} />
      {question.command !== undefined && <PlainText label={l10n.t('Command')} text={question.command} whole />}
      {answered ? (
        <p class="quiet">{l10n.t('Answered')}</p>
      ) : (
        <>
          {question.options.length > 0 && (
            <div class="choices">
              {question.options.map((option, at) => (
                <TextButton key={option} primary={question.recommends && at === 0} onPress={() => answer(option)}>
                  {visibleText(plainText(option))}
                </TextButton>
              ))}
            </div>
          )}
          {!isConsent && (
            <TextForm
              label={question.options.length > 0 ? l10n.t('Or answer in your own words') : l10n.t('Your answer')}
              submit={l10n.t('Answer')}
              maxLength={20_000}
              onSubmit={answer}
            />
          )}
        </>
      )}
    </Card>
  );
});
