import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { toolRecord } from '../../agent/tool.ts';
import { resolvePlace } from '../../files/path-guard.ts';
import { placeKey } from '../../files/workspace.ts';
import { alsoCalled } from '../dialect/named-arguments.ts';
import { describeLocations, type LanguageDeps, type Location, locationsOf, withWordElsewhere } from './language.ts';

/** `go_to_definition` takes a name on a line; it finds the column itself, because models cannot count it. */
export const goToDefinition = toolRecord({
  name: 'go_to_definition',
  description: 'Where the symbol used on a line is defined.',
  parameters: z.object({ path: z.string(), line: z.int(), symbol: z.string() }),
  dialect: alsoCalled('go_to_definition', 'definition finddefinition'),
  kind: 'search',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Go to definition'),
    icon: 'file',
    subject: ['path', 'symbol'],
    gathers: 'searches',
    opens: true,
  }),
  title: ({ path, line, symbol }) => l10n.t('Definition of {0} ({1}:{2})', symbol, path, line),
  run:
    (deps: LanguageDeps) =>
    async (args, { signal }) => {
      const known = await locationsOf(deps, args, 'definitions');
      const answer =
        known.length === 0
          ? `No definition of ${args.symbol} is known to this editor. Try search_text.`
          : await describeLocations(deps, known, 20);
      if (await isDeclared(deps, args.path, known)) return { forModel: answer };
      return { forModel: await withWordElsewhere(deps, { symbol: args.symbol, known, answer }, signal) };
    },
});

/** The line of an import is all that a server knows before it reads other files; an outline has no imports. */
async function isDeclared(
  { workspace, language }: LanguageDeps,
  path: string,
  known: readonly Location[],
): Promise<boolean> {
  const own = await resolvePlace(workspace, path);
  const lines = known.flatMap(({ place, line }) => (place && placeKey(place) === placeKey(own) ? [line] : []));
  if (lines.length < known.length) return true;
  const outline = known.length === 0 ? [] : ((await language.outline(own)) ?? []);
  return outline.some((entry) => lines.includes(entry.line));
}
