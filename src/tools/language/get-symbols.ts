import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { ToolError, toolRecord } from '../../agent/tool.ts';
import { resolvePlace } from '../../files/path-guard.ts';
import { shownPath, type Workspace } from '../../files/workspace.ts';
import { alsoCalled } from '../dialect/named-arguments.ts';
import { type FoundSymbol, type LanguageDeps, type OutlineEntry, withWordElsewhere } from './language.ts';

const maxEntries = 200;
const maxFound = 60;

export const getSymbols = toolRecord({
  name: 'get_symbols',
  description: 'Outline of a file (path), or where symbols named like query are defined.',
  parameters: z.object({ path: z.optional(z.string()), query: z.optional(z.string()) }),
  dialect: alsoCalled('get_symbols', 'listcodedefinitionnames documentsymbols outline'),
  kind: 'search',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Get symbols'),
    icon: 'search',
    subject: ['path', 'query'],
    gathers: 'searches',
    opens: true,
  }),
  title: ({ path, query }) =>
    path && query ? l10n.t('Symbols {0} in {1}', query, path) : l10n.t('Symbols {0}', query || path || ''),
  run:
    (deps: LanguageDeps) =>
    async ({ path, query = '' }, { signal }) => {
      const { workspace, language } = deps;
      if (path === undefined || path === '') {
        if (query === '') throw new ToolError('Give a path, a query or both.');
        const known = (await language.symbols(query)).filter(({ place }) => place !== undefined);
        const answer = found(workspace, known, query);
        return { forModel: await withWordElsewhere(deps, { symbol: query, known, answer }, signal) };
      }
      const place = await resolvePlace(workspace, path);
      const entries = await language.outline(place);
      const shown = shownPath(workspace, place);
      if (!entries?.length) {
        throw new ToolError(
          `The editor knows no symbols in ${shown}: it has none, or support for its language is missing or still starting. Use search_text or read_file.`,
        );
      }
      return { forModel: outline(shown, entries, query) };
    },
});

function outline(path: string, entries: readonly OutlineEntry[], query: string): string {
  const wanted = entries.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase()));
  if (wanted.length === 0) return `${path} has no symbol like ${query}.`;
  const rows = wanted.slice(0, maxEntries).map(({ name, kind, line, endLine, depth }) => {
    const range = endLine > line ? `${line}–${endLine}` : `${line}`;
    return `${' '.repeat(query === '' ? depth : 0)}${range} ${kind} ${name}`;
  });
  const more = wanted.length - rows.length;
  return [`${path}:`, ...rows, ...(more > 0 ? [`[${more} more: give a query]`] : [])].join('\n');
}

function found(workspace: Workspace, symbols: readonly FoundSymbol[], query: string): string {
  if (symbols.length === 0) {
    return `No symbol like ${query} is known. Languages without support in this editor are not searched; try search_text.`;
  }
  const exact = (symbol: FoundSymbol) => Number(symbol.symbol.toLowerCase() !== query.toLowerCase());
  const rows = symbols
    .toSorted((a, b) => exact(a) - exact(b))
    .slice(0, maxFound)
    .map(({ place, line, kind, symbol, container }) => {
      const where = place === undefined ? '' : shownPath(workspace, place);
      return `${where}:${line} ${kind} ${symbol}${container === '' ? '' : ` in ${container}`}`;
    });
  const more = symbols.length - rows.length;
  return [...rows, ...(more > 0 ? [`[${more} more: narrow the query]`] : [])].join('\n');
}
