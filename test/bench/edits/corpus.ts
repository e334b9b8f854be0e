import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
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
const extensions = /\.(?:[cm]?[jt]sx?|py|scss|css|md|json|h|hpp|cc|c|gypi?|html|svelte|ya?ml)$/;
const built = /(?:^|\/)(?:node_modules|dist|dist-types|build|esm|esm5|bundles|umd|_esm5|_esm2015)\//;
const maxFileLength = 200_000;
/** Longer lines are minified or data; nobody edits them by hand. */
const maxLineLength = 400;

/** Files that differ between two pinned releases of ten packages, in a fixed order. */
export async function readCorpus(): Promise<Revision[]> {
  const perPackage = await Promise.all(packages.map(readPackage));
  return perPackage.flat();
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
    const text = await readFile(file, 'utf8');
    return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return '';
    throw error;
  }
}

function isSource(text: string): boolean {
  if (text.length < 200 || text.length > maxFileLength || text.includes('\r')) return false;
  return text.split('\n').every((line) => line.length <= maxLineLength);
}
