import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, readlink, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gitIn } from '../../../support/git-in.ts';
import type { Random } from '../../../support/random.ts';

type GitIn = ReturnType<typeof gitIn>;

const names = [
  'src/a.ts',
  'src/b.ts',
  'read me.md',
  'docs/Übersicht 概要.md',
  'odd/"quoted" \'name\'.txt',
  'odd/back\\slash.txt',
  'odd/tab\there.txt',
  'lib/x',
  'lib/y/z.ts',
  'bin/run.sh',
  'data.bin',
];

/** What users set for their own eyes. */
const settings: readonly (readonly [string, string])[] = [
  ['diff.noprefix', 'true'],
  ['diff.mnemonicPrefix', 'true'],
  ['diff.external', '/bin/false'],
  ['diff.algorithm', 'patience'],
  ['diff.interHunkContext', '20'],
  ['diff.renames', 'copies'],
  ['diff.ignoreSubmodules', 'all'],
  ['core.quotePath', 'true'],
  ['color.ui', 'always'],
  ['apply.whitespace', 'fix'],
  ['core.autocrlf', 'input'],
  ['core.autocrlf', 'true'],
];

export interface History {
  git: GitIn;
  /** Some of what is staged was changed again, or nothing is staged at all. */
  isStaged: boolean;
}

/** A repository with one commit and changes of every kind. Whoever runs it is no administrator and has links. */
export async function makeHistory(folder: string, random: Random): Promise<History> {
  const git = gitIn(folder);
  await git('init');
  for (const [key, value] of settings) if (random.next() < 0.3) await git('config', key, value);
  for (const name of names) if (random.next() < 0.8) await writeNew(folder, name, random);
  await link(folder, 'link', 'src/a.ts');
  await git('add', '-A');
  if (random.next() < 0.95) await git('commit', '-m', 'First');
  await changeFiles(folder, random);
  const isStaged = random.next() < 0.6;
  if (isStaged) await git('add', '-A');
  if (isStaged && random.next() < 0.5) await changeFiles(folder, random);
  const { stdout } = await git('status', '--porcelain');
  // Nothing that lies in the index is what a commit would hold.
  return { git, isStaged: /^[^ ?]/m.test(stdout) };
}

/** Everything in the folder but git's own, as one number: names, modes, contents. */
export async function hashOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder, { recursive: true })).toSorted()) {
    if (name === '.git' || name.startsWith(`.git${path.sep}`)) continue;
    const file = path.join(folder, name);
    const stat = await lstat(file);
    hash.update(`${name}\0${stat.mode}\0`);
    if (stat.isSymbolicLink()) hash.update(await readlink(file));
    else if (stat.isFile()) hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

const words = [
  '',
  '',
  '}',
  '  return x;',
  'same',
  'same',
  'same',
  'one',
  'Grüße',
  '@@ -1,2 +1,2 @@',
  '--- a/x',
  'diff --git a/b b/b',
  '\f',
  'cr\rinside',
];

function someLines(random: Random): string[] {
  return Array.from({ length: random.between(0, 40) }, (_, at) =>
    random.pick([...words, `line ${at}`, `${random.between(0, 9)}`]),
  );
}

function joined(lines: readonly string[], random: Random): string {
  const text = lines.join(random.pick(['\n', '\n', '\r\n']));
  return text === '' || random.next() < 0.25 ? text : `${text}${random.pick(['\n', '\n', '\r\n'])}`;
}

async function writeNew(folder: string, name: string, random: Random): Promise<void> {
  const file = path.join(folder, name);
  await mkdir(path.dirname(file), { recursive: true });
  const isBinary = name.endsWith('.bin') || random.next() < 0.03;
  const text = isBinary ? `\0${random.next()}` : joined(someLines(random), random);
  await writeFile(file, Buffer.from(text, random.next() < 0.1 ? 'latin1' : 'utf8'));
  if (name.endsWith('.sh')) await chmod(file, 0o755);
}

async function link(folder: string, name: string, to: string): Promise<void> {
  await rm(path.join(folder, name), { recursive: true, force: true });
  await symlink(to, path.join(folder, name));
}

async function filesIn(folder: string): Promise<string[]> {
  const all = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = all
    .filter((one) => one.isFile())
    .map((one) => path.relative(folder, path.join(one.parentPath, one.name)));
  return files.filter((name) => !name.startsWith('.git')).toSorted();
}

/** Changes, removes and adds some of the files. */
export async function changeFiles(folder: string, random: Random): Promise<void> {
  for (let left = random.between(2, 9); left > 0; left--) {
    const all = await filesIn(folder);
    if (all.length === 0) return writeNew(folder, 'new.txt', random);
    const name = random.pick(all);
    const file = path.join(folder, name);
    const act = random.next();
    if (act < 0.55) await editLines(file, random);
    else if (act < 0.63) await rm(file);
    else if (act < 0.72) await writeNew(folder, `new/${random.between(0, 99)} file.ts`, random);
    else if (act < 0.8) {
      await mkdir(path.join(folder, 'moved'), { recursive: true });
      await rename(file, path.join(folder, `moved/${path.basename(name)}`));
      if (random.next() < 0.5) await editLines(path.join(folder, `moved/${path.basename(name)}`), random);
    } else if (act < 0.86) await chmod(file, random.pick([0o644, 0o755]));
    else if (act < 0.9) await link(folder, name, random.pick(['elsewhere', 'src/b.ts']));
    else if (act < 0.93) await link(folder, 'link', `target ${random.between(0, 9)}`);
    else if (act < 0.96) {
      // A folder in the place of a file.
      await rm(file);
      await writeNew(folder, `${name}/inner.ts`, random);
    } else {
      await rm(path.join(folder, 'lib'), { recursive: true, force: true });
      await writeFile(path.join(folder, 'lib'), 'a file now\n');
    }
  }
}

async function editLines(file: string, random: Random): Promise<void> {
  const text = await readFile(file, 'latin1');
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  for (let left = random.between(1, 8); left > 0; left--) {
    const at = random.between(0, lines.length);
    const act = random.next();
    if (act < 0.4) lines.splice(at, random.between(0, 2));
    else
      lines.splice(
        at,
        act < 0.7 ? 1 : 0,
        ...someLines(random)
          .slice(0, 3)
          .map((one) => Buffer.from(`${one}\n`).toString('latin1')),
      );
  }
  const changed = lines.join('');
  const act = random.next();
  const ended = act < 0.15 ? changed.replace(/\r?\n$/, '') : act < 0.3 ? changed.replaceAll(/\r?\n/g, '\r\n') : changed;
  await writeFile(file, Buffer.from(ended, 'latin1'));
}
