import * as l10n from '@vscode/l10n';
import type { RunningTurn, ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import type { PanelInfo } from '../../../src/shared/panel/panel-info.ts';
import type { PanelMessage } from '../../../src/shared/panel/protocol.ts';
import { subjectOf } from '../cards/tool-words.ts';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';

/** A command that runs longer than this is named, because the message waits for it. */
const longMs = 5000;

interface SteeringProps {
  item: PanelInfo['queue']['items'][number];
  place: number;
  running: RunningTurn;
  lostMicroUsd: number | undefined;
  onEdit(action: Extract<PanelMessage, { type: 'queueEdit' }>['action']): () => void;
}

/** Shows the two ways into a running turn, each with its price: at its next step, or in its place. */
export function Steering({ item: { atNextStep, nextStepMicroUsd }, place, running, ...props }: SteeringProps) {
  const panel = usePanel();
  const { lostMicroUsd, onEdit } = props;
  const price = (microUsd: number) =>
    formatMicroUsd(microUsd, true, panel.info.value?.locale).replaceAll(' ', '\u00a0');
  const command = useLongCommand();
  const isAsked = running.phase !== 'tool' && running.phase !== 'approval' && running.phase !== 'question';
  const loss = isAsked && running.phase !== 'cost' ? lostMicroUsd : undefined;
  const nextStep = withPrice(
    atNextStep ? whenWords(running, command) : l10n.t('Add to This Answer'),
    nextStepMicroUsd === undefined ? undefined : price(nextStepMicroUsd),
  );
  const sendNow = withPrice(
    l10n.t('Stop and Send'),
    loss === undefined ? undefined : l10n.t('wastes {0}', price(loss)),
  );
  return (
    <span class="steering">
      <button
        type="button"
        class={atNextStep ? 'link-button armed' : 'link-button'}
        aria-pressed={atNextStep === true}
        aria-label={l10n.t('{0}: message {1}', nextStep, place)}
        title={
          atNextStep
            ? l10n.t('Let it wait for the end of the answer instead')
            : l10n.t('The running answer gets it at its next step, without stopping (Alt+Enter while typing)')
        }
        onClick={onEdit(atNextStep ? 'later' : 'atNextStep')}
      >
        {nextStep}
      </button>
      <button
        type="button"
        class="link-button"
        aria-label={l10n.t('{0}: message {1}', sendNow, place)}
        title={
          loss === undefined
            ? l10n.t('Stops the answer and sends this message')
            : l10n.t('Stops the answer and sends this message. The request that runs is lost and may be charged.')
        }
        onClick={onEdit('sendNow')}
      >
        {sendNow}
      </button>
    </span>
  );
}

function withPrice(words: string, price: string | undefined): string {
  return price === undefined ? words : `${words} · ${price}`;
}

interface LongCommand {
  line: string;
  seconds: number;
}

function useLongCommand(): LongCommand | undefined {
  const { items, presentationOf, now } = usePanel();
  const item = items.value.at(-1);
  if (item?.kind !== 'answer') return undefined;
  const part = item.parts.findLast((one): one is ToolPart => one.type === 'tool' && one.state === 'running');
  if (part?.startedAt === undefined || now.value - part.startedAt < longMs) return undefined;
  const presentation = presentationOf(part.name);
  if (presentation.gathers !== 'commands') return undefined;
  const line = subjectOf(part.arguments, presentation.subject) ?? part.title;
  return { line, seconds: Math.floor((now.value - part.startedAt) / 1000) };
}

function whenWords({ phase }: RunningTurn, command: LongCommand | undefined): string {
  if (command) {
    const { line, seconds } = command;
    const short = line.length > 30 ? `${line.slice(0, 29).toWellFormed()}…` : line;
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    return l10n.t('After {0} ({1})', visibleText(short), clock);
  }
  const waits = phase === 'approval' || phase === 'question' || phase === 'cost';
  return waits ? l10n.t('At the next step, after your answer') : l10n.t('At the next step');
}
