import path from 'node:path';
import type { SandboxPlan } from './mounts.ts';
import { isFolder } from './scan/hooks.ts';

/** Below `/run`, which is hidden: nothing else is there. */
const sources = '/run/cache';

/** Downloads of tools without a way to read from a second folder: the user's, until something else can be downloaded. */
const shown = ['.cargo/registry', '.cargo/git', '.m2/repository'];

/** Folders that tools only read from, beside one of their own in the conversation's home folder. */
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

/** The programs of pnpm are there and its store, which must not be read-only as they are. */
const pnpmFolder = '.local/share/pnpm';

/**
 * The user's downloads as commands see them, read-only. `canDownload`: a host was allowed or the network lifted; then each tool
 * writes into a folder of the conversation at the place where it expects its own.
 */
export function cachesOf(home: string, canDownload: boolean): SandboxPlan['tools'] {
  const read = readFrom.flatMap(({ name, at }) =>
    isFolder(path.join(home, at)) ? [{ source: path.join(home, at), target: `${sources}/${name}` }] : [],
  );
  if (canDownload) return read;
  const own = shown.map((name) => path.join(home, name)).filter(isFolder);
  return [...read, ...own.map((place) => ({ source: place, target: place }))];
}

/** Variables that lead tools to them. Those that the user set stay, and the proxies of Go are asked after the user's own folder. */
export function cacheVariables(
  { home, tools }: Pick<SandboxPlan, 'home' | 'tools'>,
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
