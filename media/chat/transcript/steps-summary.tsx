import type { ComponentChildren } from 'preact';
import type { RunningTurn } from '../../../src/shared/chat/chat-state.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { visibleText } from '../markdown/visible-text.ts';
import { usePanel } from '../panel.ts';
import type { PlacedPart } from './answer-layout.ts';
import { Folding } from './folding.tsx';
import { countSteps, doneWords } from './quiet-words.ts';
import { LiveWords } from './running-line.tsx';

interface QuietLineProps {
  id: string;
  parts: readonly PlacedPart[];
  live: RunningTurn | undefined;
  alone: string | undefined;
  children: () => ComponentChildren;
}

export function StepsSummary({ id, parts, live, alone, children }: QuietLineProps) {
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
