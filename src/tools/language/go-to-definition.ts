import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { toolRecord } from '../../agent/tool.ts';
import { alsoCalled } from '../dialect/named-arguments.ts';
import { describeLocations, type LanguageDeps, locationsOf } from './language.ts';

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
  run: (deps: LanguageDeps) => async (args) => {
    const locations = await locationsOf(deps, args, 'definitions');
    if (locations.length === 0) {
      return { forModel: `No definition of ${args.symbol} is known to this editor. Try search_text.` };
    }
    return { forModel: await describeLocations(deps, locations, 20) };
  },
});
