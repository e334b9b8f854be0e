import { readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import { type Tool, ToolError } from '../../../src/agent/tool.ts';
import type { Git } from '../../../src/tools/git/git.ts';
import type { Language } from '../../../src/tools/language/language.ts';

/** A language server and a git that know everything: symbols in `known`, and changes of the `hidden` files, with `canary` in them. */
export function allKnowing(
  root: string,
  { known, hidden, canary }: { known: readonly string[]; hidden: readonly string[]; canary: string },
): { language: Language; git: Git } {
  const place = (at: string) => ({ root: { name: 'ws', uri: `file://${root}`, fsPath: root }, path: at });
  const locations = known.map((at) => ({ place: place(at), name: path.basename(at), line: 1 }));
  const linesOf = (at: string) =>
    readFile(at, 'utf8').then(
      (text) => text.split('\n'),
      () => Promise.reject(new ToolError('cannot be opened')),
    );
  return {
    language: {
      isOpen: () => true,
      lines: ({ root: { fsPath = '' }, path: at }) => linesOf(path.join(fsPath, at)),
      outline: async () => [{ name: 'outlined', kind: 'variable', line: 1, endLine: 1, depth: 0 }],
      symbols: async () =>
        locations.map((location) => ({ ...location, symbol: 'found', kind: 'class', container: '' })),
      definitions: async () => locations,
      references: async () => locations,
      problems: async () => [],
      watchEdits: () => async () => ({ before: [], after: [], changed: [], isComplete: true }),
    },
    git: {
      isRepository: () => true,
      elsewhere: async () => [],
      changes: async () => ({
        files: [...hidden, 'src/a.ts'].map((at) => ({ path: at, added: 1, removed: 0 })),
        untracked: [...hidden],
        diff: async (paths) => paths.map((at) => `+${hidden.includes(at) ? canary : 'plain'}`).join('\n'),
      }),
    },
  };
}

/** Calls about `target` with every string and number that a schema knows, and with only those that it must have. */
export function callsOf(tool: Pick<Tool, 'parameters'>, target: string, text: string): Record<string, unknown>[] {
  const { properties = {}, required = [] } = z.toJSONSchema(tool.parameters);
  const value = (name: string, type: unknown) => {
    if (name === 'path') return target;
    return type === 'string' ? text : type === 'boolean' ? false : 1;
  };
  const entries = Object.entries(properties)
    .filter(([name]) => !['glob', 'against'].includes(name))
    .map(([name, schema]) => [name, value(name, typeof schema === 'object' && schema.type)] as const);
  const needed = entries.filter(([name]) => name === 'path' || required.includes(name));
  return [Object.fromEntries(entries), Object.fromEntries(needed)];
}
