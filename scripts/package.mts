// Builds what is shipped and packs it: `npm run package -- [--repository URL --ref TAG] [--out FILE]`.
import { spawnSync } from 'node:child_process';
import { cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createVSIX, listFiles, PackageManager } from '@vscode/vsce';
import { isPreRelease, packagedHelp, packagedManifest, packagedMarkdown } from './package-texts.mts';

const root = path.dirname(import.meta.dirname);
const { values } = parseArgs({
  options: {
    repository: { type: 'string' },
    ref: { type: 'string', default: 'HEAD' },
    out: { type: 'string', default: path.join(root, 'dist/svc-assistant.vsix') },
  },
});
const { repository, ref } = values;
const source = repository === undefined ? undefined : { repository: repository.replace(/(?:\.git)?\/?$/, ''), ref };
const manifest = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8'));
if (/^v\d/.test(ref) && ref !== `v${manifest.version}`) {
  throw new Error(`The tag is ${ref} and the version in package.json ${manifest.version}`);
}

const built = spawnSync(process.execPath, ['esbuild.mjs', '--production'], { cwd: root, stdio: 'inherit' });
if (built.status !== 0) throw new Error(`the build ended with ${built.status ?? built.error}`);

// A copy, so that the working folder stays as it is.
const staged = path.join(root, 'out/package');
await rm(staged, { recursive: true, force: true });
for (const file of [...(await listFiles({ cwd: root, packageManager: PackageManager.None })), '.vscodeignore']) {
  await mkdir(path.dirname(path.join(staged, file)), { recursive: true });
  await cp(path.join(root, file), path.join(staged, file));
}
await writeFile(path.join(staged, 'package.json'), `${JSON.stringify(packagedManifest(manifest, source), null, 2)}\n`);
for (const page of ['README.md', 'CHANGELOG.md', 'SUPPORT.md']) {
  const text = await readFile(path.join(root, page), 'utf8');
  await writeFile(path.join(staged, page), packagedMarkdown(text, manifest.version, source));
}
const help = path.join(staged, 'docs/user');
for (const page of await readdir(help)) {
  await writeFile(path.join(help, page), packagedHelp(await readFile(path.join(root, 'docs/user', page), 'utf8')));
}
await mkdir(path.dirname(path.resolve(values.out)), { recursive: true });
await createVSIX({
  cwd: staged,
  packagePath: path.resolve(values.out),
  dependencies: false,
  rewriteRelativeLinks: false,
  allowMissingRepository: source === undefined,
  preRelease: isPreRelease(manifest.version),
});
