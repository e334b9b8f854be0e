import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { build, type Metafile } from 'esbuild';
import { before, describe, it } from 'mocha';
import { parts } from '../../../esbuild.mjs';
import { inParts } from '../../../scripts/in-parts.mts';

const root = path.resolve(import.meta.dirname, '../../..');

/** They take the extension host about 30 ms on a slow machine. */
const maxBytes = 150_000;

describe('the parts of the assistant', () => {
  let outputs: Metafile['outputs'][string][];
  let files: string[];

  before(async () => {
    const outdir = await mkdtemp(path.join(tmpdir(), 'svc-parts-'));
    const { metafile } = await build({
      ...inParts(parts, { minify: true, target: 'node22' }),
      absWorkingDir: root,
      bundle: true,
      minify: true,
      metafile: true,
      platform: 'node',
      external: ['vscode', '*/direct-fetch.ts', '*/page-text.ts'],
      outdir,
    });
    outputs = Object.values(metafile.outputs);
    files = await readdir(outdir);
    await rm(outdir, { recursive: true });
  });

  it('P25 are small, and each is one file beside the one that its importers name', () => {
    const large = outputs.filter(({ bytes }) => bytes > maxBytes);
    assert.deepEqual(
      large.map(({ bytes, entryPoint, inputs }) => [entryPoint ?? Object.keys(inputs).at(-1), bytes]),
      [],
    );
    assert.ok(outputs.length <= 2 * parts.length, `${outputs.length} files for ${parts.length} parts`);
    assert.equal(files.length, outputs.length);
  });

  it('P25 are imported in the order of the list, and all of them', async () => {
    const imported = new Set<string>();
    const features = (await readdir(path.join(root, 'src/features'))).map((name) => `src/features/${name}/index.ts`);
    // Features may load a part on use, after all others.
    for (const file of ['src/assistant.ts', ...features.filter((name) => existsSync(path.join(root, name)))]) {
      const text = await readFile(path.join(root, file), 'utf8');
      for (const [, name = ''] of text.matchAll(/import\('(\.\/[^']+)'\)/g))
        imported.add(path.posix.join(path.posix.dirname(file), name));
    }
    assert.deepEqual([...imported], parts.slice(1));
  });

  it('P17 what is seen first brings nothing of what only the features need', () => {
    assert.equal(parts.indexOf('src/features/inline/index.ts'), parts.indexOf('src/vscode/first-look.ts') + 1);
    const first = outputs.filter(
      ({ inputs }) => 'src/vscode/first-look.ts' in inputs || 'src/vscode/chat-panel/create-tools.ts' in inputs,
    );
    const later =
      /^src\/(?:vscode\/(?:commands|history)|features\/(?:native-chat|git|inline|completion|next-places|review-comments)\/vscode\/(?!comments-section))/;
    const strays = first.flatMap(({ inputs }) => Object.keys(inputs).filter((file) => later.test(file)));
    assert.equal(first.length, 2);
    assert.deepEqual(strays, []);
  });
});
