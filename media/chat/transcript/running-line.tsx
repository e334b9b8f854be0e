import { useComputed } from '@preact/signals';
import * as l10n from '@vscode/l10n';
import { messageSpend, type RunningTurn } from '../../../src/shared/chat/chat-state.ts';
import { describeFailure } from '../../../src/shared/failure/failure-text.ts';
import type { WaitSkip } from '../../../src/shared/interaction.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { Elapsed, LiveOutput } from '../cards/live-output.tsx';
import { TextButton } from '../controls/buttons.tsx';
import { formatSeconds } from '../controls/format.ts';
import { Icon } from '../controls/icon.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import type { PlacedPart } from './answer-layout.ts';
import { liveWords } from './quiet-words.ts';

const waitingAfterMs = 3000;
const queueHintAfterMs = 20_000;

interface LiveProps {
  parts: readonly PlacedPart[];
  running: RunningTurn;
}

export function RunningLine(props: LiveProps) {
  return (
    <p class="live-line">
      <Icon name="spinner" />
      <LiveWords {...props} />
    </p>
  );
}

export function LiveWords({ parts, running }: LiveProps) {
  const panel = usePanel();
  const { text, since } = wordsNow(parts, running, panel);
  return (
    <>
      <span class="words">{visibleText(text)}</span>
      {since !== undefined && <Elapsed since={since} />}
      <SpentSoFar />
    </>
  );
}

function wordsNow(
  parts: readonly PlacedPart[],
  running: RunningTurn,
  panel: Panel,
): { text: string; since?: number | undefined } {
  if (reviews(panel, running)) return { text: l10n.t('Waiting for your review') };
  if (running.phase === 'sending') return sendingWords(running, panel);
  if (running.phase === 'wait') return { text: retryText(running, panel) };
  return liveWords(parts, running, panel.presentationOf);
}

/** Shows what the message has cost since its first request ended, beside its limit. */
function SpentSoFar() {
  const { chat, info } = usePanel();
  const text = useComputed(() => {
    const { microUsd, estimated, limitMicroUsd } = messageSpend(chat.value);
    const locale = info.value?.locale;
    if (microUsd === 0) return undefined;
    const spent = formatMicroUsd(microUsd, estimated, locale);
    return limitMicroUsd === undefined
      ? spent
      : l10n.t('{0} of {1}', spent, formatMicroUsd(limitMicroUsd, false, locale));
  }).value;
  if (text === undefined) return null;
  return (
    <span class="spent" title={l10n.t('What this message has cost so far')}>
      {text}
    </span>
  );
}

export function LiveDetails({ parts, running }: LiveProps) {
  const panel = usePanel();
  if (running.phase === 'wait') return <RetryDetails running={running} />;
  // Of a turn in another window only the words are here, and another model would be of no help.
  const isElsewhere = panel.info.value?.sections.elsewhere !== undefined;
  const queued =
    running.phase === 'sending' && running.sent && secondsIn(running, panel) * 1000 >= queueHintAfterMs && !isElsewhere;
  if (queued) {
    return (
      <div class="running">
        <p>{l10n.t('Under load, the service can queue requests.')}</p>
        <div class="actions">
          <TextButton onPress={() => panel.post({ type: 'selectModel' })}>{l10n.t('Switch Model')}</TextButton>
        </div>
      </div>
    );
  }
  return parts.map(
    ({ key, part }) => part.type === 'tool' && part.state === 'running' && <LiveOutput key={key} part={part} />,
  );
}

type Panel = ReturnType<typeof usePanel>;

function reviews({ info }: Panel, { phase }: RunningTurn): boolean {
  return phase === 'tool' && info.value?.edits.some(({ proposed }) => proposed) === true;
}

function secondsIn({ since }: RunningTurn, { now }: Panel): number {
  return Math.floor(Math.max(0, now.value - since) / 1000);
}

function sendingWords(running: RunningTurn, panel: Panel): { text: string; since?: number } {
  if (secondsIn(running, panel) * 1000 < waitingAfterMs) return { text: l10n.t('Sending…') };
  if (!running.sent) return { text: l10n.t('Preparing the request…') };
  return { text: l10n.t('Waiting for {0}', panel.nameOf(running.model)), since: running.since };
}

function retryText(running: RunningTurn, panel: Panel): string {
  const { asked } = running;
  if (asked?.kind !== 'wait') return '';
  const { about: retry } = asked;
  const left = Math.max(0, Math.ceil(retry.delayMs / 1000) - secondsIn(running, panel));
  if (retry.until !== undefined) return l10n.t('Asking again in {0}', formatSeconds(left));
  return left > 0
    ? l10n.t('Retrying in {0} s ({1} of {2})', left, retry.attempt, retry.of)
    : l10n.t('Retrying ({0} of {1})', retry.attempt, retry.of);
}

function RetryDetails({ running: { asked } }: { running: RunningTurn }) {
  const { info, nameOf, post } = usePanel();
  if (asked?.kind !== 'wait') return null;
  const { about: retry } = asked;
  const answer = (value: WaitSkip) => () => post({ type: 'answer', answer: { id: asked.id, kind: 'wait', value } });
  return (
    <div class="running">
      <p>{visibleText(describeFailure(retry.failure, nameOf).title)}</p>
      {retry.until !== undefined && (
        <p>
          {l10n.t(
            'svc asks until {0}, free of charge, also after a reload.',
            formatTime(retry.until, info.value?.locale),
          )}
        </p>
      )}
      <div class="actions">
        <TextButton onPress={answer('now')}>{l10n.t('Retry Now')}</TextButton>
        {retry.other !== undefined && (
          <TextButton
            title={l10n.t('Ask {0} instead', visibleText(nameOf(retry.other)))}
            onPress={answer('other-model')}
          >
            {l10n.t('Switch Model')}
          </TextButton>
        )}
        {retry.until !== undefined && (
          <TextButton onPress={() => post({ type: 'stop' })}>{l10n.t('Stop Waiting')}</TextButton>
        )}
      </div>
    </div>
  );
}

function formatTime(epochMs: number, locale: string | undefined): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(epochMs);
}
