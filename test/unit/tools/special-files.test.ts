import assert from 'node:assert/strict';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { fileTable } from '../../../src/files/file-table.ts';
import { expandBraces } from '../../../src/files/glob.ts';
import { createRipgrepSearch } from '../../../src/files/search/ripgrep-search.ts';
import type { Search } from '../../../src/files/workspace.ts';
import { anyRipgrep } from '../../support/any-ripgrep.ts';
import { times } from '../../support/effort.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { toolContext } from '../../support/tool-context.ts';
import { createReadTools } from '../../support/window-tools.ts';
import { createEditBench } from './node-edit-port.ts';
import { openFolders, writeFiles } from './workspace.ts';

/** One real file for each word of the table, each in a folder of its own, so that no two get into each other's way. */
const files = fileTable.flatMap(([because, , words], row) =>
  words
    .split(' ')
    .flatMap((word) => expandBraces(word) ?? [])
    .map((word, at) => {
      const name = word.replaceAll('*', 'x') + (word.endsWith('/') ? 'any' : '');
      return { because, path: `f${row}-${at}/${name}` };
    }),
);
const secrets = files.filter(({ because }) => because === 'secret').map((file) => file.path);

describe('files of the table, through the tools', () => {
  let temp: TempDir;
  let root: string;
  const named = (tools: readonly Tool[], name: string) => {
    const tool = tools.find((one) => one.name === name);
    assert.ok(tool);
    return tool;
  };
  before(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, Object.fromEntries([...files.map((file) => [file.path, 'canary\n']), ['a.ts', 'canary\n']]));
  });
  after(() => temp.remove());

  it('X16 X47 reading any that may hold secrets asks each time, and is never remembered', async () => {
    const read = named(createReadTools(openFolders({ ws: root })), 'read_file');
    const consent = createConsent({ autoApprove: () => ['read-ignored', 'read-outside'] });
    assert.ok(secrets.length > 250);
    for (const secret of secrets) {
      const { approval } = await read.plan({ path: secret }, toolContext());
      assert.ok(approval?.subject.kind === 'read' && approval.subject.reason === 'secret', secret);
      assert.deepEqual(approval.scopes, ['once'], secret);
      consent.keep(approval, { decision: 'allow', scope: 'conversation' });
      assert.ok(!consent.covers(approval), secret);
    }
  });

  it('X16 X47 no search shows a line of any that may hold secrets', async () => {
    const opened = openFolders({ ws: root });
    const executable = await anyRipgrep();
    const searches: Search[] = [opened.search];
    if (executable !== undefined) searches.push(createRipgrepSearch({ executable, ...opened }));
    for (const search of searches) {
      const tool = named(createReadTools({ ...opened, search }), 'search_text');
      for (const args of [{}, { context: 5 }, { path: '.' }, { glob: '**/*' }, { regex: true }]) {
        const { run, approval } = await tool.plan({ query: 'canary', ...args }, toolContext());
        assert.equal(approval, undefined);
        const { forModel } = await run();
        for (const secret of secrets) assert.ok(!forModel.split('\n').includes(secret), secret);
      }
      // The very files, asked for one by one.
      for (const secret of secrets.filter((_, at) => at % 10 === 0)) {
        await assert.rejects(tool.plan({ query: 'canary', path: secret }, toolContext()), /may hold secrets/);
        const [folder = ''] = secret.split('/');
        const { run } = await tool.plan({ query: 'canary', path: folder }, toolContext());
        assert.doesNotMatch((await run()).forModel, /: canary/, folder);
      }
    }
  });

  it('X01 X11 X12 X47 no edit, deletion or new name of any is made unasked, whatever the mode', async () => {
    const { tools } = createEditBench(root, { mode: 'apply' });
    for (const { path: typed, because } of files.filter((_, at) => at % times(4, 1) === 0)) {
      const plans = [
        named(tools, 'edit_file').plan({ path: typed, edits: [{ search: 'canary', replace: 'x' }] }, toolContext()),
        named(tools, 'create_file').plan({ path: `new/${typed}`, content: 'x' }, toolContext()),
        named(tools, 'rename_file').plan({ path: 'a.ts', newPath: `new/${typed}` }, toolContext()),
        named(tools, 'rename_file').plan({ path: typed, newPath: 'b.ts' }, toolContext()),
        named(tools, 'delete_file').plan({ path: typed }, toolContext()),
      ];
      for (const { approval } of await Promise.all(plans)) {
        assert.ok(approval && 'isProtected' in approval.subject && approval.subject.isProtected, `${because} ${typed}`);
        assert.deepEqual(approval.scopes, ['once'], typed);
      }
    }
  });
});
