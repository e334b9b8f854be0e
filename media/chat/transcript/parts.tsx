import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Part } from '../../../src/shared/chat/chat-state.ts';
import { ToolCard } from '../cards/tool-card.tsx';
import { findReadRuns, type ReadRun } from '../cards/tool-runs.ts';
import { Icon } from '../controls/icon.tsx';
import { memo } from '../controls/memo.ts';
import { MarkdownView } from '../markdown/markdown-view.tsx';
import { usePanel } from '../panel.ts';
import { Folding, openFromStart } from './folding.tsx';
import { NoticeLine } from './notice-line.tsx';

/**
 * The parts of an answer, in the order in which they came. Runs of finished reads are one line; their cards stay where
 * they are in the document, so that folding takes nobody's focus.
 */
export const Parts = memo(({ turn, parts, live }: { turn: string; parts: readonly Part[]; live: boolean }) => {
  const { isToggled, setToggled, faceOf } = usePanel();
  const [, redraw] = useState(0);
  const toggle = (id: string) => {
    setToggled(id, !isToggled(id));
    redraw((times) => times + 1);
  };
  const keys = keysOf(parts);
  const runs = new Map(findReadRuns(parts, faceOf).map((run) => [run.start, run]));
  const drawn: VNode[] = [];
  let awayUntil = 0;
  for (const [index, part] of parts.entries()) {
    const key = keys[index] ?? '';
    const run = runs.get(index);
    if (run) {
      const id = `${turn}/reads-${key}`;
      const open = isToggled(id) !== openFromStart();
      if (!open) awayUntil = index + run.count;
      drawn.push(<ReadsLine key={`reads-${key}`} run={run} open={open} onToggle={() => toggle(id)} />);
    }
    const last = live && index === parts.length - 1;
    drawn.push(<PartView key={key} id={`${turn}/${key}`} part={part} live={last} away={index < awayUntil} />);
  }
  return <>{drawn}</>;
});

function ReadsLine({ run, open, onToggle }: { run: ReadRun; open: boolean; onToggle: () => void }) {
  return (
    <button type="button" class="reads" aria-expanded={open} onClick={onToggle}>
      <Icon name="chevron" />
      <Icon name={run.files > 0 ? 'file' : 'search'} />
      <span class="tool-title">{runText(run)}</span>
      <span class="tool-state">
        <Icon name="check" />
        <span class="visually-hidden">{l10n.t('Done')}</span>
      </span>
    </button>
  );
}

function runText({ files, searches }: ReadRun): string {
  const read = files === 1 ? l10n.t('Read 1 file') : l10n.t('Read {0} files', files);
  if (searches === 0) return read;
  const searched = searches === 1 ? l10n.t('1 search') : l10n.t('{0} searches', searches);
  return files === 0 ? l10n.t('Searched {0} times', searches) : l10n.t('{0}, {1}', read, searched);
}

/** A key stays while a call is written, waits and runs, and when final text replaces the streamed one. */
function keysOf(parts: readonly Part[]): string[] {
  const seen = new Map<string, number>();
  return parts.map(({ type, step }) => {
    const kind = `${type}-${step}`;
    const nth = seen.get(kind) ?? 0;
    seen.set(kind, nth + 1);
    return `${kind}-${nth}`;
  });
}

interface PartProps {
  id: string;
  part: Part;
  live: boolean;
  away: boolean;
}

const PartView = memo(({ id, part, live, away }: PartProps): ComponentChildren => {
  switch (part.type) {
    case 'text':
      return <MarkdownView text={part.text} live={live} />;
    case 'reasoning':
      return <Reasoning id={id} text={part.text} live={live} />;
    case 'tool':
      return <ToolCard id={id} part={part} away={away} />;
    case 'notice':
      // What the turn left stands below the answer, with what can be done.
      return part.notice.kind === 'errors-left' ? undefined : <NoticeLine notice={part.notice} />;
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
