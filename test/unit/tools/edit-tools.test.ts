import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { type Tool, ToolError, type ToolPlan } from '../../../src/agent/tool.ts';
import type { Place } from '../../../src/files/workspace.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { createNodeCodec } from '../../support/node-codec.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { runTool, toolContext } from '../../support/tool-context.ts';
import { createEditBench, type EditBench } from './node-edit-port.ts';
import { writeFiles } from './workspace.ts';

type Name = 'edit_file' | 'create_file' | 'delete_file' | 'rename_file';

function tool({ tools }: EditBench, name: Name): Tool {
  const found = tools.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no ${name}`);
  return found;
}

const plan = (bench: EditBench, name: Name, args: unknown): Promise<ToolPlan> =>
  tool(bench, name).plan(args, toolContext());
const run = (bench: EditBench, name: Name, args: unknown) => runTool(tool(bench, name), args);
const refused = (pattern: RegExp) => (error: unknown) => error instanceof ToolError && pattern.test(error.message);
const replace = (path: string, search: string, replacement: string) => ({
  path,
  edits: [{ search, replace: replacement }],
});

/** Puts a link to another folder in the place of one, once. */
function replaceByLink(root: string, folder: string, target: string): () => Promise<void> {
  let done = false;
  return async () => {
    if (done) return;
    done = true;
    await rename(path.join(root, folder), path.join(root, `${folder}-old`));
    await symlink(target, path.join(root, folder));
  };
}

describe('tools/edit-tools', () => {
  let temp: TempDir;
  let root: string;
  const read = (name: string) => readFile(path.join(root, name), 'utf8');
  const bytes = (name: string) => readFile(path.join(root, name));

  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(root, { 'src/a.ts': 'one\ntwo\nthree\n', 'package.json': '{\n  "name": "x"\n}\n' });
  });
  afterEach(() => temp.remove());

  describe('edit_file', () => {
    it('P25 compares the texts once, for the question and for the answer', async () => {
      const bench = createEditBench(root);
      const { showDiff } = bench.deps.work;
      let compared = 0;
      bench.deps.work.showDiff = (...texts) => {
        compared += 1;
        return showDiff(...texts);
      };
      await run(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      assert.equal(await read('src/a.ts'), 'one\n2\nthree\n');
      assert.equal(compared, 1);
    });

    it('F14 plans without a side effect, then writes exactly what was planned', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      assert.equal(await read('src/a.ts'), 'one\ntwo\nthree\n');
      assert.deepEqual(bench.journal, []);
      assert.deepEqual(planned.approval, {
        subject: {
          kind: 'edit',
          path: 'src/a.ts',
          diff: '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three',
          added: 1,
          removed: 1,
          isNew: false,
          isProtected: false,
        },
        warnings: [],
        scopes: ['once', 'conversation', 'review'],
      });
      const output = await planned.run();
      assert.equal(await read('src/a.ts'), 'one\n2\nthree\n');
      assert.equal(output.forModel, 'Edited src/a.ts: +1 −1, line 2');
      assert.deepEqual(
        bench.journal.map(({ when, path: file }) => `${when} ${file}`),
        ['will src/a.ts', 'did src/a.ts'],
      );
    });

    it('F14 edit_file asks nothing in apply mode', async () => {
      const bench = createEditBench(root, { mode: 'apply' });
      assert.equal((await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'))).approval, undefined);
    });

    it('X03 H18 answers "read it again" when the file changed between consent and write', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      await writeFile(path.join(root, 'src/a.ts'), 'one\ntwo\nthree\nfour\n');
      await assert.rejects(planned.run(), refused(/changed since.*Read it again/));
      assert.equal(await read('src/a.ts'), 'one\ntwo\nthree\nfour\n');
      assert.deepEqual(bench.port.applied, []);
    });

    it('X03 H18 says so when the file is gone between consent and write, and does not bring it back', async () => {
      const planned = await plan(createEditBench(root), 'edit_file', replace('src/a.ts', 'two', '2'));
      await rm(path.join(root, 'src/a.ts'));
      await assert.rejects(planned.run(), refused(/src\/a\.ts is gone/));
      await assert.rejects(read('src/a.ts'), /ENOENT/);
    });

    it('X06 refuses when a folder became a link between consent and write', async () => {
      await writeFiles(temp.path, { 'out/a.ts': 'one\ntwo\nthree\n' });
      const bench = createEditBench(root);
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      await rename(path.join(root, 'src'), path.join(root, 'old'));
      await symlink('../out', path.join(root, 'src'));
      await assert.rejects(planned.run(), refused(/outside the workspace/));
      assert.equal(await readFile(path.join(temp.path, 'out/a.ts'), 'utf8'), 'one\ntwo\nthree\n');
    });

    it('X06 refuses when the folder becomes a link to another folder inside while the old bytes are kept', async () => {
      await writeFiles(root, { 'other/a.ts': 'one\ntwo\nthree\n' });
      const bench = createEditBench(root, {
        onWillChange: async () => {
          await rename(path.join(root, 'src'), path.join(root, 'old'));
          await symlink('other', path.join(root, 'src'));
        },
      });
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      await assert.rejects(planned.run(), refused(/leads somewhere else/));
      assert.equal(await read('other/a.ts'), 'one\ntwo\nthree\n');
      assert.deepEqual(bench.port.applied, []);
    });

    it('H18 E11 takes only letter-for-letter blocks in a file that was not read', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'b.ts': 'if (x) {\n    go();\n}\n' });
      const sloppy = replace('b.ts', 'if (x) {\n\tgo();\n}', 'if (y) {\n\tgo();\n}');
      await assert.rejects(plan(bench, 'edit_file', sloppy), refused(/was not read yet.*Read it/));
      await bench.noteRead('b.ts');
      await run(bench, 'edit_file', sloppy);
      assert.equal(await read('b.ts'), 'if (y) {\n    go();\n}\n');
    });

    it('H18 E11 takes only letter-for-letter blocks in a file that changed since it was read', async () => {
      const bench = createEditBench(root);
      await bench.noteRead('src/a.ts');
      await writeFile(path.join(root, 'src/a.ts'), 'zero\n  two  \nthree\n');
      await assert.rejects(
        plan(bench, 'edit_file', replace('src/a.ts', 'two\nthree', 'x')),
        refused(/changed since you read it/),
      );
      await run(bench, 'edit_file', replace('src/a.ts', 'three', '3'));
      assert.equal(await read('src/a.ts'), 'zero\n  two  \n3\n');
    });

    it('H18 knows its own edits: the next one may be sloppy again', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'b.ts': 'a {\n    go();\n}\nend\n' });
      await run(bench, 'edit_file', replace('b.ts', 'end', 'END'));
      await run(bench, 'edit_file', replace('b.ts', 'a {\n\tgo();\n}', 'b {\n\tgo();\n}'));
      assert.equal(await read('b.ts'), 'b {\n    go();\n}\nEND\n');
    });

    it('H18 takes a line with a letter wrong in a file that it knows, and says so, but not in one that changed', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'b.ts': 'export function handle() {\n  expected(value);\n}\n' });
      const slip = replace('b.ts', '  expceted(value);', '  expected(other);');
      await assert.rejects(plan(bench, 'edit_file', slip), refused(/was not read yet/));
      await bench.noteRead('b.ts');
      await writeFile(path.join(root, 'b.ts'), 'export function handle() {\n  excepted(value);\n}\n');
      await assert.rejects(plan(bench, 'edit_file', slip), refused(/changed since you read it/));
      await bench.noteRead('b.ts');
      const { forModel } = await run(bench, 'edit_file', slip);
      assert.match(forModel, /line 2 reads `excepted\(value\);`, search had `expceted\(value\);`/);
      assert.equal(await read('b.ts'), 'export function handle() {\n  expected(other);\n}\n');
    });

    it('replaces all equal places on request, also in a file that was not read when they stand there letter for letter', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'b.ts': 'log(1);\nlog(2);\n' });
      await assert.rejects(plan(bench, 'edit_file', replace('b.ts', 'log(', 'warn(')), refused(/replaceAll/));
      await run(bench, 'edit_file', { path: 'b.ts', edits: [{ search: 'log(', replace: 'warn(', replaceAll: true }] });
      assert.equal(await read('b.ts'), 'warn(1);\nwarn(2);\n');
    });

    it('says that a block is not there and that the file changed', async () => {
      const bench = createEditBench(root);
      await bench.noteRead('src/a.ts');
      await writeFile(path.join(root, 'src/a.ts'), 'other\n');
      await assert.rejects(
        plan(bench, 'edit_file', replace('src/a.ts', 'two', '2')),
        refused(/changed since you read/),
      );
    });

    it('F14 takes a text without a search for a new file, and for no other', async () => {
      const bench = createEditBench(root);
      await bench.noteRead('src/a.ts');
      await run(bench, 'edit_file', replace('new.ts', '', 'hello\n'));
      assert.equal(await read('new.ts'), 'hello\n');
      await writeFile(path.join(root, 'src/empty.ts'), '');
      await run(bench, 'edit_file', replace('src/empty.ts', '', 'hello\n'));
      assert.equal(await read('src/empty.ts'), 'hello\n');
      await assert.rejects(plan(bench, 'edit_file', replace('src/a.ts', '', 'hello\n')), refused(/search is empty/));
    });

    it('E10 finds a name as the eye sees it and makes no twin of it (earendil-works/pi#1078)', async () => {
      const names: [onDisk: string, typed: string][] = [
        ['docs/re\u0301sume\u0301.md', 'docs/résumé.md'],
        ['docs/Shot 1\u202fAM.md', 'docs/Shot 1 AM.md'],
        ['docs/it\u2019s.md', "docs/it's.md"],
        ['cafe\u0301/menu.md', 'café/menu.md'],
      ];
      for (const [onDisk, typed] of names) {
        const bench = createEditBench(root);
        await writeFiles(root, { [onDisk]: 'one\n' });
        await run(bench, 'edit_file', replace(typed, 'one', 'two'));
        assert.equal(await read(onDisk), 'two\n', typed);
        await writeFile(path.join(root, onDisk), 'theirs\n');
        await assert.rejects(
          plan(bench, 'create_file', { path: typed, content: 'x\n' }),
          refused(/exists and changed/),
        );
        const folder = path.dirname(path.join(root, onDisk));
        assert.equal(
          (await readdir(folder)).filter((name) => name.normalize() === path.basename(onDisk).normalize()).length,
          1,
        );
      }
      await writeFiles(root, { 'a b.md': '1\n', 'a\u00a0b.md': '2\n' });
      await assert.rejects(
        plan(createEditBench(root), 'edit_file', replace('a\u2003b.md', '1', '3')),
        refused(/no file/),
      );
    });

    it('E10 keeps a line that a command changed from a whole text that does not know it (openclaw/openclaw#146096)', async () => {
      const bench = createEditBench(root);
      const lines = Array.from({ length: 20 }, (_, at) => `line ${at + 1};`);
      const changed = lines.with(14, 'theirs;');
      await writeFile(path.join(root, 'long.ts'), lines.join('\n'));
      await bench.noteRead('long.ts');
      await writeFile(path.join(root, 'long.ts'), changed.join('\n'));
      await run(bench, 'edit_file', replace('long.ts', 'line 7;', 'mine;'));
      const whole = { path: 'long.ts', content: lines.with(6, 'mine;').join('\n') };
      await assert.rejects(plan(bench, 'create_file', whole), refused(/not seen line 15 as it is now/));
      assert.equal(await read('long.ts'), changed.with(6, 'mine;').join('\n'));
      await bench.noteRead('long.ts');
      await run(bench, 'create_file', { ...whole, content: changed.with(6, 'ours;').join('\n') });
      assert.equal(await read('long.ts'), changed.with(6, 'ours;').join('\n'));
    });

    it('E11 edits the unsaved text and always asks before saving it', async () => {
      const bench = createEditBench(root, { unsaved: { 'src/a.ts': 'one\ntwo\nthree\nmine\n' } });
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'mine', 'yours'));
      assert.match(planned.approval?.warnings.join(' ') ?? '', /unsaved changes/);
      assert.deepEqual(planned.approval?.scopes, ['once']);
      assert.deepEqual(planned.approval?.scopes, ['once']);
    });

    it('refuses folders, binary, large and read-only files with the reason', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, {
        'x.png': Buffer.from([0x89, 0x50, 0x4e, 0x47, 1]),
        'big.txt': 'a'.repeat(5 * 1024 * 1024 + 1),
      });
      await writeFiles(root, { 'ro.txt': 'a\n' });
      await chmod(path.join(root, 'ro.txt'), 0o444);
      await assert.rejects(plan(bench, 'edit_file', replace('src', 'a', 'b')), refused(/is a folder/));
      await assert.rejects(plan(bench, 'edit_file', replace('x.png', 'a', 'b')), refused(/not text \(PNG image\)/));
      await assert.rejects(plan(bench, 'edit_file', replace('big.txt', 'a', 'b')), refused(/larger than 5 MB/));
      await assert.rejects(plan(bench, 'edit_file', replace('ro.txt', 'a', 'b')), refused(/read-only/));
    });

    it('E10 says that it wrote, also when what was written can no longer be looked at', async () => {
      await writeFiles(root, { 'long.txt': `start\n${'x\n'.repeat(2_600_000)}` });
      const bench = createEditBench(root);
      const output = await run(bench, 'edit_file', replace('long.txt', 'start', 'y'.repeat(100_000)));
      assert.match(output.forModel, /^Edited long\.txt: \+1 −1/);
      const written = createHash('sha256')
        .update(await bytes('long.txt'))
        .digest('hex');
      assert.deepEqual(bench.journal.at(-1), { when: 'did', turnId: 'turn', path: 'long.txt', hash: written });
    });

    it('X34 edit_file writes nothing in Restricted Mode', async () => {
      const bench = createEditBench(root, { trusted: () => false });
      await assert.rejects(plan(bench, 'edit_file', replace('src/a.ts', 'two', '2')), refused(/Restricted Mode/));
    });

    it('X34 writes nothing when trust went away after the plan', async () => {
      let trusted = true;
      const bench = createEditBench(root, { trusted: () => trusted });
      const planned = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      trusted = false;
      await assert.rejects(planned.run(), refused(/Restricted Mode/));
    });
  });

  describe('bytes outside the edit', () => {
    const cases: [name: string, before: Buffer, after: Buffer][] = [
      ['CRLF', Buffer.from('one\r\ntwo\r\nthree\r\n'), Buffer.from('one\r\n2\r\nthree\r\n')],
      ['mixed line ends', Buffer.from('one\r\ntwo\nthree\r\n\n'), Buffer.from('one\r\n2\nthree\r\n\n')],
      ['no final newline', Buffer.from('one\ntwo\nthree'), Buffer.from('one\n2\nthree')],
      ['UTF-8 with mark', Buffer.from('\ufeffone\ntwo\n'), Buffer.from('\ufeffone\n2\n')],
      ['UTF-16 LE', Buffer.from('\ufeffone\ntwo é\n', 'utf16le'), Buffer.from('\ufeffone\n2 é\n', 'utf16le')],
      [
        'UTF-16 BE',
        Buffer.from('\ufeffone\ntwo é\n', 'utf16le').swap16(),
        Buffer.from('\ufeffone\n2 é\n', 'utf16le').swap16(),
      ],
    ];
    for (const [name, before, after] of cases) {
      it(`E12 bytes outside the edit stay as they are: ${name}`, async () => {
        const bench = createEditBench(root);
        await writeFiles(root, { 'f.txt': before });
        const search = name.startsWith('UTF-16') ? 'two é' : 'two';
        const replacement = name.startsWith('UTF-16') ? '2 é' : '2';
        await run(bench, 'edit_file', replace('f.txt', search, replacement));
        assert.deepEqual(await bytes('f.txt'), after);
      });
    }

    it('E12 H09 writes no half of a character, and nothing that would make a text file a binary one', async () => {
      const bench = createEditBench(root);
      await run(bench, 'edit_file', replace('src/a.ts', 'two', '2\ud83d'));
      assert.equal(await read('src/a.ts'), 'one\n2\ufffd\nthree\n');
      await assert.rejects(plan(bench, 'edit_file', replace('src/a.ts', 'one', '\0')), refused(/not text/));
    });

    it('F37 stay as they are in an encoding that only the editor knows, and what does not fit it is refused', async () => {
      const bench = createEditBench(root, { codec: createNodeCodec(() => 'windows1251') });
      const before = Buffer.from([0xcf, 0xf0, 0xe8, 0x0d, 0x0a, 0x61, 0x0d, 0x0a, 0xe2, 0x0a]);
      await writeFiles(root, { 'f.txt': before });
      const refusal = refused(
        /^f\.txt is kept in windows1251: line 2: '→' does not fit windows1251\. Nothing was changed\./,
      );
      await assert.rejects(plan(bench, 'edit_file', replace('f.txt', 'a', '→')), refusal);
      await assert.rejects(plan(bench, 'create_file', { path: 'new.txt', content: 'a\n→' }), /line 2: '→'/);
      await run(bench, 'edit_file', replace('f.txt', 'a', 'ж'));
      assert.deepEqual(await bytes('f.txt'), Buffer.from([...before.subarray(0, 5), 0xe6, ...before.subarray(6)]));
      await run(bench, 'create_file', { path: 'new.txt', content: 'ж' });
      assert.deepEqual(await bytes('new.txt'), Buffer.from([0xe6]));
    });

    it('F37 refuses what the user put into a proposal and the encoding cannot hold', async () => {
      const review = async () => ({ decision: 'keep' as const, text: 'ж→\n' });
      const bench = createEditBench(root, {
        codec: createNodeCodec(() => 'windows1251'),
        mode: 'review',
        reviewer: { review },
      });
      await writeFiles(root, { 'f.txt': 'a\n' });
      const planned = await plan(bench, 'edit_file', replace('f.txt', 'a', 'ж'));
      await assert.rejects(planned.run(), refused(/line 1: '→' does not fit windows1251/));
      assert.equal(await read('f.txt'), 'a\n');
    });

    it('F37 writes nothing when the encoding became another one since the plan', async () => {
      let encoding = 'windows1251';
      const bench = createEditBench(root, { codec: createNodeCodec(() => encoding) });
      await writeFiles(root, { 'f.txt': 'a\n' });
      const planned = await plan(bench, 'edit_file', replace('f.txt', 'a', 'ж'));
      encoding = 'koi8r';
      await assert.rejects(planned.run(), refused(/changed since you last saw it/));
      assert.equal(await read('f.txt'), 'a\n');
    });

    it('E12 refuses a file that does not round-trip, such as latin-1', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'f.txt': Buffer.from([0x61, 0xe9, 0x0a, 0x62, 0x0a]) });
      await assert.rejects(plan(bench, 'edit_file', replace('f.txt', 'b', 'c')), refused(/not valid UTF-8/));
    });
  });

  describe('what always asks', () => {
    const args: [path: string, warning: RegExp][] = [
      ['.vscode/settings.json', /configures the editor/],
      ['.VSCODE/tasks.json', /configures the editor/],
      ['my.code-workspace', /configures the editor/],
      ['.cursor/mcp.json', /configures the editor/],
      ['.env.local', /might contain secrets/],
      ['package.json', /what runs/],
      ['AGENTS.md', /instructions that AI/],
      ['.husky/pre-commit', /what Git runs/],
    ];
    for (const mode of ['ask', 'apply', 'review'] as const) {
      for (const [file, warning] of args) {
        it(`X01–X12 ${file} in ${mode} mode, and never for longer than once`, async () => {
          const bench = createEditBench(root, { mode });
          if (file === 'package.json') await rm(path.join(root, file));
          const { approval } = await plan(bench, 'create_file', { path: file, content: 'x\n' });
          assert.match(approval?.warnings.join(' ') ?? '', warning);
          assert.deepEqual(approval?.scopes, ['once']);
          assert.deepEqual(approval?.scopes, ['once']);
          assert.equal(approval?.subject.kind === 'edit' && approval.subject.isProtected, true);
          await assert.rejects(lstat(path.join(root, '.vscode')));
        });
      }
    }

    it('X26 consent for a conversation covers ordinary edits only', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      await writeFiles(root, { 'data.json': '{}\n', 'b.ts': 'x\n' });
      const needOf = async (name: Name, args: unknown) => {
        const { approval } = await plan(bench, name, args);
        assert.ok(approval);
        return approval;
      };
      const consent = createConsent();
      consent.keep(await needOf('edit_file', replace('src/a.ts', 'two', '2')), {
        decision: 'allow',
        scope: 'conversation',
      });
      assert.equal(consent.covers(await needOf('edit_file', replace('b.ts', 'x', 'y'))), true);
      assert.equal(consent.covers(await needOf('create_file', { path: 'c.ts', content: 'x' })), true);
      const asked: [Name, unknown][] = [
        ['create_file', { path: '.vscode/settings.json', content: '{}' }],
        ['edit_file', replace('package.json', '"x"', '"y"')],
        ['edit_file', replace('data.json', '{}', '{"$schema": "https://evil.example"}')],
        ['edit_file', replace('b.ts', 'x', 'x\u202e')],
        ['delete_file', { path: 'b.ts' }],
        ['rename_file', { path: 'b.ts', newPath: 'AGENTS.md' }],
      ];
      for (const [name, args] of asked) {
        assert.equal(consent.covers(await needOf(name, args)), false, JSON.stringify(args));
      }
    });

    it('ux 2.10 "Review Each" asks no more cards for ordinary edits, and nothing is written before the diff', async () => {
      const reviewed: string[] = [];
      const bench = createEditBench(root, {
        mode: 'ask',
        reviewer: {
          async review({ path: shown, after }) {
            reviewed.push(shown);
            assert.equal(await read('src/a.ts'), 'one\ntwo\nthree\n');
            return { decision: 'keep', text: after };
          },
        },
      });
      const consent = createConsent();
      const first = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      assert.ok(first.approval);
      assert.equal(consent.reviews(first.approval), false);
      consent.keep(first.approval, { decision: 'allow', scope: 'review' });
      assert.equal(consent.covers(first.approval), true);
      assert.equal(consent.reviews(first.approval), true);
      await first.run({ review: true });
      assert.deepEqual(reviewed, ['src/a.ts']);
      assert.equal(await read('src/a.ts'), 'one\n2\nthree\n');
      const guarded = await plan(bench, 'edit_file', replace('package.json', '"x"', '"y"'));
      assert.ok(guarded.approval);
      assert.equal(consent.covers(guarded.approval), false, 'a protected file has its card as well');
      assert.equal(consent.reviews(guarded.approval), true);
    });

    it('F14 an edit that was allowed on its card is decided on, and any other is pending', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const decided: unknown[] = [];
      const { apply } = bench.port;
      bench.port.apply = (change, call) => {
        decided.push(change.kind === 'write' && change.decided);
        return apply(change, call);
      };
      await (await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'))).run({ review: false, seen: true });
      await (await plan(bench, 'edit_file', replace('src/a.ts', 'three', '3'))).run({ review: false, seen: false });
      assert.deepEqual(decided, [true, false]);
    });

    it('X05 a link to a protected file is that file', async () => {
      await writeFiles(root, { '.vscode/settings.json': '{}\n' });
      await symlink('.vscode/settings.json', path.join(root, 'harmless.txt'));
      const bench = createEditBench(root);
      const { approval } = await plan(bench, 'edit_file', replace('harmless.txt', '{}', '{ }'));
      assert.equal(approval?.subject.kind === 'edit' && approval.subject.path, '.vscode/settings.json');
      assert.deepEqual(approval?.scopes, ['once']);
    });

    it('X05 asamassekou10/ship-safe#44 a setting that is a link to keys of the home folder is not written', async () => {
      const keys = path.join(path.dirname(root), 'home/.ssh/authorized_keys');
      await writeFiles(path.dirname(root), { 'home/.ssh/authorized_keys': 'mine\n' });
      await symlink(keys, path.join(root, 'project_settings.json'));
      const bench = createEditBench(root);
      for (const [name, args] of [
        ['edit_file', replace('project_settings.json', 'mine', 'theirs')],
        ['create_file', { path: 'project_settings.json', content: 'theirs\n' }],
        ['delete_file', { path: 'project_settings.json' }],
      ] as const)
        await assert.rejects(run(bench, name, args), ToolError, name);
      assert.equal(await readFile(keys, 'utf8'), 'mine\n');
    });

    it('X05 a protected name is protected wherever it leads', async () => {
      await mkdir(path.join(root, 'shared'));
      await symlink('shared', path.join(root, '.vscode'));
      const { approval } = await plan(createEditBench(root), 'create_file', { path: '.vscode/x.json', content: '{}' });
      assert.equal(approval?.subject.kind === 'edit' && approval.subject.path, 'shared/x.json');
      assert.deepEqual(approval?.scopes, ['once']);
    });

    it('X09 git data is never written, whatever the path looks like', async () => {
      const bench = createEditBench(root);
      await mkdir(path.join(root, '.git/hooks'), { recursive: true });
      await symlink('.git', path.join(root, 'g'));
      for (const file of ['.git/config', '.GIT/hooks/pre-commit', 'g/hooks/pre-commit', 'sub/.git/config', '.git']) {
        await assert.rejects(
          plan(bench, 'create_file', { path: file, content: 'x' }),
          refused(/git's own data|folder/),
          file,
        );
      }
    });

    it('X13 a new address in $schema is asked about in an ordinary JSON file', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'data.json': '{\n  "a": 1\n}\n' });
      const change = replace('data.json', '"a": 1', '"$schema": "https://evil.example/?q=secret",\n  "a": 1');
      const { approval } = await plan(bench, 'edit_file', change);
      assert.match(approval?.warnings.join(' ') ?? '', /https:\/\/evil\.example\/\?q=secret/);
      assert.deepEqual(approval?.scopes, ['once']);
    });

    it('X13 an address is seen however it is written, and a long line of keys takes no time', async () => {
      await writeFiles(root, { 'data.json': '{}\n', 'data.yaml': 'a: 1\n' });
      const bench = createEditBench(root);
      for (const written of [
        '"$schema": "https:\\/\\/evil.test\\/?q"',
        '"\\u0024schema": "\\u0068ttps://evil.test/?q"',
        '"$schema" /* : */ : "https://evil.test/?q"',
        '"$schema": /* "\n */ "https://evil.test/?q"',
        '"$schema" // :\n: // "\n"https://evil.test/?q"',
        '"a": "\\u0022/*", "$schema"/**/: "https://evil.test/?q"',
        '"a": "/*", "$schema": "https://evil.test/?q", "b": "*/"',
      ]) {
        const { approval } = await plan(bench, 'edit_file', replace('data.json', '{}', `{ ${written} }`));
        assert.match(approval?.warnings.join() ?? '', /https:\/\/evil\.test\/\?q/);
      }
      for (const key of ['schema:', 'schema:"', "schema:'\n", 'schema:/*', 'schema/*:', 'schema://', '"\\"']) {
        const spent = await cpuMs(() => plan(bench, 'edit_file', replace('data.yaml', 'a: 1', key.repeat(30_000))));
        assert.ok(spent < 10_000, `${key}: ${spent} ms`);
      }
    });

    it('X13 $schema is seen in a file of any name: it can be renamed, and an editor takes many names for JSON', async () => {
      const bench = createEditBench(root);
      for (const file of ['linked.jsonld', '.eslintrc', 'notes.txt']) {
        const content = '{ "$schema": "https://evil.test/?q" }\n';
        const { approval } = await plan(bench, 'create_file', { path: file, content });
        assert.match(approval?.warnings.join() ?? '', /https:\/\/evil\.test\/\?q/, file);
      }
      const plain = { path: 'schema.ts', content: "const schema = 'https://json.example/s';\n" };
      assert.equal((await plan(bench, 'create_file', plain)).approval, undefined);
    });

    it('X25 shows a change of more lines than a call takes arguments', async () => {
      await writeFiles(root, { 'many.txt': `first\n${'x\n'.repeat(200_000)}last\n` });
      const bench = createEditBench(root, { mode: 'ask' });
      await bench.noteRead('many.txt');
      const { approval } = await plan(bench, 'edit_file', replace('many.txt', 'first\n...\nlast', 'none'));
      assert.match(approval?.warnings.join() ?? '', /long change: 200003 lines/);
    });

    it('X13 an address that was there before is not', async () => {
      const bench = createEditBench(root);
      await writeFiles(root, { 'data.json': '{\n  "$schema": "https://json.example/s",\n  "a": 1\n}\n' });
      assert.equal((await plan(bench, 'edit_file', replace('data.json', '"a": 1', '"a": 2'))).approval, undefined);
    });

    it('X2Adds 2 invisible characters are asked about and written out', async () => {
      const bench = createEditBench(root);
      const hidden = `x${String.fromCodePoint(0xe0041)}\u202ey`;
      const { approval } = await plan(bench, 'edit_file', replace('src/a.ts', 'two', hidden));
      assert.match(approval?.warnings.join(' ') ?? '', /Adds 2 invisible characters/);
      assert.match(approval?.subject.kind === 'edit' ? approval.subject.diff : '', /\+x⟦U\+E0041⟧⟦U\+202E⟧y/);
      assert.deepEqual(approval?.scopes, ['once']);
    });

    it('X25 a long change says so, with its size', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const content = Array.from({ length: 501 }, (_, at) => `line ${at}\n`).join('');
      const { approval } = await plan(bench, 'create_file', { path: 'long.txt', content });
      assert.deepEqual(approval?.warnings, ['This is a long change: 501 lines.']);
      assert.equal(approval?.subject.kind === 'edit' && approval.subject.added, 501);
    });

    it('X25 a path that deceives the eye is shown as what it is', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const { approval } = await plan(bench, 'create_file', { path: 'invoice\u202efdp.sh', content: 'x\n' });
      assert.equal(approval?.subject.kind === 'edit' && approval.subject.path, 'invoice⟦U+202E⟧fdp.sh');
    });

    it("a file on the user's own list is asked about", async () => {
      const bench = createEditBench(root, { isProtected: (file) => file === 'src/a.ts' });
      const { approval } = await plan(bench, 'edit_file', replace('src/a.ts', 'two', '2'));
      assert.match(approval?.warnings.join(' ') ?? '', /your list/);
    });
  });

  describe('review mode', () => {
    const bench = (
      answer: { decision: 'keep'; text: string } | { decision: 'undo'; reason: string },
      seen: unknown[] = [],
    ) =>
      createEditBench(root, {
        mode: 'review',
        reviewer: {
          review: async (proposal) => {
            seen.push(proposal.before, proposal.after);
            return answer;
          },
        },
      });

    it('F14 writes what the user left of the proposal and tells the model', async () => {
      const seen: unknown[] = [];
      const output = await run(
        bench({ decision: 'keep', text: 'one\nII\nthree\n' }, seen),
        'edit_file',
        replace('src/a.ts', 'two', '2'),
      );
      assert.deepEqual(seen, ['one\ntwo\nthree\n', 'one\n2\nthree\n']);
      assert.equal(await read('src/a.ts'), 'one\nII\nthree\n');
      assert.match(output.forModel, /The user changed the proposal[\s\S]*-2\n\+II/);
    });

    it('F14 writes nothing when it is not kept, and the reason reaches the model', async () => {
      const rejecting = bench({ decision: 'undo', reason: 'use a constant' });
      await assert.rejects(
        run(rejecting, 'edit_file', replace('src/a.ts', 'two', '2')),
        refused(/did not keep it; nothing was changed\. Reason: use a constant/),
      );
      assert.equal(await read('src/a.ts'), 'one\ntwo\nthree\n');
      assert.deepEqual(rejecting.journal, []);
    });

    it('H18 refuses when the file changed during the review', async () => {
      const changing = createEditBench(root, {
        mode: 'review',
        reviewer: {
          review: async ({ after }) => {
            await writeFile(path.join(root, 'src/a.ts'), 'mine\n');
            return { decision: 'keep', text: after };
          },
        },
      });
      await assert.rejects(run(changing, 'edit_file', replace('src/a.ts', 'two', '2')), refused(/changed since/));
      assert.equal(await read('src/a.ts'), 'mine\n');
    });
  });

  it('F30 tells the user of each change in their language, and the model in English', async () => {
    l10n.config({
      contents: {
        'Edited {0}: +{1} −{2}, line {3}': 'Geändert: {0}, +{1} −{2}, Zeile {3}',
        'Edited {0}: +{1} −{2}, lines {3}': 'Geändert: {0}, +{1} −{2}, Zeilen {3}',
        'Edited {0}: +{1} −{2}': 'Geändert: {0}, +{1} −{2}',
        'Created {0}: {1} lines': 'Angelegt: {0}, {1} Zeilen',
        'Renamed {0} to {1}': '{0} heißt jetzt {1}',
        'Deleted {0}': 'Gelöscht: {0}',
        "There's no trash here, so only the checkpoint can restore it.": 'Hier gibt es keinen Papierkorb.',
      },
    });
    try {
      const bench = createEditBench(root);
      const told = async (...call: [name: Name, args: object]) => {
        const { forModel, forUser = '' } = await run(bench, ...call);
        return [forModel.split('\n')[0], forUser.split('\n@@')[0]];
      };
      assert.deepEqual(await told('edit_file', replace('src/a.ts', 'two', '2')), [
        'Edited src/a.ts: +1 −1, line 2',
        'Geändert: src/a.ts, +1 −1, Zeile 2',
      ]);
      assert.deepEqual(await told('edit_file', replace('src/a.ts', '2', '2\nand more')), [
        'Edited src/a.ts: +1 −0, line 3',
        'Geändert: src/a.ts, +1 −0, Zeile 3',
      ]);
      assert.deepEqual(await told('edit_file', replace('src/a.ts', 'and more\n', '')), [
        'Edited src/a.ts: +0 −1',
        'Geändert: src/a.ts, +0 −1',
      ]);
      assert.deepEqual(await told('create_file', { path: 'new.ts', content: 'a\nb\n' }), [
        'Created new.ts: 2 lines',
        'Angelegt: new.ts, 2 Zeilen',
      ]);
      assert.deepEqual(await told('rename_file', { path: 'new.ts', newPath: 'old.ts' }), [
        'Renamed new.ts to old.ts.',
        'new.ts heißt jetzt old.ts',
      ]);
      const { apply } = bench.deps.port;
      bench.deps.port.apply = async (change, call) => ({ ...(await apply(change, call)), note: 'no-trash' });
      const { forModel, forUser } = await (await plan(bench, 'delete_file', { path: 'old.ts' })).run();
      assert.equal(forModel, "Deleted old.ts. There's no trash here, so only the checkpoint can restore it.");
      assert.equal(forUser, 'Gelöscht: old.ts\nHier gibt es keinen Papierkorb.');
    } finally {
      l10n.config({ contents: {} });
    }
  });

  describe('create_file', () => {
    it('F14 create_file creates the folders that its file needs', async () => {
      const output = await run(createEditBench(root), 'create_file', { path: 'new/deep/b.ts', content: 'a\nb\n' });
      assert.equal(await read('new/deep/b.ts'), 'a\nb\n');
      assert.equal(output.forModel, 'Created new/deep/b.ts: 2 lines');
    });

    it('F14 never writes over a file that the model does not know, also not one that appeared after the consent', async () => {
      const bench = createEditBench(root);
      await assert.rejects(
        plan(bench, 'create_file', { path: 'src/a.ts', content: 'x' }),
        refused(/exists and was not read/),
      );
      const planned = await plan(bench, 'create_file', { path: 'b.ts', content: 'x' });
      await writeFiles(root, { 'b.ts': 'mine' });
      await assert.rejects(planned.run(), refused(/changed since/));
      assert.equal(await read('b.ts'), 'mine');
    });

    it('F14 replaces a file that was read as an edit, with its line ends and its own form of letters', async () => {
      await writeFiles(root, { 'b.ts': '\uFEFFone\r\ncafe\u0301\r\ntwo' });
      const bench = createEditBench(root, { mode: 'ask' });
      await bench.noteRead('b.ts');
      const planned = await plan(bench, 'create_file', { path: 'b.ts', content: 'one\ncaf\u00e9\n2\n3\n' });
      assert.ok(planned.approval?.subject.kind === 'edit');
      assert.equal(planned.approval.subject.isNew, false);
      const output = await planned.run();
      assert.equal(await read('b.ts'), '\uFEFFone\r\ncafe\u0301\r\n2\r\n3');
      assert.equal(output.forModel, 'Replaced b.ts (+2 −1). edit_file is cheaper.');
      await (await plan(bench, 'create_file', { path: 'b.ts', content: 'one' })).run();
      assert.equal(await read('b.ts'), '\uFEFFone');
      await writeFile(path.join(root, 'b.ts'), 'other');
      const again = plan(bench, 'create_file', { path: 'b.ts', content: 'one' });
      await assert.rejects(again, refused(/exists and changed since you read it/));
    });

    it('F14 refuses a whole text over a file that was read in part, and says which line was not', async () => {
      const lines = Array.from({ length: 50 }, (_, at) => `line${at};\n`);
      await writeFiles(root, { 'long.ts': lines.join('') });
      const bench = createEditBench(root, { mode: 'apply' });
      await bench.noteRead('long.ts', { first: 1, last: 20 });
      const write = () => plan(bench, 'create_file', { path: 'long.ts', content: lines.slice(0, 40).join('') });
      await assert.rejects(write(), refused(/not seen line 21 as it is now\. Nothing was changed\. Read it whole/));
      await (await plan(bench, 'edit_file', replace('long.ts', 'line3;', 'three;'))).run();
      await assert.rejects(write(), refused(/not seen line 21 as/));
      await bench.noteRead('long.ts');
      await (await write()).run();
      assert.equal(await read('long.ts'), lines.slice(0, 40).join(''));
    });

    it('F14 asks in every mode before most of a long file goes, and refuses a part in place of the whole', async () => {
      const lines = Array.from({ length: 50 }, (_, at) => `line${at};\n`);
      await writeFiles(root, { 'long.ts': lines.join('') });
      const bench = createEditBench(root, { mode: 'apply' });
      await bench.noteRead('long.ts');
      const write = (content: string) => plan(bench, 'create_file', { path: 'long.ts', content });
      assert.equal((await write(lines.slice(0, 30).join(''))).approval, undefined);
      const { approval } = await write(lines.slice(0, 20).join(''));
      assert.deepEqual(approval?.warnings, ['Removes 30 of 50 lines.']);
      assert.deepEqual(approval?.scopes, ['once']);
      await assert.rejects(write(lines.slice(0, 4).join('')), refused(/has 4 lines and the file 50/));
    });

    it('X05 refuses a new file behind a link that leads out, or nowhere', async () => {
      await mkdir(path.join(temp.path, 'out'));
      await symlink('../out', path.join(root, 'link'));
      await symlink('../nowhere', path.join(root, 'dangling'));
      const bench = createEditBench(root);
      for (const file of ['link/new.txt', 'dangling', 'dangling/x', '../x', '/etc/x', '~/x']) {
        const refusal = refused(/is outside the workspace\. Only files inside it can be changed\.$/);
        await assert.rejects(plan(bench, 'create_file', { path: file, content: 'x' }), refusal, file);
      }
    });
  });

  describe('delete_file', () => {
    it('F14 asks in every mode, keeps the bytes first, then deletes', async () => {
      const bench = createEditBench(root, { mode: 'apply' });
      const planned = await plan(bench, 'delete_file', { path: 'src/a.ts' });
      assert.deepEqual(planned.approval, {
        subject: { kind: 'delete', path: 'src/a.ts', isProtected: false },
        warnings: [],
        scopes: ['once', 'conversation'],
      });
      await planned.run();
      await assert.rejects(lstat(path.join(root, 'src/a.ts')));
      assert.deepEqual(
        bench.journal.map(({ when, hash }) => [when, hash === undefined]),
        [
          ['will', false],
          ['did', true],
        ],
      );
    });

    it('X03 does not delete a file that changed after the consent', async () => {
      const bench = createEditBench(root);
      const planned = await plan(bench, 'delete_file', { path: 'src/a.ts' });
      await writeFile(path.join(root, 'src/a.ts'), 'new work');
      await assert.rejects(planned.run(), refused(/changed meanwhile/));
      assert.equal(await read('src/a.ts'), 'new work');
    });

    it('X03 X06 deletes nothing behind a folder that became a link, before the run or while the old bytes are kept', async () => {
      await writeFiles(root, { 'other/a.ts': 'one\ntwo\nthree\n' });
      const swapped = replaceByLink(root, 'src', 'other');
      const planned = await plan(createEditBench(root), 'delete_file', { path: 'src/a.ts' });
      const late = await plan(createEditBench(root, { onWillChange: swapped }), 'delete_file', { path: 'src/a.ts' });
      await assert.rejects(late.run(), refused(/leads somewhere else/));
      await assert.rejects(planned.run(), refused(/leads somewhere else/));
      assert.equal(await read('other/a.ts'), 'one\ntwo\nthree\n');
    });

    it('X11 asks each time for a protected file; refuses folders and what is not there', async () => {
      const bench = createEditBench(root);
      assert.deepEqual((await plan(bench, 'delete_file', { path: 'package.json' })).approval?.scopes, ['once']);
      await assert.rejects(plan(bench, 'delete_file', { path: 'src' }), refused(/folder/));
      await assert.rejects(plan(bench, 'delete_file', { path: 'no' }), refused(/no file/));
    });

    it('X05 neither deletes nor renames by a path that is nowhere and only ends like a file, which edits may mean', async () => {
      const bench = createEditBench(root, { mode: 'ask' });
      const guessed = '/testbed/src/a.ts';
      const refusal = refused(/is not there.* src\/a\.ts/);
      await assert.rejects(plan(bench, 'delete_file', { path: guessed }), refusal);
      await assert.rejects(plan(bench, 'rename_file', { path: guessed, newPath: 'src/b.ts' }), refusal);
      await plan(bench, 'edit_file', replace(guessed, 'two', '2'));
    });
  });

  describe('rename_file', () => {
    it('F14 moves a file and keeps both ends for the checkpoint', async () => {
      const bench = createEditBench(root);
      await run(bench, 'rename_file', { path: 'src/a.ts', newPath: 'lib/b.ts' });
      assert.equal(await read('lib/b.ts'), 'one\ntwo\nthree\n');
      assert.deepEqual(
        bench.journal.map(({ when, path: file, hash }) => `${when} ${file} ${hash === undefined ? '-' : 'x'}`),
        ['will src/a.ts x', 'will lib/b.ts -', 'did src/a.ts -', 'did lib/b.ts x'],
      );
      const over = plan(bench, 'create_file', { path: 'lib/b.ts', content: 'one\n' });
      await assert.rejects(over, refused(/exists and was not read yet/), 'a move tells nothing of the text');
    });

    it('F14 changes the case of a name, also on a disk that takes both names for one file, and never over another file', async () => {
      const insensitive = (bench: ReturnType<typeof createEditBench>, entries: () => string[]) => {
        const { files } = bench.deps;
        const other = (place: Place) => ({ ...place, path: place.path.replace('A.ts', 'a.ts') });
        bench.deps.files = {
          ...files,
          stat: async (place) => (await files.stat(place)) ?? files.stat(other(place)),
          list: async () => entries().map((name) => ({ name, kind: 'file' as const })),
        };
        return bench;
      };
      const move = { path: 'src/a.ts', newPath: 'src/A.ts' };
      const taken = insensitive(createEditBench(root), () => ['a.ts', 'A.ts']);
      await assert.rejects(plan(taken, 'rename_file', move), refused(/src\/a\.ts exists already/i));
      const output = await run(
        insensitive(createEditBench(root), () => ['a.ts']),
        'rename_file',
        move,
      );
      assert.equal(output.forModel, 'Renamed src/a.ts to src/A.ts.');
      assert.equal(await read('src/A.ts'), 'one\ntwo\nthree\n');
    });

    for (const folder of ['src', 'lib']) {
      it(`X03 X06 moves nothing when ${folder} became a link, before the run or while the old bytes are kept`, async () => {
        await writeFiles(root, { 'other/a.ts': 'one\ntwo\nthree\n', 'lib/c.ts': '' });
        const swapped = replaceByLink(root, folder, 'other');
        const move = { path: 'src/a.ts', newPath: 'lib/b.ts' };
        const planned = await plan(createEditBench(root), 'rename_file', move);
        const late = await plan(createEditBench(root, { onWillChange: swapped }), 'rename_file', move);
        await assert.rejects(late.run(), refused(/leads somewhere else/));
        await assert.rejects(planned.run(), refused(/leads somewhere else/));
        assert.equal(await read('other/a.ts'), 'one\ntwo\nthree\n');
        await assert.rejects(read('other/b.ts'), /ENOENT/);
      });
    }

    it('X01 asks when either end is protected, and never lands in git data or on a file', async () => {
      const bench = createEditBench(root);
      const { approval } = await plan(bench, 'rename_file', { path: 'src/a.ts', newPath: '.vscode/tasks.json' });
      assert.deepEqual(approval?.scopes, ['once']);
      assert.equal(approval?.subject.kind === 'rename' && approval.subject.isProtected, true);
      await assert.rejects(
        plan(bench, 'rename_file', { path: 'src/a.ts', newPath: '.git/hooks/x' }),
        refused(/git's own data/),
      );
      await assert.rejects(
        plan(bench, 'rename_file', { path: 'src/a.ts', newPath: 'package.json' }),
        refused(/exists already/),
      );
    });
  });
});
