import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { asTyped, type Part, type RunningTurn } from '../../../src/shared/chat/chat-state.ts';
import type { Steered as SteeredEvent } from '../../../src/shared/events.ts';
import type { Asked } from '../../../src/shared/interaction.ts';
import { formatMicroUsd } from '../../../src/shared/money.ts';
import { Card } from '../cards/card.tsx';
import { ToolCard } from '../cards/tool-card.tsx';
import { Chips } from '../composer/chips.tsx';
import { TextButton } from '../controls/buttons.tsx';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import { createAnswerLayout, type PartSection, type PlacedPart } from './answer-layout.ts';
import { Folding } from './folding.tsx';
import { NoticeLine } from './notice-line.tsx';
import { isBelow } from './part-positions.ts';
import { countSteps, doneWords } from './quiet-words.ts';
import { LiveDetails, LiveWords, RunningLine } from './running-line.tsx';

interface PartsProps {
  turn: string;
  parts: readonly Part[];
  running: RunningTurn | undefined;
}

/**
 * Draws text, and the parts that must stay visible, in their order, and folds all other steps into one line where the
 * first of them was.
 */
export const Parts = memo(({ turn, parts, running }: PartsProps) => {
  const { presentationOf } = usePanel();
  const layOut = useRef(createAnswerLayout(presentationOf));
  const draw = useRef(createSectionViews(turn));
  const { above, quiet, below, parts: placed } = layOut.current(parts);
  const last = placed.at(-1);
  const growing = running && last ? last.key : undefined;
  const busy = running !== undefined && !showsProgress(last?.part, running);
  const inLine = busy && below.length === 0 && quiet.length > 0;
  return (
    <>
      {draw.current(above, growing)}
      {quiet.length > 0 && (
        <StepsSummary
          id={`${turn}/steps`}
          parts={placed}
          live={inLine ? running : undefined}
          alone={onlyReasoning(quiet)}
        >
          {() => draw.current(quiet, growing)}
        </StepsSummary>
      )}
      {draw.current(below, growing)}
      {busy && !inLine && <RunningLine parts={placed} running={running} />}
      {busy && <LiveDetails parts={placed} running={running} />}
      {running?.asked?.kind === 'cost' && <CostCard asked={running.asked} />}
    </>
  );
});

function showsProgress(last: Part | undefined, { phase }: RunningTurn): boolean {
  if (phase === 'approval' || phase === 'question' || phase === 'cost') return true;
  return phase === 'streaming' && last?.type === 'text' && /\S/.test(last.text);
}

function onlyReasoning(quiet: readonly PartSection[]): string | undefined {
  const [only, more] = quiet.flatMap(({ parts }) => parts);
  return more === undefined && only?.part.type === 'reasoning' ? only.part.text : undefined;
}

/** Returns the same node for a section that is unchanged and has nothing in it that grows. */
function createSectionViews(turn: string) {
  const settled = new WeakMap<PartSection, { node: VNode; several: boolean }>();
  return (sections: readonly PartSection[], growing: string | undefined): VNode[] => {
    const several = sections.length > 1;
    return sections.map((section) => {
      const grows = growing !== undefined && section.parts.at(-1)?.key === growing;
      const known = grows ? undefined : settled.get(section);
      if (known?.several === several) return known.node;
      const live = grows ? growing : undefined;
      const node = <SectionView key={section.key} turn={turn} section={section} growing={live} several={several} />;
      if (!grows) settled.set(section, { node, several });
      return node;
    });
  };
}

interface SectionProps {
  turn: string;
  section: PartSection;
  growing: string | undefined;
  several: boolean;
}

function SectionView({ turn, section, growing, several }: SectionProps) {
  return (
    <div class={several && growing === undefined ? 'parts settled' : 'parts'}>
      {section.parts.map((placed) =>
        placed.key === growing ? drawPart(turn, placed, true) : settledPart(turn, placed),
      )}
    </div>
  );
}

const settledParts = new WeakMap<PlacedPart, VNode>();

/** Returns the same node every time, so that a settled part is not even compared. */
function settledPart(turn: string, placed: PlacedPart): VNode {
  const known = settledParts.get(placed);
  if (known) return known;
  const node = drawPart(turn, placed, false);
  settledParts.set(placed, node);
  return node;
}

function drawPart(turn: string, placed: PlacedPart, live: boolean): VNode {
  return <PartView key={placed.key} id={`${turn}/${placed.key}`} placed={placed} live={live} />;
}

interface PartProps {
  id: string;
  placed: PlacedPart;
  live: boolean;
}

const PartView = memo(({ id, placed: { part, cutModel }, live }: PartProps): ComponentChildren => {
  switch (part.type) {
    case 'text':
      return <MarkdownView text={part.text} live={live} />;
    case 'reasoning':
      return <Reasoning id={id} text={part.text} live={live} />;
    case 'tool':
      return <ToolCard id={id} part={part} />;
    case 'steered':
      return <Steered messages={part.messages} />;
    case 'notice':
      return isBelow(part.notice) ? undefined : <NoticeLine notice={part.notice} cutModel={cutModel} />;
  }
});

function Reasoning({ id, text, live }: { id: string; text: string; live: boolean }) {
  const summary = (
    <>
      <span>{live ? l10n.t('Thinking…') : l10n.t('Reasoning')}</span>
      {live && <Icon name="spinner" />}
    </>
  );
  return (
    <Folding id={id} className="reasoning" summary={summary}>
      {() => <MarkdownView text={text} live={live} />}
    </Folding>
  );
}

function Steered({ messages }: { messages: SteeredEvent['messages'] }) {
  return (
    <div class="steered">
      <h3 class="visually-hidden">{l10n.t('You (during the answer)')}</h3>
      {messages.map((message) => (
        <div key={message.id} class="user">
          <Chips chips={message.attachments} name={l10n.t('Attachments')} />
          {asTyped(message) !== '' && <p class="prompt">{visibleText(asTyped(message))}</p>}
        </div>
      ))}
    </div>
  );
}

interface QuietLineProps {
  id: string;
  parts: readonly PlacedPart[];
  live: RunningTurn | undefined;
  alone: string | undefined;
  children: () => ComponentChildren;
}

function StepsSummary({ id, parts, live, alone, children }: QuietLineProps) {
  const { presentationOf, nameOf } = usePanel();
  const summary = live ? (
    <LiveWords parts={parts} running={live} />
  ) : (
    <span class="words">{visibleText(doneWords(countSteps(parts, presentationOf), nameOf))}</span>
  );
  return (
    <Folding
      id={id}
      className={alone === undefined ? 'quiet-line' : 'quiet-line reasoning'}
      summary={summary}
      busy={live !== undefined}
    >
      {alone === undefined ? children : () => <MarkdownView text={alone} live={live !== undefined} />}
    </Folding>
  );
}

/**
 * Asks before a request above the user's amount, and again when the agreed sum has doubled. This request is not sent
 * before the answer.
 */
function CostCard({ asked: { id, about } }: { asked: Asked<'cost'> }) {
  const { estimateMicroUsd, spentMicroUsd, limitMicroUsd } = about;
  const panel = usePanel();
  const [answered, setAnswered] = useState(false);
  const locale = panel.info.value?.locale ?? 'en';
  const money = (microUsd: number, estimated = true) => formatMicroUsd(microUsd, estimated, locale);
  const answer = (value: boolean) => () => {
    if (answered) return;
    setAnswered(true);
    panel.post({ type: 'answer', answer: { id, kind: 'cost', value } });
  };
  return (
    <Card
      icon="alert"
      title={l10n.t('Go on with this message?')}
      className={answered ? 'question' : 'question waiting'}
    >
      <p>
        {spentMicroUsd > 0
          ? l10n.t('Cost so far: {0}. Each further step: {1}.', ...[money(spentMicroUsd), money(estimateMicroUsd)])
          : l10n.t(
              'The first request costs {0}. The answer and any further steps cost extra.',
              money(estimateMicroUsd),
            )}
      </p>
      <p class="quiet">
        {l10n.t('You are asked above {0} a request, and again when the sum has doubled.', money(limitMicroUsd, false))}
      </p>
      <div class="actions">
        <TextButton primary onPress={answer(true)}>
          {l10n.t('Go On')}
        </TextButton>
        <TextButton onPress={answer(false)}>{l10n.t("Don't Send")}</TextButton>
      </div>
    </Card>
  );
}
