import { existsSync } from 'node:fs';
import path from 'node:path';
import { isObject, parseJson } from '../../../base/parse-json.ts';
import { readRegular } from '../../../base/read-regular.ts';

/** Returns the command that a file of the project declares, or undefined. */
type Declares = (text: string, folder: string) => Promise<string | undefined>;

const always =
  (line: string): Declares =>
  async () =>
    line;
const mentioning =
  (what: RegExp, line: string): Declares =>
  async (text) =>
    what.test(text) ? line : undefined;

const declaring: readonly [file: string, declares: Declares][] = [
  ['package.json', scriptIn],
  ['deno.json', async (text) => (testIn(text, 'tasks') ? 'deno task test' : undefined)],
  ['composer.json', async (text) => (testIn(text, 'scripts') ? 'composer test' : undefined)],
  ['Makefile', mentioning(/^test[ \t]*:(?!=)/m, 'make test')],
  ['Cargo.toml', always('cargo test')],
  ['go.mod', always('go test ./...')],
  ['pytest.ini', always('python3 -m pytest')],
  ['pyproject.toml', mentioning(/\bpytest\b/, 'python3 -m pytest')],
  ['tox.ini', mentioning(/\bpytest\b/, 'python3 -m pytest')],
  ['mix.exs', always('mix test')],
  ['Gemfile', mentioning(/\brspec\b/, 'bundle exec rspec')],
  ['mvnw', always('./mvnw test')],
  ['pom.xml', always('mvn test')],
  ['gradlew', always('./gradlew test')],
];

/** Proposes the test command that the project in this folder declares; undefined where it declares none. */
export async function proposeTest(folder: string): Promise<string | undefined> {
  for (const [file, declares] of declaring) {
    const text = await readRegular(path.join(folder, file)).then(String, () => undefined);
    const line = text && (await declares(text, folder));
    if (line) return line;
  }
  return undefined;
}

async function scriptIn(text: string, folder: string) {
  const script = testIn(text, 'scripts');
  // This is what `npm init` writes where there are no tests.
  if (!script || script.includes('no test specified')) return undefined;
  const manifest = parseJson(text);
  const named = isObject(manifest) && typeof manifest.packageManager === 'string' ? manifest.packageManager : '';
  const [manager = ''] = named.split('@');
  if (manager !== '') return `${manager} test`;
  for (const [lock, line] of locks) if (existsSync(path.join(folder, lock))) return line;
  return 'npm test';
}

/** Returns the line with the scripts of `package.json` that it runs, and those that they run. */
export async function withScripts(line: string, folder: string): Promise<string> {
  const manifest = parseJson(await readRegular(path.join(folder, 'package.json')).then(String, () => ''));
  const scripts = isObject(manifest) && isObject(manifest.scripts) ? Object.entries(manifest.scripts) : [];
  const found = [line];
  for (const text of found) {
    const words = text.split(/[\s;&|"']+/);
    for (const [name, script] of scripts)
      if (typeof script === 'string' && words.includes(name) && !found.includes(script)) found.push(script);
  }
  return found.join(' ; ');
}

const locks = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
] as const;

function testIn(text: string, list: string): string | undefined {
  const manifest = parseJson(text);
  const scripts = isObject(manifest) ? manifest[list] : undefined;
  const test = isObject(scripts) ? scripts.test : undefined;
  return typeof test === 'string' ? test : isObject(test) || Array.isArray(test) ? JSON.stringify(test) : undefined;
}
