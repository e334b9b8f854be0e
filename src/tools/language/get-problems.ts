import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { toolRecord } from '../../agent/tool.ts';
import { resolvePlace } from '../../files/path-guard.ts';
import { isWholeWorkspace, shownPath, type Workspace } from '../../files/workspace.ts';
import { problemsDialect } from '../dialect/reads.ts';
import type { LanguageDeps, Problem } from './language.ts';

const maxShown = 60;
const maxMessageLength = 300;
const rank = { error: 0, warning: 1, info: 2 } as const;

export const getProblems = toolRecord({
  name: 'get_problems',
  description: 'Errors and warnings that the editor knows of; path: a file or folder.',
  parameters: z.object({ path: z.optional(z.string()) }),
  dialect: problemsDialect,
  kind: 'other',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Get problems'),
    subject: ['path'],
    opens: true,
  }),
  title: ({ path }) => (path === undefined ? l10n.t('Problems') : l10n.t('Problems in {0}', path)),
  run:
    ({ workspace, language }: LanguageDeps) =>
    async ({ path }, { signal }) => {
      const isWhole = path === undefined || isWholeWorkspace(path);
      const place = isWhole ? undefined : await resolvePlace(workspace, path);
      const problems = await language.problems(place, signal);
      const where = place === undefined ? 'the files that the editor has checked' : shownPath(workspace, place);
      if (problems.length === 0) return { forModel: `No problems are reported for ${where}.` };
      const forModel = describeProblems(workspace, problems);
      return {
        forModel,
        forUser: problems.length === 1 ? l10n.t('1 problem') : l10n.t('{0} problems', problems.length),
      };
    },
});

export function describeProblems(workspace: Workspace, problems: readonly Problem[], max = maxShown): string {
  const rows = problems
    .map((problem) => ({ ...problem, path: shownPath(workspace, problem.place) }))
    .toSorted((a, b) => rank[a.severity] - rank[b.severity] || compare(a.path, b.path) || a.line - b.line)
    .slice(0, max)
    .map(({ path, line, column, severity, source, message }) => {
      const text = message
        .slice(0, 4 * maxMessageLength)
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')
        .join(' · ')
        .slice(0, maxMessageLength)
        .toWellFormed();
      return `${path}:${line}:${column} ${severity}${source === '' ? '' : ` (${source})`}: ${text}`;
    });
  const more = problems.length - rows.length;
  return [...rows, ...(more > 0 ? [`[${more} more: give a path]`] : [])].join('\n');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
