import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { peersFolder } from '../bundle.ts';

/** A file of a published package as it was and as its authors changed it. LF only, no BOM; cases add what they need. */
export interface Revision {
  /** Package and path, for people. */
  name: string;
  before: string;
  after: string;
}

const packages = [
  'svelte',
  'node-gyp',
  'bootstrap',
  'undici',
  'node-addon-api',
  'zod',
  'jquery',
  'rxjs',
  'luxon',
  'commander',
];
const extensions =
  /\.(?:[cm]?[jt]sx?|py|go|rs|scss|css|md|rst|json|toml|h|hpp|cc|c|gypi?|html|svelte|vue|ya?ml|sh|java|kt|swift|php|hs|rb|ex|lua|coffee|pug|cs|scala)$/;
const built = /(?:^|\/)(?:node_modules|dist|dist-types|build|esm|esm5|bundles|umd|_esm5|_esm2015)\//;
const maxFileLength = 200_000;
/** Longer lines are minified or data; nobody edits them by hand. */
const maxLineLength = 400;

/** Files that differ between two pinned releases of ten packages, in a fixed order. */
export async function readCorpus(): Promise<Revision[]> {
  const perPackage = await Promise.all(packages.map(readPackage));
  return perPackage.flat();
}

const git = promisify(execFile);
/** Enough for every kind of damage, and the history of a large project is not read for minutes. */
const maxFiles = 400;

/** Files that differ between two commits of a repository, given as `folder@before..after`, in a fixed order. */
export async function readRepository(range: string): Promise<Revision[]> {
  const [, folder = '', before = '', after = ''] = /^(.+)@(.+)\.\.(.+)$/.exec(range) ?? [];
  const ask = async (...args: string[]) =>
    (await git('git', ['-C', folder, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout;
  const changed = await ask('-c', 'core.quotePath=off', 'diff', '--name-only', '--diff-filter=M', before, after);
  const wanted = changed.split('\n').filter((file) => extensions.test(file));
  const revisions: Revision[] = [];
  for (const file of wanted.slice(0, maxFiles)) {
    const [old, fresh] = await Promise.all([ask('show', `${before}:${file}`), ask('show', `${after}:${file}`)]);
    const name = `${path.basename(path.dirname(folder))}/${file}`;
    revisions.push({ name, before: normal(old), after: normal(fresh) });
  }
  return revisions.filter((one) => one.before !== one.after && isSource(one.before) && isSource(one.after));
}

function normal(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

async function readPackage(name: string): Promise<Revision[]> {
  const folder = (side: string) => path.join(peersFolder, 'node_modules', `edits-${name}-${side}`);
  const files = await readdir(folder('after'), { recursive: true });
  const wanted = files.filter((file) => extensions.test(file) && !built.test(file)).sort();
  const revisions = await Promise.all(
    wanted.map(async (file) => {
      const [before, after] = await Promise.all([
        readText(path.join(folder('before'), file)),
        readText(path.join(folder('after'), file)),
      ]);
      return { name: `${name}/${file}`, before, after };
    }),
  );
  return revisions.filter(({ before, after }) => before !== after && isSource(before) && isSource(after));
}

async function readText(file: string): Promise<string> {
  try {
    return normal(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return '';
    throw error;
  }
}

function isSource(text: string): boolean {
  if (text.length < 200 || text.length > maxFileLength || text.includes('\r')) return false;
  return text.split('\n').every((line) => line.length <= maxLineLength);
}
