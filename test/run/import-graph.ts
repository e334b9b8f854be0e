import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { projectRoot } from './pool.ts';

/** Tests that come to nearly every file and take long; they are run after all others. */
const slowest = 'test/unit/hanging/';

export function tsFiles(folder: string): string[] {
  return readdirSync(path.join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?<!\.d)\.tsx?$/.test(name))
    .map((name) => path.posix.join(folder, name.replaceAll('\\', '/')));
}

/** What is loaded with a file, relative to the project, or a package's name: also by `new URL(…, import.meta.url)`. A type loads nothing. */
function loadedWith(file: string): string[] {
  const text = readFileSync(path.join(projectRoot, file), 'utf8');
  // Where nobody asks, no native parser is needed: the tests for Windows have none.
  const { parseSync } = createRequire(import.meta.url)('oxc-parser') as typeof import('oxc-parser');
  const { module } = parseSync(file, text);
  const names = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => text.slice(start + 1, end - 1)),
    ...[...text.matchAll(/new URL\(\s*'([^']+)',\s*import\.meta\.url/g)].map(([, name = '']) => name),
  ];
  return names.map((name) => (name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : name));
}

/** By source file or package: the unit tests that come to it, nearest first. */
export function testsByFile(): ReadonlyMap<string, readonly string[]> {
  const loaded = new Map(
    [...tsFiles('src'), ...tsFiles('media'), ...tsFiles('test')].map((file) => [file, loadedWith(file)]),
  );
  const reached = new Map<string, Map<string, number>>();
  for (const test of tsFiles('test/unit').filter((file) => file.endsWith('.test.ts'))) {
    const seen = new Set([test]);
    let ring = [test];
    for (let distance = 1; ring.length > 0; distance++) {
      ring = ring.flatMap((file) => loaded.get(file) ?? []).filter((file) => !seen.has(file) && seen.add(file));
      const order = test.startsWith(slowest) ? Number.POSITIVE_INFINITY : distance;
      for (const file of ring) (reached.get(file) ?? reached.set(file, new Map()).get(file))?.set(test, order);
    }
  }
  return new Map(
    [...reached].map(([file, tests]) => [
      file,
      [...tests].sort((a, b) => (a[1] === b[1] ? 0 : a[1] - b[1])).map(([test]) => test),
    ]),
  );
}
