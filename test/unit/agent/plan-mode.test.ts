import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { createConsent } from '../../../src/agent/consent.ts';
import { runTurn } from '../../../src/agent/loop.ts';
import { accessIn, offeredTools } from '../../../src/agent/offered-tools.ts';
import type { Tool } from '../../../src/agent/tool.ts';
import { systemClock } from '../../../src/base/clock.ts';
import type { ApprovalRequest } from '../../../src/shared/approval.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import {
  createPlanTools,
  createWindowTools,
  toolDialect,
  toolSpecs,
  type WindowPorts,
} from '../../../src/tools/all-tools.ts';
import { createProcessShell } from '../../../src/tools/command/process-shell.ts';
import { createRandom, type Random } from '../../support/random.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { createEditBench } from '../tools/node-edit-port.ts';
import { openFolders, writeFiles } from '../tools/workspace.ts';
import { type Answers, askWith } from './ask-with.ts';
import { project } from './run-script.ts';
import { createScriptedClient, model } from './scripted-client.ts';

/** Everything below a folder: names and bytes. */
async function hashOf(root: string): Promise<string> {
  const hash = createHash('sha256');
  for (const entry of (await readdir(root, { recursive: true, withFileTypes: true })).sort((a, b) =>
    path.join(a.parentPath, a.name) < path.join(b.parentPath, b.name) ? -1 : 1,
  )) {
    const file = path.join(entry.parentPath, entry.name);
    hash.update(`${path.relative(root, file)}\n`);
    if (entry.isFile()) hash.update(await readFile(file));
  }
  return hash.digest('hex');
}

const acting = toolSpecs.filter(({ access }) => access === 'write' || access === 'execute');
/** As other agents call what writes and runs, and as a tool of another extension is called. */
const foreignNames =
  'Write Edit MultiEdit NotebookEdit Bash BashOutput KillShell apply_patch str_replace_editor str_replace_based_edit_tool write_to_file replace_in_file execute_command run_terminal_cmd run_in_terminal shell local_shell container.exec python insert_edit_into_file create_new_file delete_path move_file exec_command write_stdin mcp_files_write functions.run_command default_api.edit_file';
const names = [...acting.map(({ name }) => name), ...foreignNames.split(' ')];

function hostileCall(random: Random) {
  const file = random.pick(['src/add.mjs', 'new.txt', '../outside.txt', 'test.mjs']);
  const command = random.pick(['touch made.txt', 'rm -rf src', "node -e \"require('fs').writeFileSync('made','x')\""]);
  const args = {
    ...{ path: file, file_path: file, old_string: 'return a - b', new_string: 'return a + b', content: 'made' },
    ...{ edits: [{ old: 'return a - b', new: 'return a + b' }], command, cmd: command, code: command, to: 'moved.mjs' },
    ...{ new_path: 'moved.mjs', input: `*** Begin Patch\n*** Delete File: ${file}\n*** End Patch` },
  };
  const name = random.pick(names);
  const own = acting.find((tool) => tool.name === name);
  const known = Object.keys((own?.parameters as { shape?: object } | undefined)?.shape ?? args);
  const fitting = Object.fromEntries(Object.entries(args).filter(([key]) => known.includes(key)));
  return { name, arguments: JSON.stringify(random.next() < 0.5 ? fitting : args) };
}

describe('Plan mode', () => {
  let temp: TempDir;
  beforeEach(async () => {
    temp = await makeTempDir();
    await writeFiles(temp.path, project);
  });
  afterEach(() => temp.remove());

  /** A hundred hostile turns against tools on a real folder with a real shell; who is asked says yes to everything. */
  async function attack(seed: number, toolsFor: (all: readonly Tool[]) => readonly Tool[]) {
    const random = createRandom(seed);
    const shell = createProcessShell({ shellPath: () => '/bin/sh', clock: systemClock });
    const ports = { ...openFolders({ ws: temp.path }), shell, clock: systemClock } as WindowPorts;
    const written: string[] = [];
    const document = { write: async (text: string) => void written.push(text) } as Parameters<
      typeof createPlanTools
    >[0];
    const bench = createEditBench(temp.path, { mode: 'apply' });
    const all = [...createWindowTools(ports), ...bench.tools, ...createPlanTools(document)];
    const events: ChatEvent[] = [];
    const asked: ApprovalRequest[] = [];
    const emit = (event: ChatEvent) => void events.push(event);
    const approval: Answers['approval'] = (request) => {
      asked.push(request);
      return { decision: 'allow', scope: 'conversation' };
    };
    let calls = 0;
    for (let turn = 0; turn < 100; turn++) {
      const hostile = Array.from({ length: random.between(1, 3) }, () => hostileCall(random));
      const plan = { name: 'write_plan', arguments: JSON.stringify({ markdown: `1. Step ${turn}` }) };
      const { client, requests } = createScriptedClient([
        { text: 'I do it.', toolCalls: hostile },
        { text: 'Then the plan.', toolCalls: [plan] },
        { text: 'Done.' },
      ]);
      const { outcome } = await runTurn(
        {
          client,
          tools: toolsFor(all),
          access: accessIn.plan,
          dialect: toolDialect,
          systemPrompt: () => 'You plan.',
          clock: systemClock,
          maxSteps: () => 9,
          newCallId: () => `c${++calls}`,
          log: (line) => assert.fail(line),
        },
        {
          turnId: `t${turn}`,
          history: [
            { role: 'user', text: 'Fix it.' },
            // What an earlier turn in another mode did is remembered.
            { role: 'assistant', text: '', model, toolCalls: [{ ...hostileCall(random), id: 'old' }] },
            { role: 'tool', callId: 'old', name: 'edit_file', text: 'Edited src/add.mjs' },
            { role: 'user', text: 'Now only plan it.' },
          ],
          model,
          request: { surface: 'chat' },
          emit,
          signal: new AbortController().signal,
          person: { consent: createConsent(), ask: askWith(emit, `t${turn}`, { approval }) },
        },
      );
      assert.equal(outcome, 'finished');
      const offered = requests[0]?.tools?.map(({ name }) => name) ?? [];
      if (toolsFor === planOnly) assert.ok(offered.every((name) => !acting.some((tool) => tool.name === name)));
    }
    return { events, asked, written };
  }
  const planOnly = (all: readonly Tool[]) => offeredTools('plan', all, () => true);

  for (const [what, toolsFor] of Object.entries({
    'with the tools of its mode': planOnly,
    'even if every tool were offered': (all: readonly Tool[]) => all,
  })) {
    it(`F44 X12 carries out nothing that writes or runs, in a hundred turns that name all of it, and asks for nothing, ${what}`, async () => {
      const before = await hashOf(temp.path);
      const { events, asked, written } = await attack(what.length, toolsFor);
      assert.equal(await hashOf(temp.path), before);
      assert.deepEqual(asked, []);
      const started = events.flatMap((event) => (event.type === 'toolStarted' ? [event.name] : []));
      const isActing = (name: string) => acting.some((tool) => tool.name === name);
      assert.deepEqual(started.filter(isActing), []);
      const refused = events.filter((event) => event.type === 'toolFinished' && event.state === 'failed');
      assert.ok(refused.length >= 100, `${refused.length} refused`);
      assert.equal(written.length, 100, 'the plan itself is written');
    });
  }
});
