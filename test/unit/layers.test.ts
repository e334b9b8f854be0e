import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, it } from 'mocha';
import { parseSync } from 'oxc-parser';

const root = fileURLToPath(new URL('../../', import.meta.url));

/**
 * From the ground up. A file may import what is in its own layer and in those above it in this list, nothing below. The
 * star stands for features that no line names.
 */
const layers = [
  'src/base',
  'src/shared',
  'src/colors',
  'src/storage',
  'src/service',
  'src/spend',
  'src/agent',
  'src/files',
  'src/edits',
  'src/sandbox',
  'src/tools',
  'src/customizations',
  'src/features/inline/core',
  'src/features/completion/core',
  'src/features/next-places/core',
  'src/features/git/core',
  'src/features/worktrees/core',
  'src/features/review-comments/core',
  'src/features/*/core',
  'src/conversation',
  'src/features/subagents/core',
  'src/chat',
  'src/features/plan/core',
  'src/vscode/host',
  'src/vscode/workspace',
  'src/vscode/account',
  'src/vscode/reports',
  'src/vscode/spend',
  'src/vscode/edits',
  'src/features/worktrees/vscode',
  'src/vscode/composer',
  'src/features/plan/vscode',
  'src/vscode/chat-panel',
  'src/features/completion/vscode',
  'src/features/review-comments/vscode',
  'src/features/next-places/vscode',
  'src/features/inline/vscode',
  'src/features/git/vscode',
  'src/features/*/vscode',
  'src/vscode/history',
  'src/features/native-chat/vscode',
  'src/vscode/commands',
  'src/features/early.ts',
  'src/vscode/first-look.ts',
  'src/features/feature-window.ts',
  'src/features/completion',
  'src/features/next-places',
  'src/features/inline',
  'src/features/git',
  'src/features/*',
  'src/features/review-comments',
  'src/features/native-chat',
  'src/features/features.ts',
  'src/assistant.ts',
  'src/extension.ts',
];

interface Import {
  from: string;
  to: string;
}

const within = (file: string, layer: string): boolean => file === layer || file.startsWith(`${layer}/`);
const placeOf = (file: string): number => layers.findIndex((layer) => within(file, layer));
const layerOf = (file: string): number => {
  const place = placeOf(file);
  return place < 0 ? placeOf(file.replace(/^src\/features\/[^/.]+(?=\/)/, 'src/features/*')) : place;
};

/** Why an import is against the rule; undefined when it is not. `to` is a path of the project or the name of a package. */
function fault({ from, to }: Import): string | undefined {
  if (within(from, 'media')) {
    const may = !within(to, 'src') || within(to, 'src/shared') || within(to, 'src/base');
    return may && to !== 'vscode' && !within(to, 'test')
      ? undefined
      : 'a page imports only what it shares with the host';
  }
  if (to === 'vscode') {
    const atTheEdge =
      within(from, 'src/vscode') ||
      /^src\/features\/[^/]+\/(?!core\/)/.test(from) ||
      !from.includes('/', 'src/'.length);
    return atTheEdge ? undefined : 'only the edge imports vscode';
  }
  if (layerOf(from) < 0) return 'the file is in no layer: add its folder to `layers` in this test';
  if (!to.includes('/') || to.startsWith('node:') || to.startsWith('@')) return undefined;
  if (within(to, 'media') || within(to, 'test')) return 'the host imports neither pages nor tests';
  return within(to, 'src') && layerOf(to) > layerOf(from) ? 'a lower layer imports a higher one' : undefined;
}

/** Types, re-exports and what is imported later included: what a file knows of is what it can come to depend on. */
function importsOf(file: string): Import[] {
  const { module } = parseSync(file, readFileSync(path.join(root, file), 'utf8'));
  const names = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap((entry) => entry.moduleRequest?.value ?? [])),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) =>
      readFileSync(path.join(root, file), 'utf8').slice(start + 1, end - 1),
    ),
  ];
  return names.map((name) => ({
    from: file,
    to: name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name,
  }));
}

function filesOf(folder: string): string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .filter((name) => /\.tsx?$/.test(name));
}

describe('layers', () => {
  const files = [...filesOf('src'), ...filesOf('media')];

  it('no file imports from a layer above its own', () => {
    const faults = files
      .flatMap(importsOf)
      .map((one) => ({ ...one, why: fault(one) }))
      .filter(({ why }) => why !== undefined)
      .map(({ from, to, why }) => `${from} -> ${to}: ${why}`);
    assert.deepEqual(faults, []);
  });

  it('a folder of the source holds at most 30 files', () => {
    const counts = new Map<string, number>();
    for (const file of files) counts.set(path.dirname(file), (counts.get(path.dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...counts].filter(([, count]) => count > 30),
      [],
      'give the files of one subject a folder of their own',
    );
  });

  it('F40 the provider of completions reaches nothing that could send: only the editor and what is held', () => {
    const reached = new Set<string>();
    const follow = (file: string): void => {
      for (const { to } of importsOf(file)) {
        if (reached.has(to)) continue;
        reached.add(to);
        if (within(to, 'src')) follow(to);
      }
    };
    follow('src/features/completion/vscode/completion-provider.ts');
    assert.deepEqual([...reached], ['vscode', 'src/features/completion/core/completion-cache.ts']);
  });

  it('places a feature that no line names like the others', () => {
    const layersOf = (name: string) =>
      ['core/a.ts', 'vscode/a.ts', 'index.ts'].map((file) => layerOf(`src/features/${name}/${file}`));
    const places = layersOf('something-new');
    assert.ok(
      places.every((place, at) => place > (places[at - 1] ?? 0)),
      String(places),
    );
    assert.equal(fault({ from: 'src/features/something-new/core/a.ts', to: 'src/chat/window.ts' }) !== undefined, true);
  });

  const upward: Record<string, Import> = {
    'a type of a higher layer': { from: 'src/agent/loop.ts', to: 'src/tools/all-tools.ts' },
    'a room that stands higher': { from: 'src/vscode/edits/edits.ts', to: 'src/vscode/chat-panel/chat-view.ts' },
    'the root': { from: 'src/vscode/commands/commands.ts', to: 'src/assistant.ts' },
    'a file beside the root': { from: 'src/chat.ts', to: 'src/agent/loop.ts' },
    'vscode in the core': { from: 'src/conversation/conversation.ts', to: 'vscode' },
    'vscode in a page': { from: 'media/chat/main.tsx', to: 'vscode' },
    'the core in a page': { from: 'media/chat/main.tsx', to: 'src/agent/loop.ts' },
    'a page in the host': { from: 'src/vscode/chat-panel/chat-view.ts', to: 'media/chat/state.ts' },
    'a test in the source': { from: 'src/agent/loop.ts', to: 'test/support/temp-dir.ts' },
  };
  for (const [what, one] of Object.entries(upward)) {
    it(`refuses ${what}`, () => assert.ok(fault(one)));
  }
});
