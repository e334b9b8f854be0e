// The map of the system: one bundle per runtime. `--production` minifies, `--watch` rebuilds.
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { brotliCompressSync, constants } from 'node:zlib';
import * as esbuild from 'esbuild';
import { inParts, partName } from './scripts/in-parts.mts';
import { leanUndici } from './scripts/lean-undici.mts';
import { thirdPartyNotices } from './scripts/notices.mts';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'warning',
  metafile: true,
};

/**
 * What loads on first use, in the order in which `src/assistant.ts` imports it: each file is one of `dist/` with everything that
 * those before it lack. A part that grows above 150 kB gets a cut, one more line here and there.
 */
export const parts = [
  'src/assistant.ts',
  'src/shared/event-schema.ts',
  'src/service/client.ts',
  'src/tools/run-command.ts',
  'src/tools/all-tools.ts',
  'src/vscode/account/create-service.ts',
  'src/vscode/edits/create-review.ts',
  'src/tools/command/command-ports.ts',
  'src/vscode/chat-panel/create-tools.ts',
  'src/vscode/chat-panel/create-chat.ts',
  'src/vscode/composer/create-composer.ts',
  'src/vscode/first-look.ts',
  'src/features/inline/index.ts',
  'src/features/next-places/index.ts',
  'src/features/git/index.ts',
  'src/features/features.ts',
  'src/features/best-of/vscode/contests.ts',
];

/** The HTTP client, the biggest library of all, loads while the user types, and what reads HTML with the first page. */
const apart = [...parts.map(partName), 'direct-fetch', 'page-text'];
/** @type {import('esbuild').Plugin} */
const keepApart = {
  name: 'keep-apart',
  setup(build) {
    build.onResolve({ filter: /\.ts$/ }, ({ path, kind }) => {
      if (kind !== 'dynamic-import') return undefined;
      const name = partName(path);
      if (apart.includes(name)) return { path: `./${name}.js`, external: true };
      return { errors: [{ text: `${path} is imported on use and is in no list of parts in esbuild.mjs` }] };
    });
  },
};

/**
 * One module of the bundle hands `vscode` on to all others. esbuild otherwise gives each file that imports it a copy of its own of the
 * whole API, made while the bundle loads: 128 of them took about a fifth of that time.
 * @type {import('esbuild').Plugin}
 */
const oneVsCode = {
  name: 'one-vscode',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'one-vscode' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'one-vscode' },
    );
    build.onLoad({ filter: /./, namespace: 'one-vscode' }, () => ({ contents: "export * from 'vscode';" }));
  },
};

/** @type {import('esbuild').BuildOptions} */
const node = {
  ...shared,
  platform: 'node',
  target: 'node22',
  format: 'cjs',
  // require() is the cheaper way to a file.
  supported: { 'dynamic-import': false },
  outdir: 'dist',
  plugins: [keepApart, oneVsCode],
};

/** A third smaller than the package would make it. */
const compressed = {
  name: 'compressed',
  setup(build) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: production ? 11 : 1 };
    build.onEnd(async ({ outputFiles }) => {
      await mkdir('dist', { recursive: true });
      for (const { path, contents } of outputFiles)
        await writeFile(`${path}.br`, brotliCompressSync(contents, { params }));
    });
  },
};

const divided = inParts(parts, { minify: production, target: node.target });
const builds = [
  { ...node, entryPoints: { extension: 'src/extension.ts' } },
  { ...node, supported: {}, ...divided, plugins: [...node.plugins, ...divided.plugins] },
  { ...node, ...leanUndici, entryPoints: { 'direct-fetch': 'src/service/wire/direct-fetch.ts' } },
  { ...node, entryPoints: { 'page-text': 'src/tools/web/page-text.ts' } },
  // A process of its own, which keeps a network for commands in the sandbox.
  { ...node, entryPoints: { 'namespace-keeper': 'src/sandbox/namespace-keeper.ts' } },
  // A worker thread: patterns that a model wrote run where they can be ended.
  { ...node, entryPoints: { 'regex-thread': 'src/files/search/regex-thread.ts' } },
  // Another: what has to look at all of a long text.
  { ...node, entryPoints: { 'text-thread': 'src/edits/apply/text-thread.ts' } },
  // Another: the grammars of the installed extensions, with their own engine of regular expressions.
  { ...node, entryPoints: { 'color-thread': 'src/colors/color-thread.ts' } },
  {
    entryPoints: { onig: 'vscode-oniguruma/release/onig.wasm' },
    loader: { '.wasm': 'copy' },
    outdir: 'dist',
    metafile: true,
    write: false,
    plugins: [compressed],
  },
  {
    ...shared,
    platform: 'browser',
    target: 'chrome138',
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    entryPoints: { chat: 'media/chat/main.tsx', spend: 'media/spend/main.tsx' },
    loader: { '.ttf': 'file' },
    assetNames: '[name]',
    outdir: 'dist/media',
  },
];

if (import.meta.main) await run();

async function run() {
  // What an earlier build left would be packaged.
  if (production) await rm('dist', { recursive: true, force: true });
  if (watch) {
    for (const options of builds) await (await esbuild.context({ ...options, logLevel: 'info' })).watch();
  } else {
    const results = await Promise.all(builds.map((options) => esbuild.build(options)));
    const inputs = results.flatMap(({ metafile }) => Object.keys(metafile?.inputs ?? {}));
    await writeFile('dist/ThirdPartyNotices.txt', await thirdPartyNotices(inputs));
  }
}
