import * as l10n from '@vscode/l10n';
import type { ComponentChildren, VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { Part } from '../../../src/shared/chat-state.ts';
import { memo } from '../memo.ts';
import { findReadRuns, type ReadRun } from '../tool-runs.ts';
import { Folding } from './folding.tsx';
import { Icon } from './icon.tsx';
import { MarkdownView } from './markdown-view.tsx';
import { NoticeLine } from './notice-line.tsx';
import { ToolCard } from './tool-card.tsx';

/**
 * What an answer is made of, in the order in which it came. Runs of finished reads are one line; their cards stay where they
 * are in the document, so that folding takes nobody's focus.
 */
export const Parts = memo(({ parts, live }: { parts: readonly Part[]; live: boolean }) => {
  const [toggled, setToggled] = useState<readonly string[]>([]);
  const toggle = (key: string) =>
    setToggled(toggled.includes(key) ? toggled.filter((other) => other !== key) : [...toggled, key]);
  const keys = keysOf(parts);
  const runs = new Map(findReadRuns(parts).map((run) => [run.start, run]));
  const drawn: VNode[] = [];
  let awayUntil = 0;
  for (const [index, part] of parts.entries()) {
    const key = keys[index] ?? '';
    const run = runs.get(index);
    if (run) {
      const open = toggled.includes(key) !== openFromStart();
      if (!open) awayUntil = index + run.count;
      drawn.push(<ReadsLine key={`reads-${key}`} run={run} open={open} onToggle={() => toggle(key)} />);
    }
    drawn.push(<PartView key={key} part={part} live={live && index === parts.length - 1} away={index < awayUntil} />);
  }
  return <>{drawn}</>;
});

/** Screen readers get everything open. */
function openFromStart(): boolean {
  return document.body.classList.contains('vscode-using-screen-reader');
}

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

/** The same key while a call is written, waits and runs, and when final text replaces what was streamed. */
function keysOf(parts: readonly Part[]): string[] {
  const seen = new Map<string, number>();
  return parts.map(({ type, step }) => {
    const kind = `${type}-${step}`;
    const nth = seen.get(kind) ?? 0;
    seen.set(kind, nth + 1);
    return `${kind}-${nth}`;
  });
}

const PartView = memo(({ part, live, away }: { part: Part; live: boolean; away: boolean }): ComponentChildren => {
  switch (part.type) {
    case 'text':
      return <MarkdownView text={part.text} live={live} />;
    case 'reasoning':
      return <Reasoning text={part.text} live={live} />;
    case 'tool':
      return <ToolCard part={part} away={away} />;
    case 'notice':
      return <NoticeLine notice={part.notice} />;
  }
});

function Reasoning({ text, live }: { text: string; live: boolean }) {
  const summary = (
    <>
      <span>{live ? l10n.t('Thinking…') : l10n.t('Reasoning')}</span>
      {live && <Icon name="spinner" />}
    </>
  );
  return (
    <Folding className="reasoning" summary={summary}>
      {() => <MarkdownView text={text} live={live} />}
    </Folding>
  );
}
