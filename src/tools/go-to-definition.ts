import { defineTool, type Tool } from '../agent/tool.ts';
import { goToDefinition } from './definitions.ts';
import { resolvePlace } from './files/path-guard.ts';
import { describeLocations, type LanguageDeps, locateSymbol } from './language.ts';

/** `go_to_definition`: a name on a line; the column is found, because models cannot count it. */
export function createGoToDefinition(deps: LanguageDeps): Tool {
  return defineTool({
    ...goToDefinition,
    async run({ path, line, symbol }) {
      const place = await resolvePlace(deps.workspace, path);
      const at = locateSymbol(await deps.language.lines(place), line, symbol);
      const locations = await deps.language.definitions(place, at.line, at.column);
      if (locations.length === 0) {
        return { forModel: `No definition of ${symbol} is known to this editor. Try search_text.` };
      }
      return { forModel: await describeLocations(deps, locations, 20) };
    },
  });
}
