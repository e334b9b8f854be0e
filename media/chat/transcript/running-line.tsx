import * as l10n from '@vscode/l10n';
import type { RunningTurn } from '../../../src/shared/chat/chat-state.ts';
import { describeFailure } from '../../../src/shared/failure/failure-text.ts';
import { TextButton } from '../controls/buttons.tsx';
import { formatSeconds } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

const waitingAfterMs = 3000;
const queueHintAfterMs = 20_000;

/** Tells the phase of the running turn when nothing else shows it. */
export function RunningLine({ running }: { running: RunningTurn }) {
  const panel = usePanel();
  const seconds = Math.floor(Math.max(0, panel.now.value - running.since) / 1000);
  if (running.phase === 'retrying') return <RetryLine running={running} seconds={seconds} />;
  // Of a turn in another window only the words are here, and another model would be of no help.
  const isElsewhere = panel.info.value?.elsewhere !== undefined;
  const queued = running.phase === 'sending' && seconds * 1000 >= queueHintAfterMs && !isElsewhere;
  const reviews = running.phase === 'tool' && panel.info.value?.edits.some(({ proposed }) => proposed);
  return (
    <div class="running">
      <p>
        <Icon name={reviews ? 'edit' : 'spinner'} />
        <span>
          {reviews ? l10n.t('Waiting for your review') : visibleText(runningText(running, seconds, panel.nameOf))}
        </span>
      </p>
      {queued && (
        <>
          <p>{l10n.t('Under load, the service can queue requests.')}</p>
          <div class="actions">
            <TextButton onPress={() => panel.post({ type: 'selectModel' })}>{l10n.t('Switch Model')}</TextButton>
          </div>
        </>
      )}
    </div>
  );
}

function runningText(running: RunningTurn, seconds: number, nameOf: (id: string) => string): string {
  switch (running.phase) {
    case 'sending':
      return seconds * 1000 < waitingAfterMs
        ? l10n.t('Sending…')
        : l10n.t('Waiting for {0} · {1}', nameOf(running.model), formatSeconds(seconds));
    case 'tool':
      return l10n.t('Working…');
    case 'stopping':
      return l10n.t('Stopping…');
    default:
      return l10n.t('Answering…');
  }
}

function RetryLine({ running, seconds }: { running: RunningTurn; seconds: number }) {
  const { nameOf, post } = usePanel();
  const { retry } = running;
  if (!retry) return null;
  const left = Math.max(0, Math.ceil(retry.delayMs / 1000) - seconds);
  const text =
    left > 0
      ? l10n.t('Retrying in {0} s ({1} of {2})', left, retry.attempt, retry.of)
      : l10n.t('Retrying ({0} of {1})', retry.attempt, retry.of);
  return (
    <div class="running">
      <p>
        <Icon name="spinner" />
        <span>{text}</span>
      </p>
      <p>{visibleText(describeFailure(retry.failure, nameOf).title)}</p>
      <div class="actions">
        <TextButton onPress={() => post({ type: 'skipWait', how: 'now' })}>{l10n.t('Retry Now')}</TextButton>
        {retry.other !== undefined && (
          <TextButton
            title={l10n.t('Ask {0} instead', visibleText(nameOf(retry.other)))}
            onPress={() => post({ type: 'skipWait', how: 'other-model' })}
          >
            {l10n.t('Switch Model')}
          </TextButton>
        )}
      </div>
    </div>
  );
}
