import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { toolRecord } from '../../agent/tool.ts';
import { alsoCalled } from '../dialect/named-arguments.ts';
import { describeLocations, type LanguageDeps, locationsOf, withWordElsewhere } from './language.ts';

const maxShown = 100;

export const findReferences = toolRecord({
  name: 'find_references',
  description: 'Every use of the symbol on a line.',
  parameters: z.object({ path: z.string(), line: z.int(), symbol: z.string() }),
  dialect: alsoCalled('find_references', 'references findusages listcodeusages usages'),
  kind: 'search',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Find references'),
    icon: 'search',
    subject: ['path', 'symbol'],
    gathers: 'searches',
    opens: true,
  }),
  title: ({ path, line, symbol }) => l10n.t('References to {0} ({1}:{2})', symbol, path, line),
  run:
    (deps: LanguageDeps) =>
    async (args, { signal }) => {
      const known = await locationsOf(deps, args, 'references');
      const answer =
        known.length === 0
          ? `No reference to ${args.symbol} is known to this editor. Try search_text.`
          : await describeLocations(deps, known, maxShown);
      const forModel = await withWordElsewhere(deps, { symbol: args.symbol, known, answer }, signal);
      if (known.length === 0) return { forModel };
      return { forModel, forUser: known.length === 1 ? l10n.t('1 location') : l10n.t('{0} locations', known.length) };
    },
});
