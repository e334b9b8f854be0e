import { execFile } from 'node:child_process';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { build, type Plugin } from 'esbuild';
import { leanUndici } from '../../scripts/lean-undici.mts';
import { type ContenderName, contenderNames } from './contenders/contender.ts';

const run = promisify(execFile);
const benchFolder = import.meta.dirname;
export const peersFolder = path.join(benchFolder, 'peers');
export const projectRoot = path.resolve(benchFolder, '../..');
/** Everything the bench makes; git-ignored. */
export const outFolder = path.join(projectRoot, 'out/bench');

export interface Bundles {
  /** Absolute path of the module with the `run()` that VS Code calls. */
  host: string;
  /** Absolute path of each contender's module. */
  contenders: Record<ContenderName, string>;
}

/** Bundles the host's side and, each for itself, the contenders. Gets the peers from the registry the first time. */
export async function bundle(): Promise<Bundles> {
  await installPeers();
  await mkdir(outFolder, { recursive: true });
  const common = { bundle: true, platform: 'node', target: 'node22', format: 'cjs', logLevel: 'warning' } as const;
  const contenders = (name: string) => path.join(outFolder, `contenders/${name}.js`);
  await build({
    ...common,
    entryPoints: [path.join(benchFolder, 'host/index.ts')],
    external: ['vscode'],
    outfile: path.join(outFolder, 'host.js'),
  });
  await build({
    ...common,
    // As the product itself is built: the HTTP client is a file of its own that loads on first use.
    supported: { 'dynamic-import': false },
    entryPoints: Object.fromEntries(
      contenderNames.map((name) => [name, path.join(benchFolder, `contenders/${name}.ts`)]),
    ),
    outdir: path.join(outFolder, 'contenders'),
    minify: true,
    plugins: [peersFromTheirFolder, directFetchApart],
  });
  await build({
    ...common,
    ...leanUndici,
    entryPoints: { 'direct-fetch': path.join(projectRoot, 'src/service/wire/direct-fetch.ts') },
    outdir: path.join(outFolder, 'contenders'),
    minify: true,
  });
  return {
    host: path.join(outFolder, 'host.js'),
    contenders: {
      'raw-drain': contenders('raw-drain'),
      'bare-parser': contenders('bare-parser'),
      ours: contenders('ours'),
      'ai-sdk': contenders('ai-sdk'),
      'stream-text': contenders('stream-text'),
      openai: contenders('openai'),
    },
  };
}

const installTimeoutMs = 600_000;

/** From the registry, the first time and when the lock file is another one: a fresh checkout makes it newer, not different. */
export async function installPeers(): Promise<void> {
  const wanted = await readFile(path.join(peersFolder, 'package-lock.json'), 'utf8');
  const installedFrom = path.join(peersFolder, 'node_modules/.installed-from.json');
  if ((await readFile(installedFrom, 'utf8').catch(() => undefined)) === wanted) return;
  process.stderr.write('Getting the peers of the bench from the npm registry …\n');
  const options = { cwd: peersFolder, timeout: installTimeoutMs, killSignal: 'SIGKILL' } as const;
  await run('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--silent'], options);
  await writeFile(installedFrom, wanted);
}

let peersTried: Promise<boolean> | undefined;

/** For benches that go on without them: says so once, and resolves with whether they are there. */
export function tryPeers(progress: (text: string) => void): Promise<boolean> {
  peersTried ??= installPeers().then(
    () => true,
    (error: unknown) => {
      progress(`The peers are not installed: ${error instanceof Error ? error.message : String(error)}`);
      return false;
    },
  );
  return peersTried;
}

/** The contenders' packages come from the bench's own lock file, not from the product's. */
const peersFromTheirFolder: Plugin = {
  name: 'peers-from-their-folder',
  setup(setup) {
    setup.onResolve({ filter: /^(openai|ai|eventsource-parser|@ai-sdk\/openai-compatible)$/ }, (args) =>
      args.importer.startsWith(path.join(benchFolder, 'contenders'))
        ? setup.resolve(args.path, { resolveDir: peersFolder, kind: args.kind })
        : undefined,
    );
  },
};

const directFetchApart: Plugin = {
  name: 'direct-fetch-apart',
  setup(setup) {
    setup.onResolve({ filter: /direct-fetch\.ts$/ }, (args) =>
      args.kind === 'dynamic-import' ? { path: './direct-fetch.js', external: true } : undefined,
    );
  },
};
