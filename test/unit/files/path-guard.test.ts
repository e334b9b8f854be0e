import assert from 'node:assert/strict';
import { mkdir, readFile, symlink } from 'node:fs/promises';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, it } from 'mocha';
import { ToolError } from '../../../src/agent/tool.ts';
import { isGitPath, isSecretPath } from '../../../src/files/file-class.ts';
import { resolvePlace } from '../../../src/files/path-guard.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

interface Corpus {
  allowed: { typed: string; leads: string }[];
  refused: { typed: string; why: keyof typeof reasons }[];
}

const reasons = {
  outside: /is outside the workspace/,
  unsafe: /means the same on every system|is outside the workspace/,
  control: /control characters/,
  git: /git's own data/,
  secret: /may hold secrets.*attach/,
};

const corpusFile = new URL('../../fixtures/paths/corpus.json', import.meta.url);
const corpus = JSON.parse(await readFile(corpusFile, 'utf8')) as Corpus;

describe('files/path-guard', () => {
  let temp: TempDir;
  let root: string;
  const fill = (typed: string) =>
    typed.replace('file://{root}', pathToFileURL(root).href).replace('{root}', root).replace('{name}', 'ws');
  const guard = (typed: string) => resolvePlace(openFolders({ ws: root }).workspace, fill(typed));

  before(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/src/a.ts': 'a',
      'ws/.git/config': '[core]',
      'ws/.env': 'KEY=1',
      'out/secret.txt': 'secret',
      'ws-evil/secret.txt': 'secret',
    });
    await mkdir(path.join(root, 'sub'));
    const links: readonly (readonly [link: string, target: string])[] = [
      ['outlink', '../out'],
      ['outfile', '../out/secret.txt'],
      ['dangling', '../nowhere'],
      ['danglingin', 'src/nowhere'],
      ['loop', 'loop'],
      ['updir', '..'],
      ['chain', 'outlink'],
      ['inlink', 'src'],
      ['infile', 'src/a.ts'],
      ['gitlink', '.git'],
      ['envlink', '.env'],
    ];
    for (const [link, target] of links) await symlink(target, path.join(root, link));
  });
  after(() => temp.remove());

  it('F13 X05 in a folder that was opened through a link, the real paths that compilers print are inside', async () => {
    const link = path.join(temp.path, 'opened');
    await symlink(root, link);
    const { workspace } = openFolders({ ws: link });
    for (const typed of [
      path.join(root, 'src/a.ts'),
      path.join(link, 'src/a.ts'),
      path.join(root, 'src/../src/new.ts'),
    ])
      assert.match((await resolvePlace(workspace, typed)).path, /^src\/(?:a|new)\.ts$/, typed);
    for (const typed of [
      path.join(temp.path, 'out/secret.txt'),
      path.join(root, '../out/secret.txt'),
      `${root}-evil/secret.txt`,
    ])
      await assert.rejects(resolvePlace(workspace, typed), /is outside/, typed);
    await assert.rejects(resolvePlace(workspace, path.join(root, '.env')), /may hold secrets/);
    await assert.rejects(resolvePlace(workspace, path.join(root, 'outlink/secret.txt')), /is outside/);
  });

  for (const [typed, leads] of [
    ['"src/a.ts"', 'src/a.ts'],
    ['`src/a.ts`', 'src/a.ts'],
    ['@/src/a.ts', 'src/a.ts'],
    ['file://{root}/src/a.ts', 'src/a.ts'],
    ['/workspace/src/a.ts', 'src/a.ts'],
    ['/testbed', ''],
    ['/repo/src', 'src'],
    ['/src', 'src'],
    ['/home/somebody/projects/shop/src/a.ts', 'src/a.ts'],
    ['\nsrc/a.ts\n', 'src/a.ts'],
  ] as const) {
    it(`F13 H20 takes ${typed} as other agents mean it`, async () => assert.equal((await guard(typed)).path, leads));
  }

  for (const typed of [
    '/workspace/src/new.ts',
    '/workspace/../out/secret.txt',
    '/testbed/outfile',
    '/home/somebody/shop/src/new.ts',
    '/home/somebody',
    '/home/somebody/outlink/secret.txt',
    '"{root}/../out/secret.txt"',
    'file:///etc/passwd',
    '@/../out/secret.txt',
    '/etc/passwd',
  ]) {
    it(`X07 H20 whatever other agents write, ${typed} leads nowhere outside`, () =>
      assert.rejects(guard(typed), /is outside the workspace|means the same on every system/));
  }

  it(`X05 X07 X08 a corpus of ${corpus.refused.length} paths to refuse is large enough to mean something`, () => {
    assert.ok(corpus.refused.length >= 63);
  });

  for (const { typed, leads } of corpus.allowed) {
    it(`X07 lets ${JSON.stringify(typed)} lead to ${JSON.stringify(leads)}`, async () => {
      assert.equal((await guard(typed)).path, leads);
    });
  }

  for (const { typed, why } of corpus.refused) {
    it(`X05 X07 X08 X09 X16 refuses ${JSON.stringify(typed)} (${why})`, async () => {
      await assert.rejects(guard(typed), (error) => error instanceof ToolError && reasons[why].test(error.message));
    });
  }

  it('X05 a workspace that is itself behind a link is read as usual', async () => {
    const link = path.join(temp.path, 'wslink');
    await symlink('ws', link);
    const { workspace } = openFolders({ ws: link });
    assert.equal((await resolvePlace(workspace, 'src/a.ts')).path, 'src/a.ts');
    await assert.rejects(resolvePlace(workspace, 'outlink/secret.txt'), ToolError);
  });

  it('X35 with several folders a path begins with its folder and means that one only', async () => {
    await writeFiles(temp.path, { 'two/src/a.ts': 'two' });
    const { workspace } = openFolders({ one: root, two: path.join(temp.path, 'two') });
    assert.equal((await resolvePlace(workspace, 'two/src/a.ts')).root.name, 'two');
    assert.equal((await resolvePlace(workspace, 'one/src/a.ts')).root.name, 'one');
    assert.equal((await resolvePlace(workspace, path.join(temp.path, 'two/src/a.ts'))).root.name, 'two');
    await assert.rejects(resolvePlace(workspace, 'src/a.ts'), /Begin the path with one of: one, two/);
    await assert.rejects(resolvePlace(workspace, 'one/../two/src/a.ts/../../../x'), ToolError);
    await assert.rejects(resolvePlace(workspace, 'one/../../x'), /outside/);
  });

  it('X35 a folder that is not on this disk is guarded by the text of the path alone', async () => {
    const { workspace } = openFolders({});
    const virtual = { ...workspace, roots: () => [{ name: 'v', uri: 'vscode-vfs://github/a/b' }] };
    assert.equal((await resolvePlace(virtual, 'src/a.ts')).path, 'src/a.ts');
    await assert.rejects(resolvePlace(virtual, '../x'), /outside/);
    await assert.rejects(resolvePlace(virtual, '/etc/passwd'), /outside/);
    await assert.rejects(resolvePlace(virtual, '.env'), /secrets/);
  });

  it('a path without an open folder is refused with that reason', async () => {
    await assert.rejects(resolvePlace(openFolders({}).workspace, 'a'), /No folder is open/);
  });

  it('X16 ordinary file names are let through', () => {
    for (const name of [
      'src/keyboard.ts',
      'environment.ts',
      'keys.ts',
      'monkey.js',
      'README.md',
      '.env.sample',
      'credential-store.ts',
    ]) {
      assert.equal(isSecretPath(name), false, name);
    }
    assert.equal(isGitPath('.github/a'), false);
    assert.equal(isGitPath('a.git'), false);
  });
});
