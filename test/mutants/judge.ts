import { spawn } from 'node:child_process';
import { chmod, cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

export const projectRoot = path.resolve(import.meta.dirname, '../..');
/** So many files are far from taking `endlessMs`. */
const checkedAtOnce = 40;
/** No list of tests takes nearly as long. */
const endlessMs = 600_000;
/** Large, and read only. */
const linked = ['node_modules', '.vscode-test'];
/** What no unit test reads. */
const left = ['.git', 'dist', 'out'];

/** A fault: `from`, which stands once in the file, is `to`. */
export interface Fault {
  file: string;
  from: string;
  to: string;
}

/** `caught` holds the titles of the tests that failed; none is a hole. `broken` says why nothing can be told. */
export type Verdict = { caught: readonly string[] } | { broken: string };

/** Copies the project; packages and VS Code are linked. */
export async function copyTree(to: string): Promise<void> {
  // Some tests run programs as somebody else.
  await chmod(to, 0o755);
  const peers = path.join('bench', 'peers');
  for (const name of await readdir(projectRoot)) {
    const [from, target] = [path.join(projectRoot, name), path.join(to, name)];
    if (linked.includes(name)) await symlink(from, target, 'dir');
    else if (!left.includes(name)) await cp(from, target, { recursive: true, filter: (file) => !file.includes(peers) });
  }
}

/** Runs unit tests, paths below the project, in the copy with mocha alone; `bail` ends with the first that fails. */
export async function runTests(tree: string, files: readonly string[], bail = false): Promise<Verdict> {
  const mocha = path.join(projectRoot, 'node_modules/mocha/bin/mocha.js');
  const args = [
    mocha,
    '--no-config',
    '--reporter',
    'json',
    '--timeout',
    '120000',
    '--exit',
    ...(bail ? ['--bail'] : []),
    ...files,
  ];
  const child = spawn(process.execPath, args, { cwd: tree, stdio: ['ignore', 'pipe', 'pipe'] });
  const kill = () => child.kill();
  process.once('exit', kill);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  // A fault may make a loop endless: nothing of mocha's own can end that.
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, endlessMs);
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', () => resolve());
  });
  clearTimeout(limit);
  process.off('exit', kill);
  if (hung) return { caught: ['(one that never ends)'] };
  try {
    const { failures } = JSON.parse(output.slice(output.indexOf('{\n  "stats"')));
    return { caught: failures.map(({ fullTitle }: { fullTitle: string }) => fullTitle) };
  } catch {
    return { broken: (errors || output).trim().slice(0, 500) };
  }
}

/** Without a fault nothing may fail, or every fault would seem to be caught. */
export async function checkTests(tree: string, files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += checkedAtOnce) {
    const verdict = await runTests(tree, files.slice(at, at + checkedAtOnce));
    if ('broken' in verdict) throw new Error(`the tests do not run:\n${verdict.broken}`);
    const { caught } = verdict;
    if (caught.length > 0) throw new Error(`fail without any fault, to be mended first:\n${caught.join('\n')}`);
  }
}

/** Puts the fault in, runs what `tests` does, takes it out again. */
export async function judge(tree: string, { file, from, to }: Fault, tests: () => Promise<Verdict>): Promise<Verdict> {
  const target = path.join(tree, file);
  const original = await readFile(target, 'utf8');
  if (original.split(from).length !== 2) return { broken: `does not stand exactly once in ${file}: ${from}` };
  await writeFile(
    target,
    original.replace(from, () => to),
  );
  try {
    return await tests();
  } finally {
    await writeFile(target, original);
  }
}
