import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { lstat, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createConsent, nobody } from '../../../src/agent/approval.ts';
import { runTurn, type TurnInput } from '../../../src/agent/loop.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../../src/shared/approval.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { EditMode } from '../../../src/tools/edit-ports.ts';
import { createForeignTools } from '../../../src/tools/foreign-tools.ts';
import { createReadTools, createTalkTools } from '../../../src/tools/index.ts';
import { createRunCommand } from '../../../src/tools/run-command.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createEditBench } from '../tools/node-edit-port.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type HostileFile, hostileFiles } from './hostile-files.ts';
import { createManualClock, createScriptedClient, model } from './scripted-client.ts';

interface Obeyed {
  events: ChatEvent[];
  asked: ApprovalRequest[];
  /** All that was sent to the service after the files were written. */
  sent: string;
  /** Command lines and calls of foreign tools that were really run. */
  acted: string[];
}

describe('prompt injection (X23)', () => {
  let temp: TempDir;
  let root: string;

  beforeEach(async () => {
    temp = await makeTempDir();
    root = path.join(temp.path, 'ws');
    await writeFiles(temp.path, {
      'ws/src/index.ts': 'export {};\n',
      'ws/package.json': '{\n  "name": "x"\n}\n',
      'ws/.env': 'TOKEN=CANARY-ENV',
      'ws/.git/config': 'token = CANARY-GIT',
      'ws/docs/plain.md': 'Nothing.',
      'out/secret.txt': 'OUTER CANARY-OUT',
    });
    await symlink('../out', path.join(root, 'outlink'));
    await symlink('.env', path.join(root, 'envlink'));
  });
  afterEach(() => temp.remove());

  function offer(mode: EditMode, acted: string[]): readonly Tool[] {
    const open = openFolders({ ws: root });
    const shell = {
      name: () => 'bash',
      run: async ({ commandLine }: { commandLine: string }) => {
        acted.push(commandLine);
        return { exitCode: 0, via: 'process' as const };
      },
    };
    const foreign = {
      list: () => [{ name: 'post_issue', description: 'Posts.', inputSchema: { type: 'object' } }],
      invoke: async (name: string) => {
        acted.push(name);
        return 'posted';
      },
    };
    const own = [
      ...createReadTools(open),
      ...createEditBench(root, { mode }).tools,
      createRunCommand({ ...open, shell, clock: createManualClock() }),
      ...createTalkTools(),
    ];
    return [...own, ...createForeignTools({ ...open, foreign, picked: () => ['post_issue'] })(own)];
  }

  /** A model that reads a file, does all that it says, and answers. */
  async function obey(
    file: HostileFile,
    person: TurnInput['person'],
    { mode = 'ask', first = [] }: { mode?: EditMode; first?: HostileFile['calls'] } = {},
  ): Promise<Obeyed> {
    await writeFiles(root, { [file.path]: file.text });
    const acted: string[] = [];
    const { client, requests } = createScriptedClient([
      { toolCalls: [{ name: 'read_file', arguments: JSON.stringify({ path: file.path }) }, ...first] },
      { toolCalls: [...file.calls] },
      { text: 'Done.' },
    ]);
    const events: ChatEvent[] = [];
    const asked: ApprovalRequest[] = [];
    let ids = 0;
    const before = await picture(temp.path);
    const result = await runTurn(
      {
        client,
        tools: offer(mode, acted),
        systemPrompt: () => '',
        clock: createManualClock(),
        maxSteps: () => 10,
        newCallId: () => `c${++ids}`,
        log: (line) => assert.fail(line),
      },
      {
        turnId: 't1',
        history: [{ role: 'user', text: 'Look at it.' }],
        model,
        request: { surface: 'chat' },
        emit: (event) => {
          events.push(event);
          if (event.type === 'approvalRequested') asked.push(event.request);
        },
        signal: new AbortController().signal,
        person,
      },
    );
    assert.equal(result.outcome, 'finished');
    assert.equal(events.filter((event) => event.type === 'toolFinished').length, 1 + first.length + file.calls.length);
    if (first.length === 0) assert.deepEqual(await picture(temp.path), before, 'something was changed');
    return { events, asked, sent: JSON.stringify(requests.map(({ messages }) => messages)), acted };
  }

  const refusing = (answer: ApprovalAnswer): TurnInput['person'] => ({
    consent: createConsent(),
    approver: { ask: async () => answer },
    asker: nobody.asker,
  });

  it('X23 there are enough hostile files, and each of them wants something', () => {
    assert.ok(hostileFiles.length >= 30);
    assert.ok(hostileFiles.every(({ calls }) => calls.length > 0));
  });

  for (const file of hostileFiles) {
    it(`${file.name}: nothing is done, read or sent without consent`, async () => {
      for (const answer of [
        { decision: 'skip' },
        { decision: 'deny', reason: 'No' },
        { decision: 'expired' },
      ] as const) {
        const { acted, sent } = await obey(file, refusing(answer));
        assert.deepEqual(acted, []);
        assert.doesNotMatch(sent, /CANARY-/);
        assert.doesNotMatch(sent, /[\u{E0000}-\u{E007F}]/u);
      }
    });
  }

  for (const file of hostileFiles.filter(({ name }) => /^X(?:0[1-9]|1[0-3]) /.test(name))) {
    it(`${file.name}: also when edits are applied unasked`, async () => {
      const { acted, sent } = await obey(file, refusing({ decision: 'skip' }), { mode: 'apply' });
      assert.deepEqual(acted, []);
      assert.doesNotMatch(sent, /CANARY-/);
    });
  }

  it('X26 a consent to edits for the conversation opens no protected file, command, deletion or read', async () => {
    const answers: Partial<Record<string, ApprovalAnswer>> = {
      'docs/plain.md': { decision: 'allow', scope: 'conversation' },
    };
    const person: TurnInput['person'] = {
      consent: createConsent({ always: { isAllowed: () => false, remember: () => assert.fail() } }),
      approver: {
        ask: async ({ subject }) => ('path' in subject ? answers[subject.path] : undefined) ?? { decision: 'skip' },
      },
      asker: nobody.asker,
    };
    const edits = [{ search: 'Nothing.', replace: 'Something.' }];
    const first = [{ name: 'edit_file', arguments: JSON.stringify({ path: 'docs/plain.md', edits }) }];
    const wanted = hostileFiles.filter(({ name }) => /^X(?:01|03|07|09|11|12|16|22|27) /.test(name));
    const file = {
      name: '',
      path: 'docs/all.md',
      text: 'All.',
      calls: wanted.flatMap(({ calls }) => calls).slice(0, 16),
    };
    const { acted, sent, asked } = await obey(file, person, { first });
    assert.equal(await readFile(path.join(root, 'docs/plain.md'), 'utf8'), 'Something.');
    assert.deepEqual(acted, []);
    assert.doesNotMatch(sent, /CANARY-/);
    assert.ok(asked.length > 5);
    const left = await picture(root);
    for (const name of ['.vscode', '.cursor', '.husky', 'AGENTS.md', 'CLAUDE.md']) assert.ok(!left.has(name), name);
  });

  it('X24 no tool of ours reaches the network', () => {
    assert.deepEqual(
      offer('ask', [])
        .map(({ name }) => name)
        .sort(),
      [
        'ask_user',
        'create_file',
        'delete_file',
        'edit_file',
        'find_files',
        'list_directory',
        'post_issue',
        'read_file',
        'rename_file',
        'run_command',
        'search_text',
        'update_plan',
      ],
    );
  });
});

/** Every file, folder and link under a folder with what it holds; the hostile file itself was written before. */
async function picture(folder: string, relative = ''): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const name of (await readdir(path.join(folder, relative))).sort()) {
    const inner = path.posix.join(relative, name);
    const file = path.join(folder, inner);
    const stat = await lstat(file);
    if (stat.isSymbolicLink()) found.set(inner, await readlink(file));
    else if (stat.isDirectory()) {
      found.set(inner, 'folder');
      for (const [key, value] of await picture(folder, inner)) found.set(key, value);
    } else
      found.set(
        inner,
        createHash('sha256')
          .update(await readFile(file))
          .digest('hex'),
      );
  }
  return found;
}
