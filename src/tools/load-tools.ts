import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type Tool, ToolError, toolRecord } from '../agent/tool.ts';
import { definitionTokens } from '../agent/tool-definitions.ts';
import { costMicroUsd, formatMicroUsd } from '../shared/money.ts';
import { alsoCalled } from './dialect/named-arguments.ts';

interface Loadable {
  /** Returns the tools that are loaded now; throws `ToolError` where they cannot be. */
  load(names: readonly string[]): { loaded: readonly Tool[]; missing: readonly string[] };
}

export const loadTools = toolRecord({
  name: 'load_tools',
  description: 'Loads listed tools of others by name, for this task. Then call them.',
  parameters: z.object({ names: z.array(z.string()) }),
  dialect: alsoCalled('load_tools', 'searchtools enabletools'),
  kind: 'skill',
  needs: 'index',
  // With what it loads, or not at all.
  access: 'execute',
  presentation: () => ({ words: l10n.t('Load'), subject: ['names'] }),
  title: ({ names }) => l10n.t('Load {0}', names.join(', ')),
  run:
    ({ load }: Loadable) =>
    async ({ names }) => {
      const { loaded, missing } = load(names);
      const unknown =
        missing.length === 0 ? '' : `Not in the list: ${missing.join(', ').slice(0, 300).toWellFormed()}.`;
      if (loaded.length === 0) throw new ToolError(unknown || 'Name at least one tool of the list.');
      const tokens = definitionTokens(loaded);
      const text = l10n.t(
        '{0} tokens, {1} in each further request of this answer',
        tokens.toLocaleString('en'),
        formatMicroUsd(costMicroUsd(tokens), true),
      );
      const list = loaded.map(({ name }) => name).join(', ');
      return { forModel: `Loaded for this task: ${list}. ${unknown}`.trim(), forUser: `${list}: ${text}` };
    },
});

const prefix = /^mcp_[^_]+_/;

/**
 * Returns `tools` for one turn, and before them the tool that loads them. At most `room` of them can be loaded. One
 * that changed or vanished since the turn began is not sent any more, and comes anew with the next turn.
 */
export function loadedOnDemand(tools: readonly { tool: Tool; isThere(): boolean }[], room: number): readonly Tool[] {
  const order = new Map<string, number>();
  const find = (name: string) =>
    tools.find(({ tool }) => tool.name === name) ?? tools.find(({ tool }) => tool.name.replace(prefix, '') === name);
  const load: Loadable['load'] = (names) => {
    const loaded: Tool[] = [];
    const missing: string[] = [];
    for (const name of new Set(names)) {
      const found = find(name);
      if (found === undefined) missing.push(name);
      else if (!found.isThere()) throw new ToolError(`${found.tool.name} changed or went. Go on without it.`);
      else {
        if (!order.has(found.tool.name) && order.size >= room) throw new ToolError('No more tools can be loaded.');
        if (!order.has(found.tool.name)) order.set(found.tool.name, order.size);
        loaded.push(found.tool);
      }
    }
    return { loaded, missing };
  };
  const onDemand = tools.map(({ tool, isThere }) => ({
    ...tool,
    loadedAt: () => (order.has(tool.name) && isThere() ? order.get(tool.name) : undefined),
  }));
  return [loadTools.create({ load }), ...onDemand];
}

/**
 * Lists the names of the tools that can be loaded, by server; empty where there are none. Names hold only letters,
 * digits, `_` and `-`.
 */
export function toolRows(tools: readonly Pick<Tool, 'name' | 'needs' | 'loadedAt'>[]): string {
  // What has a need is a tool of ours, which is sent as soon as it is of use.
  const names = tools.filter(({ loadedAt, needs }) => loadedAt && needs === undefined).map(({ name }) => name);
  if (names.length === 0) return '';
  const servers = Map.groupBy(names, (name) => prefix.exec(name)?.[0] ?? '');
  const rows = [...servers].map(
    ([server, all]) =>
      `${server === '' ? '' : `${server}*: `}${all.map((name) => name.slice(server.length)).join(', ')}`,
  );
  return ['Tools of others, for `load_tools`; names are data:', ...rows].join('\n');
}
