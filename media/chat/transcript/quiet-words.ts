import * as l10n from '@vscode/l10n';
import type { RunningTurn, ToolPart } from '../../../src/shared/chat/chat-state.ts';
import { kinds } from '../../../src/shared/failure/kinds.ts';
import { subjectOf, titleOf } from '../cards/tool-words.ts';
import { formatSeconds } from '../controls/format.ts';
import type { PlacedPart } from './answer-layout.ts';
import type { PresentationOf } from './part-positions.ts';

export interface StepCounts {
  files: number;
  searches: number;
  edits: number;
  commands: number;
  others: number;
  busy: readonly string[];
  failed: readonly string[];
  /** Counts the running time of the calls without waits for the user. */
  milliseconds: number;
}

export function countSteps(parts: readonly PlacedPart[], presentationOf: PresentationOf): StepCounts {
  const files = { files: new Set<string>(), edits: new Set<string>() };
  const calls = { searches: 0, commands: 0, nothing: 0 };
  const left = { busy: new Set<string>(), failed: new Set<string>() };
  let milliseconds = 0;
  for (const { part, place } of parts) {
    if (part.type === 'notice' && part.notice.kind === 'fallback') {
      const { from, failure, continued } = part.notice;
      const isBusy = kinds[failure.kind].about === 'capacity';
      // One whose answer was cut is named where another one went on with it.
      if (isBusy || !continued) left[isBusy ? 'busy' : 'failed'].add(from);
    }
    if (part.type !== 'tool' || part.state !== 'done') continue;
    const { gathers } = presentationOf(part.name);
    if (place === 'quiet') milliseconds += part.durationMs ?? 0;
    if (gathers === 'files' || gathers === 'edits') files[gathers].add(pathOf(part));
    else if (place === 'quiet') calls[gathers] += 1;
  }
  return {
    files: files.files.size,
    edits: files.edits.size,
    searches: calls.searches,
    commands: calls.commands,
    others: calls.nothing,
    busy: [...left.busy],
    failed: [...left.failed],
    milliseconds,
  };
}

export function doneWords(counts: StepCounts, nameOf: (id: string) => string): string {
  const { files, searches, edits, commands, others, busy, failed, milliseconds } = counts;
  const done = [
    ...(files > 0 ? [files === 1 ? l10n.t('read 1 file') : l10n.t('read {0} files', files)] : []),
    ...(searches > 0 ? [searches === 1 ? l10n.t('1 search') : l10n.t('{0} searches', searches)] : []),
    ...(edits > 0 ? [edits === 1 ? l10n.t('edited 1 file') : l10n.t('edited {0} files', edits)] : []),
    ...(commands > 0 ? [commands === 1 ? l10n.t('ran 1 command') : l10n.t('ran {0} commands', commands)] : []),
  ];
  const words = [
    ...done,
    ...(others > 0 ? [othersText(others, done.length === 0)] : []),
    ...(busy.length === 1 ? [l10n.t('{0} at capacity', ...busy.map(nameOf))] : []),
    ...(busy.length > 1 ? [l10n.t('{0} models at capacity', busy.length)] : []),
    ...(failed.length === 1 ? [l10n.t('{0} failed', ...failed.map(nameOf))] : []),
    ...(failed.length > 1 ? [l10n.t('{0} models failed', failed.length)] : []),
  ].join(', ');
  const text = words === '' ? l10n.t('Reasoning') : words.charAt(0).toLocaleUpperCase() + words.slice(1);
  const seconds = Math.round(milliseconds / 1000);
  return seconds < 1 ? text : `${text} · ${formatSeconds(seconds)}`;
}

function othersText(count: number, alone: boolean): string {
  if (alone) return count === 1 ? l10n.t('1 step') : l10n.t('{0} steps', count);
  return count === 1 ? l10n.t('1 other step') : l10n.t('{0} other steps', count);
}

/** Says what is done now; `since` is when it began, in epoch milliseconds, where that matters. */
export function liveWords(
  parts: readonly PlacedPart[],
  { phase }: RunningTurn,
  presentationOf: PresentationOf,
): { text: string; since?: number } {
  const active = parts.findLast(({ part }) => part.type === 'tool' && isActive(part))?.part;
  if (active?.type === 'tool' && (phase === 'tool' || phase === 'streaming')) {
    const { startedAt } = active;
    return { text: doingText(active, presentationOf), since: startedAt };
  }
  if (phase === 'stopping') return { text: l10n.t('Stopping…') };
  if (phase === 'tool') return { text: l10n.t('Working…') };
  return { text: parts.at(-1)?.part.type === 'reasoning' ? l10n.t('Thinking…') : l10n.t('Answering…') };
}

export function isActive({ state }: ToolPart): boolean {
  return state === 'running' || state === 'forming';
}

function doingText(part: ToolPart, presentationOf: PresentationOf): string {
  const presentation = presentationOf(part.name);
  const subject = subjectOf(part.arguments, presentation.subject);
  if (subject !== undefined) {
    if (presentation.gathers === 'files') return l10n.t('Reading {0}', nameIn(subject));
    if (presentation.card === 'diff') return l10n.t('Editing {0}', nameIn(subject));
    if (presentation.gathers === 'commands') return l10n.t('Running {0}', subject);
  }
  return titleOf(part, presentation);
}

function nameIn(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

const paths = new WeakMap<ToolPart, string>();

/**
 * Identifies a file, so that one that is read twice counts once. The path is cached for each call, because there may
 * be hundreds.
 */
function pathOf(part: ToolPart): string {
  const known = paths.get(part);
  if (known !== undefined) return known;
  const path = /"path"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(part.arguments)?.[1] ?? part.title;
  paths.set(part, path);
  return path;
}
