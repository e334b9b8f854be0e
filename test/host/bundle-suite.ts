import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { build } from 'esbuild';

const hostFolder = import.meta.dirname;
const projectRoot = path.resolve(hostFolder, '../..');

export async function suiteFiles(): Promise<string[]> {
  return (await readdir(path.join(hostFolder, 'suite'))).filter((file) => file.endsWith('.test.ts')).sort();
}

/**
 * Bundles the named files of `test/host/suite/`, or all, into one CommonJS module with the `run()` that VS Code calls. Mocha
 * stays outside: it is found in `node_modules` above the output. Returns the module's absolute path.
 */
export async function bundleSuite(named: readonly string[] = []): Promise<string> {
  const all = await suiteFiles();
  const wanted = named.map((file) => path.basename(file));
  const unknown = wanted.filter((file) => !all.includes(file));
  if (unknown.length > 0) throw new Error(`not in test/host/suite: ${unknown.join(', ')}`);
  const files = wanted.length > 0 ? wanted : all;
  const loads = files.map((file) => `${JSON.stringify(file)}: () => require(${JSON.stringify(`./suite/${file}`)})`);
  const outfile = path.join(projectRoot, 'dist/test/host/index.js');
  await build({
    stdin: {
      contents: `import { runSuite } from './run-suite.ts';\nexport const run = () => runSuite({ ${loads.join(', ')} });\n`,
      resolveDir: hostFolder,
      loader: 'ts',
    },
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    // Packages that are ES modules alone come along: from a CommonJS module, their default export would be something else.
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    outfile,
    logLevel: 'warning',
  });
  return outfile;
}
