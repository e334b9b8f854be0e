import assert from 'node:assert/strict';
import { rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { ToolError, type ToolPlan } from '../../../src/agent/tool.ts';
import { resolveReadPlace } from '../../../src/files/read-place.ts';
import { onlyPosix } from '../../support/posix.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';

describe('files/read-place', () => {
  let temp: TempDir;
  let root: string;
  let trusted = true;
  /** As people and models see it, on every system. */
  const shownPath = (name: string) => path.join(temp.path, name).split(path.sep).join('/');
  const open = () => openFolders({ ws: root }, { excludes: ['**/skipped'], trusted: () => trusted });
  const plan = async (name: string, args: object): Promise<ToolPlan> => {
    const tool = createReadTools(open()).find((candidate) => candidate.name === name);
    assert.ok(tool !== undefined);
    return tool.plan(args, toolContext());
  };
  const subjectOf = async (typed: string) => (await resolveReadPlace(open(), typed, 'file')).approval?.subject;

  before(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/.gitignore': 'dist\n*.log\n',
      'ws/src/a.ts': 'a needle',
      'ws/dist/out.js': 'built needle',
      'ws/src/x.log': 'log',
      'ws/skipped/a.ts': 'skipped',
      'ws/.env': 'TOKEN=1',
      'ws/.git/config': '[core]',
      'out/notes.txt': 'outer needle',
      'out/.env': 'TOKEN=needle',
      'out/.git/config': '[core]',
    });
    for (const [link, target] of [
      ['outlink', '../out'],
      ['envlink', '.env'],
      ['distlink', 'dist'],
      ['dangling', '../nowhere'],
      ['gitlink', '../out/.git'],
    ] as const) {
      await symlink(target, path.join(root, link));
    }
  });
  after(() => temp.remove());

  it('X07 reads inside the workspace never ask', async () => {
    for (const typed of ['src/a.ts', 'src', '', './src/../src/a.ts', path.join(root, 'src/a.ts'), '../ws/src/a.ts']) {
      assert.equal(await subjectOf(typed), undefined, typed);
    }
    assert.equal((await (await plan('read_file', { path: '../ws/src/a.ts' })).run()).forUser, 'src/a.ts: 1 line');
  });

  it('X07 X25 reads outside ask with the path that is really read', async () => {
    const file = shownPath('out/notes.txt');
    for (const typed of [
      '../out/notes.txt',
      '..\\out\\notes.txt',
      'outlink/notes.txt',
      file,
      'src/../../out/notes.txt',
    ]) {
      assert.deepEqual(await subjectOf(typed), { kind: 'read', path: file, reason: 'outside', scope: 'file' }, typed);
    }
    const { approval, run } = await plan('read_file', { path: 'outlink/notes.txt' });
    assert.deepEqual(approval?.scopes, ['once', 'conversation']);
    assert.equal((await run()).forModel, `${file}: 1 line\n1\touter needle`);
  });

  it('X16 files that may hold secrets ask every time, inside and outside, also behind a link', async () => {
    const outer = shownPath('out/.env');
    for (const [typed, shown] of [
      ['.env', '.env'],
      ['envlink', '.env'],
      ['../out/.env', outer],
      ['outlink/.env', outer],
    ] as const) {
      const { approval } = await resolveReadPlace(open(), typed, 'file');
      assert.deepEqual(approval?.subject, { kind: 'read', path: shown, reason: 'secret', scope: 'file' }, typed);
      assert.deepEqual(approval?.scopes, ['once']);
      assert.match(approval?.warnings[0] ?? '', /secrets/);
    }
    assert.equal((await (await plan('read_file', { path: '.env' })).run()).forModel, '.env: 1 line\n1\tTOKEN=1');
    await assert.rejects(plan('search_text', { query: 'T', path: '.env' }), /secrets.*read_file/);
  });

  it('X07 what ignore files leave out asks, named or through a link', async () => {
    for (const [typed, shown] of [
      ['dist/out.js', 'dist/out.js'],
      ['distlink/out.js', 'dist/out.js'],
      ['dist', 'dist'],
      ['src/x.log', 'src/x.log'],
      ['skipped/a.ts', 'skipped/a.ts'],
    ] as const) {
      assert.deepEqual(await subjectOf(typed), { kind: 'read', path: shown, reason: 'ignored', scope: 'file' }, typed);
    }
    assert.equal((await (await plan('list_directory', { path: 'dist' })).run()).forModel, 'dist:\nout.js');
  });

  it('X07 what is not there is not asked about', async () => {
    for (const typed of ['nope.ts', 'dist/nope.js', '.env.local'])
      assert.equal(await subjectOf(typed), undefined, typed);
  });

  for (const typed of [
    '.git/config',
    'gitlink/config',
    'outlink/.git/config',
    '../out/.git/config',
    'dangling',
    'dangling/x',
    '~/.ssh/id_rsa',
    '//server/share/x',
    '\\\\server\\share',
    '../out/CON',
    '../out/a.txt:evil',
    '../out/GIT~1/config',
    'C:\\Windows\\x',
    'a\nb',
  ]) {
    it(`X05 X08 X09 not even consent opens ${JSON.stringify(typed)}`, async function () {
      // There it is a path like any other outside.
      if (typed.startsWith('C:')) onlyPosix.call(this);
      await assert.rejects(resolveReadPlace(open(), typed, 'file'), ToolError);
    });
  }

  it('X35 nothing outside a folder that is not on this disk can be asked about', async () => {
    const { workspace, files } = open();
    const virtual = { ...workspace, roots: () => [{ name: 'v', uri: 'vscode-vfs://github/a/b' }] };
    await assert.rejects(resolveReadPlace({ workspace: virtual, files }, '../x', 'file'), /outside/);
  });

  it('X05 X06 what leads somewhere else after the consent is not read', async () => {
    const link = path.join(root, 'swapped');
    await symlink('../out/notes.txt', link);
    const { run } = await plan('read_file', { path: 'swapped' });
    await rm(link);
    await symlink('../out/.env', link);
    await assert.rejects(run(), /leads somewhere else/);
    await rm(link);
  });

  it('X34 trust that was lost while the user was asked is lost', async () => {
    const { run } = await plan('read_file', { path: '../out/notes.txt' });
    trusted = false;
    await assert.rejects(run(), /Restricted Mode/);
    trusted = true;
  });

  it('X07 lists and searches outside once allowed, shows whole paths, and still passes over secrets', async () => {
    const folder = shownPath('out');
    assert.match(
      (await (await plan('list_directory', { path: '../out' })).run()).forModel,
      new RegExp(`^${folder}.*:`),
    );
    const { approval, run } = await plan('search_text', { query: 'needle', path: '../out' });
    assert.deepEqual(approval?.subject, { kind: 'read', path: folder, reason: 'outside', scope: 'below' });
    assert.equal((await run()).forModel, `${folder}/notes.txt\n1: outer needle`);
  });

  it('X42 to list a folder is not to read in it, nor to search everything below it', async () => {
    const folder = shownPath('out');
    const needs = {
      list: (await plan('list_directory', { path: folder })).approval,
      search: (await plan('search_text', { query: 'needle', path: folder })).approval,
      read: (await plan('read_file', { path: path.join(folder, 'notes.txt') })).approval,
      searchFile: (await plan('search_text', { query: 'needle', path: path.join(folder, 'notes.txt') })).approval,
    };
    const scopes = Object.values(needs).map((need) => need?.subject.kind === 'read' && need.subject.scope);
    assert.deepEqual(scopes, ['folder', 'below', 'file', 'file']);
    for (const [name, allowed] of Object.entries(needs)) {
      const consent = createConsent();
      assert.ok(allowed);
      consent.keep(allowed, { decision: 'allow', scope: 'conversation' });
      const covered = Object.entries(needs).filter(([, need]) => need !== undefined && consent.covers(need));
      // Who may read a file may look for a line in it.
      const same = name === 'read' || name === 'searchFile' ? ['read', 'searchFile'] : [name];
      assert.deepEqual(
        covered.map(([other]) => other),
        same,
      );
    }
  });

  it('X42 X48 a file that became a folder is not searched', async () => {
    const place = path.join(temp.path, 'out/soon');
    await writeFiles(temp.path, { 'out/soon': 'a' });
    const { run } = await plan('search_text', { query: 'needle', path: place });
    await rm(place);
    await writeFiles(temp.path, { 'out/soon/a.txt': 'needle' });
    await assert.rejects(run(), /somewhere else/);
  });
});
