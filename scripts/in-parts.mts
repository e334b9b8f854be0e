import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type BuildOptions, type Plugin, transform } from 'esbuild';

/** The name of a part's file in `dist/`, without its ending. */
export function partName(file: string): string {
  const name = path.posix.basename(file, '.ts');
  return name === 'index' ? path.posix.basename(path.posix.dirname(file)) : name;
}

/**
 * How `parts`, which load one after the other, are bundled: each with what those before it lack. esbuild divides by who reaches what,
 * so each part is made to reach the one before it. It divides ES modules only, and VS Code's own module loader is synchronous, so
 * each file becomes CommonJS once it is divided.
 */
export function inParts(parts: readonly string[], then: Pick<BuildOptions, 'minify' | 'target'>): BuildOptions {
  const entryPoints = Object.fromEntries(parts.map((file) => [partName(file), file]));
  const sourcemap = then.minify === true ? false : 'inline';
  const output: Plugin = {
    name: 'in-parts',
    setup(build) {
      const before = new Map(
        parts.slice(1).map((file, index) => [path.resolve(file), path.resolve(parts[index] ?? '')]),
      );
      build.onLoad({ filter: /\.ts$/ }, async ({ path: file }) => {
        const earlier = before.get(file);
        if (earlier === undefined) return undefined;
        return { contents: `${await readFile(file, 'utf8')}\nimport ${JSON.stringify(earlier)};`, loader: 'ts' };
      });
      build.onEnd(async ({ outputFiles = [] }) => {
        const outdir = build.initialOptions.outdir ?? '';
        await mkdir(outdir, { recursive: true });
        // What was divided otherwise before.
        for (const name of await readdir(outdir)) if (name.startsWith('part-')) await rm(path.join(outdir, name));
        for (const file of outputFiles) {
          const supported = { 'dynamic-import': false };
          const { code } = await transform(file.text, {
            ...then,
            format: 'cjs',
            platform: 'node',
            supported,
            sourcemap,
          });
          await writeFile(file.path, code);
        }
      });
    },
  };
  return {
    entryPoints,
    format: 'esm',
    splitting: true,
    chunkNames: 'part-[hash]',
    sourcemap,
    write: false,
    plugins: [output],
  };
}
