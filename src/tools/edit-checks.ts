import type { EditChecks } from '../agent/turn.ts';
import { placeKey, type Workspace } from '../files/workspace.ts';
import { describeProblems } from './language/get-problems.ts';
import type { CheckedEdits, Language, Problem } from './language/language.ts';

const maxLines = 10;
const maxLength = 2000;

/**
 * Adds the checkers' new findings to the result of the last edit, which saves the model from asking. A checker that
 * did not answer in time does not count as one that found nothing: its late findings come with the next result.
 */
export function createEditChecks({
  workspace,
  language,
}: {
  workspace: Workspace;
  language: Pick<Language, 'watchEdits'>;
}): EditChecks {
  let owed: Pick<CheckedEdits, 'before' | 'changed'> | undefined;
  let turn: Pick<CheckedEdits, 'before' | 'changed'> | undefined;
  const report = (checked: Omit<CheckedEdits, 'isComplete'>): string => {
    const found = newProblems(checked);
    if (found.length === 0) return '';
    return `New problems:\n${describeProblems(workspace, found, maxLines).slice(0, maxLength)}`;
  };
  return {
    begin() {
      const end = language.watchEdits();
      return async (signal) => {
        const { before, after, changed, isComplete } = await end(signal);
        turn = { before: turn?.before ?? before, changed: [...(turn?.changed ?? []), ...changed] };
        const all = { before: owed?.before ?? before, changed: [...(owed?.changed ?? []), ...changed] };
        owed = isComplete ? undefined : all;
        return report({ ...all, after });
      };
    },
    async late(signal) {
      if (owed === undefined) return '';
      const { after } = await language.watchEdits()(signal);
      const found = report({ ...owed, after });
      if (found !== '') owed = undefined;
      return found;
    },
    async left(signal) {
      if (turn === undefined) return undefined;
      const { after } = await language.watchEdits()(signal);
      const errors = newProblems({ ...turn, after }).filter(({ severity }) => severity === 'error');
      if (errors.length === 0) return undefined;
      return { count: errors.length, report: describeProblems(workspace, errors, maxLines).slice(0, maxLength) };
    },
  };
}

/**
 * Compares by content, so that a problem that only moved in its file is not new. Returns errors and warnings of
 * changed files and errors elsewhere, errors first and those of changed files before others.
 */
export function newProblems({ before, after, changed }: Omit<CheckedEdits, 'isComplete'>): readonly Problem[] {
  const left = new Map<string, number>();
  for (const problem of before) left.set(keyOf(problem), (left.get(keyOf(problem)) ?? 0) + 1);
  const fresh = after.filter((problem) => {
    const count = left.get(keyOf(problem)) ?? 0;
    left.set(keyOf(problem), count - 1);
    return count <= 0;
  });
  const written = new Set(changed.map(placeKey));
  const isWritten = ({ place }: Problem) => written.has(placeKey(place));
  const wanted = fresh.filter(
    (problem) => problem.severity === 'error' || (problem.severity === 'warning' && isWritten(problem)),
  );
  return wanted.toSorted(
    (a, b) =>
      Number(b.severity === 'error') - Number(a.severity === 'error') || Number(isWritten(b)) - Number(isWritten(a)),
  );
}

function keyOf({ place, severity, source, message }: Problem): string {
  return JSON.stringify([placeKey(place), severity, source, message]);
}
