import path from 'node:path';
import { isFolder } from './paths.ts';
import type { Shown } from './plan/plan-input.ts';

const sources = '/run/cache';

/**
 * These tools cannot read from a second folder, so they use the user's downloads until something else can be
 * downloaded.
 */
const shown = ['.cargo/registry', '.cargo/git', '.m2/repository'];

const readFrom: readonly { name: string; at: string; variables: Readonly<Record<string, string>> }[] = [
  {
    name: 'go',
    at: 'go/pkg/mod/cache/download',
    variables: { GOPROXY: `file://${sources}/go`, GOFLAGS: '-modcacherw' },
  },
  { name: 'gradle', at: '.gradle/caches', variables: { GRADLE_RO_DEP_CACHE: `${sources}/gradle` } },
  { name: 'nuget', at: '.nuget/packages', variables: { NUGET_FALLBACK_PACKAGES: `${sources}/nuget` } },
  { name: 'maven', at: '.m2/repository', variables: { MAVEN_ARGS: `-Dmaven.repo.local.tail=${sources}/maven` } },
];

const pnpmFolder = '.local/share/pnpm';

/**
 * Returns the user's downloads as commands see them, read-only. With `canDownload`, because a host or the network was
 * allowed, each tool writes into a folder of the conversation where it expects its own.
 */
export function cachesOf(home: string, canDownload: boolean): Shown[] {
  const read = readFrom.flatMap(({ name, at }) =>
    isFolder(path.join(home, at)) ? [{ source: path.join(home, at), target: `${sources}/${name}` }] : [],
  );
  if (canDownload) return read;
  const own = shown.map((name) => path.join(home, name)).filter(isFolder);
  return [...read, ...own.map((place) => ({ source: place, target: place }))];
}

export function cacheVariables(
  { home, tools }: { home: string; tools: readonly Shown[] },
  environment: NodeJS.ProcessEnv,
): Record<string, string> {
  const found = readFrom.filter(({ name }) => tools.some(({ target }) => target === `${sources}/${name}`));
  const wanted = new Map(found.flatMap(({ variables }) => Object.entries(variables)));
  if (tools.some(({ target }) => target === path.join(home, pnpmFolder))) {
    for (const name of ['npm_config_store_dir', 'pnpm_config_store_dir'])
      wanted.set(name, path.join(home, '.pnpm-store'));
  }
  const own = wanted.get('GOPROXY');
  const { GOPROXY: others = 'https://proxy.golang.org,direct' } = environment;
  for (const name of wanted.keys()) if (environment[name] !== undefined) wanted.delete(name);
  if (own !== undefined) wanted.set('GOPROXY', `${own},${others}`);
  return Object.fromEntries(wanted);
}
