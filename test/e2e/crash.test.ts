import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { writeFiles } from '../unit/tools/workspace.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { chatOf, numbered } from './chat.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000, timeoutMs: 60_000 };
const strictHistory = { rules: [{ effect: { checks: ['H01' as const, 'H02' as const, 'H04' as const] } }] };
const bigLine = `${'x'.repeat(99)}\n`;

describe('a killed extension host', () => {
  const session = useSession({
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFiles(folder, { 'big.txt': `first\n${bigLine.repeat(8_000)}` });
    },
  });
  const chat = useChat(session);

  /** Ids of the extension hosts of this server, told by its data folder in their surroundings or command line. */
  const hosts = (): number[] => {
    const { userDataDir } = session().server;
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .filter((pid) => {
        const [line, around] = ['cmdline', 'environ'].map((part) => readSafely(`/proc/${pid}/${part}`));
        return line?.includes('--type=extensionHost') === true && around?.includes(userDataDir) === true;
      })
      .map(Number);
  };
  const kill = async () => {
    // Those of windows that are gone take a while to go.
    const pids = await waitFor('one extension host', () => hosts().length === 1 && hosts(), generous);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  };
  /** The window is loaded again, as a person does whose extensions are gone, and the next message is answered. */
  const recover = async (expectTold: RegExp) => {
    await session().window.reload();
    await chat.reopen();
    await waitFor('what the chat says of the turn', async () =>
      expectTold.test(await chat().frame.getByRole('log').innerText()),
    );
    await session().window.screenshot(`after-crash-${chatRequests(session()).length}`);
    const before = chatRequests(session()).length;
    await chat().ask('Are you still there?');
    await chat().frame.getByText('I am here again.').waitFor(generous);
    const requests = chatRequests(session());
    assert.equal(requests.length, before + 1, 'the turn did not go on by itself');
    const messages = requests.at(-1)?.messages ?? [];
    const called = messages.flatMap(({ tool_calls }) => tool_calls ?? []).map(({ id }) => id);
    assert.deepEqual(
      called,
      messages.flatMap(({ tool_call_id }) => tool_call_id ?? []),
    );
    assert.ok(called.length > 0);
    return toolResults(requests.at(-1)).join('\n');
  };
  const allow = async (tool: string) => {
    const card = chat().frame.getByRole('group', { name: `Approval needed: ${tool}`, exact: true });
    await card.getByRole('button', { name: /^Allow Once/ }).click(generous);
  };

  it('E21 H02 T09 during a command: the turn is marked, nothing runs again, the next message works', async function () {
    this.timeout(300_000);
    const { service, folder } = session();
    const command = 'echo started >> started.txt; sleep 100; echo never >> started.txt';
    service.script({
      ...strictHistory,
      replies: [
        { text: 'I run it.', toolCalls: [{ name: 'run_command', arguments: { command } }] },
        { text: 'I am here again.' },
      ],
    });
    await chat().ask('Run it.');
    await allow('run_command');
    await waitFor('the command to run', () => existsSync(path.join(folder, 'started.txt')), generous);
    await kill();
    const results = await recover(/I run it\.[\s\S]*[Ii]nterrupted/);
    assert.match(results, /might have finished, partly finished, or not started/);
    assert.equal(await readFile(path.join(folder, 'started.txt'), 'utf8'), 'started\n');
  });

  it('E21 H02 E09 during the write of an edit: the file is the old one or the new one, never half of it', async function () {
    this.timeout(300_000);
    const { service, folder } = session();
    const file = path.join(folder, 'big.txt');
    const before = await readFile(file, 'utf8');
    const after = before.replace('first', 'second');
    const edits = [{ search: 'first', replace: 'second' }];
    service.script({
      ...strictHistory,
      replies: [
        { toolCalls: [{ name: 'read_file', arguments: { path: 'big.txt', startLine: 1, endLine: 2 } }] },
        { text: 'I edit it.', toolCalls: [{ name: 'edit_file', arguments: { path: 'big.txt', edits } }] },
        { text: 'I am here again.' },
      ],
    });
    await chat().ask('Edit it.');
    await allow('edit_file');
    await kill();
    await recover(/I edit it\./);
    const now = await readFile(file, 'utf8');
    assert.ok(now === before || now === after, `${now.length} characters of ${before.length}`);
  });

  it('F11 E21 F5 while a tab streams: the tab comes back with the text and the draft, marked, and goes on', async function () {
    this.timeout(300_000);
    const { service, window } = session();
    service.script({
      settings: { chunkDelayMs: 40 },
      replies: [{ text: numbered('tab') }],
    });
    await window.runCommand('svc.openChatInEditor');
    const tab = window.page.locator('.editor-group-container .tab');
    const inTab = async (holds: string) =>
      chatOf(
        await waitFor(
          'the chat in the tab',
          async () => {
            await tab.first().waitFor();
            const side = chat().frame;
            for (const frame of window.page.frames()) {
              if (frame === side || !frame.url().includes('/webview/browser/pre/fake.html')) continue;
              // A frame that is being replaced throws.
              const count = await frame
                .locator(holds)
                .count()
                .catch(() => 0);
              if (count > 0) return frame;
            }
            return undefined;
          },
          generous,
        ),
      );
    const first = await inTab('[aria-label="Message"]');
    await first.ask('Count in the tab.');
    await first.message.fill('Half a thought');
    // What has come is stored every few seconds, so the beginning is when so much more has come.
    await first.frame.getByText('tab 49 tab 50').waitFor(generous);
    await kill();
    service.script({ settings: { chunkDelayMs: 0 }, replies: [{ text: 'I am here again.' }] });
    await window.reload();
    // A tab that comes back takes the focus.
    const back = await inTab('article:has-text("tab 3 tab 4")');
    await chat.reopen();
    await back.frame.getByText('Interrupted').waitFor(generous);
    assert.equal(await tab.filter({ hasText: 'Count in the tab.' }).count(), 1);
    await waitFor('the draft', async () => (await back.message.inputValue()) === 'Half a thought', generous);
    await window.screenshot('tab-after-crash');
    const before = chatRequests(session()).length;
    await back.ask('Are you still there?');
    await back.frame.getByText('I am here again.').waitFor(generous);
    const requests = chatRequests(session());
    assert.equal(requests.length, before + 1, 'the turn did not go on by itself');
    assert.match(JSON.stringify(requests.at(-1)?.messages), /tab 3 tab 4/);
  });
});

function readSafely(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // Gone, or not ours to look at.
    return undefined;
  }
}
