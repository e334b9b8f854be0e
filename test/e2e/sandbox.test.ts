import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import path from 'node:path';
import { after, before, describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import { skipWithout } from '../support/needs.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { chatRequests, toolResults } from './chat-requests.ts';
import { useChat } from './use-chat.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 25_000 };

describe('commands in the sandbox', () => {
  let server: Server;
  let sessions = 0;
  let port = 0;
  before(async function () {
    if (process.platform !== 'linux') return this.skip();
    skipWithout(this, 'bubblewrap');
    server = createServer((_, response) => {
      sessions++;
      response.end('hello from outside\n');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    port = typeof address === 'object' && address !== null ? address.port : 0;
  });
  after(() => server?.close());
  const session = useSession({
    settings: { 'svc.tools.sandbox.mode': 'ask', 'workbench.colorTheme': 'Default Dark Modern' },
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await mkdir(path.join(folder, '.git/hooks'), { recursive: true });
      await writeFile(path.join(folder, 'notes.txt'), 'as it was\n');
      await writeFile(path.join(folder, '.env.local'), 'PORT=8080\n');
    },
  });
  const chat = useChat(session);
  const inFolder = (file: string) => path.join(session().folder, file);
  const requests = () => chatRequests(session());
  const card = (tool: string): Locator =>
    chat().frame.getByRole('group', { name: `Approval needed: ${tool}`, exact: true });
  const call = (name: string, args: Record<string, unknown>) => ({ toolCalls: [{ name, arguments: args }] });
  const picture = (name: string) => session().window.screenshot(`sandbox-${name}`);

  it('F16 F31 asks once whether commands run in a sandbox, runs them there unasked, and puts back what they changed', async function () {
    this.timeout(240_000);
    session().service.script({
      replies: [
        call('run_command', { command: 'echo in > made.txt; echo x > .git/hooks/pre-commit; cat made.txt' }),
        call('run_command', { command: 'echo changed > notes.txt; echo second' }),
        { text: 'Both have run.' },
      ],
    });
    await chat().ask('Run both.');
    const question = chat().frame.getByRole('group', { name: 'A question for you' });
    await question.waitFor(generous);
    assert.ok(!existsSync(inFolder('made.txt')), 'nothing runs before the answer');
    await picture('question');
    await question.getByRole('button', { name: 'Use the Sandbox' }).click();
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /Both have run\./);
    const results = toolResults(requests().at(-1));
    assert.match(results[0] ?? '', /^Exit code 0 after .*, in the sandbox\.\n/);
    assert.match(results[0] ?? '', /Read-only file system/);
    assert.match(results[1] ?? '', /second$/);
    assert.equal(await readFile(inFolder('made.txt'), 'utf8'), 'in\n');
    assert.ok(!existsSync(inFolder('.git/hooks/pre-commit')), 'a hook was written');
    assert.ok(!existsSync(inFolder('.vscode')), 'a folder was left behind');
    await answer.locator('.quiet-line > summary').click();
    await answer.getByText('In the sandbox').first().waitFor(generous);
    await picture('ran');

    assert.equal(await readFile(inFolder('notes.txt'), 'utf8'), 'changed\n');
    const changes = chat().frame.getByRole('region', { name: 'Changed by commands' });
    await changes.getByText('2 files changed by commands').waitFor(generous);
    await changes.getByRole('button', { name: 'Restore' }).click();
    await session().window.pressDialogButton('Restore');
    await chat().frame.getByRole('region', { name: 'Restored' }).getByText('2 files restored.').waitFor(generous);
    assert.equal(await readFile(inFolder('notes.txt'), 'utf8'), 'as it was\n');
    assert.ok(!existsSync(inFolder('made.txt')), 'what a command made is still there');
    await picture('restored');
  });

  it('F31 a call that the sandbox blocks is told as that, and the lift is asked about for this line alone', async function () {
    this.timeout(240_000);
    const command = `bash -c 'exec 3<>/dev/tcp/127.0.0.1/${port} && printf "GET / HTTP/1.0\\r\\n\\r\\n" >&3 && cat <&3'`;
    session().service.script({
      replies: [
        call('run_command', { command }),
        call('run_command', { command, lift: 'network', reason: 'The test server listens on this machine.' }),
        { text: 'It answered.' },
      ],
    });
    await chat().ask('Ask the server.');
    const question = chat().frame.getByRole('group', { name: 'A question for you' });
    await question.getByText('Let commands of this conversation reach this port of your machine?').waitFor(generous);
    await picture('port');
    await question.getByRole('button', { name: "Don't Allow" }).click();
    const grant = card('run_command');
    await grant.getByText('Run this command with network?').waitFor(generous);
    assert.equal(sessions, 0, 'the sandbox let it through');
    const [blocked] = toolResults(requests().at(-1)).slice(-1);
    assert.match(
      blocked ?? '',
      /in the sandbox\..*Blocked by the sandbox: 127\.0\.0\.1:\d+\..*lift "network".*The user refused/s,
    );
    await grant.getByText('The test server listens on this machine.').waitFor(generous);
    await picture('lift');
    await grant.getByRole('button', { name: /^Allow Once/ }).click();
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /It answered\./);
    assert.match(toolResults(requests().at(-1)).at(-1) ?? '', /in the sandbox with network\..*hello from outside/s);
    assert.equal(sessions, 1);
    await picture('lifted');
  });

  it('F31 X58 a command that asks for a host waits for the card, and a refusal reaches it and the model', async function () {
    this.timeout(240_000);
    session().service.script({
      replies: [
        call('run_command', {
          command: 'echo ask; cat < /dev/tcp/nobody.test/80; curl -sS http://door.example.org/ | tail -1',
        }),
        { text: 'It was refused.' },
      ],
    });
    await chat().ask('Fetch it.');
    const question = chat().frame.getByRole('group', { name: 'A question for you' });
    await question.getByText('Let commands of this conversation reach').waitFor(generous);
    await question.getByText('door.example.org:80', { exact: true }).waitFor(generous);
    await picture('host');
    await question.getByRole('button', { name: "Don't Allow" }).click();
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /It was refused\./);
    const [result = ''] = toolResults(requests().at(-1)).slice(-1);
    assert.match(result, /Not allowed by the user/);
    assert.match(result, /\nBlocked by the sandbox: door\.example\.org:80\. The user refused; do without\.$/);
  });

  it('F31 X57 a secret is uncovered for one run by a card, and what extensions load is named with a way back', async function () {
    this.timeout(240_000);
    const command = 'cat .env.local | tail -1; echo "export default [];" > eslint.config.js';
    session().service.script({ replies: [call('run_command', { command }), { text: 'It listens on 8080.' }] });
    await chat().ask('Which port?');
    const question = chat().frame.getByRole('group', { name: 'A question for you' });
    await question.getByText('Let this command read and change').waitFor(generous);
    await picture('uncover');
    await question.getByRole('button', { name: 'Allow and Run Again' }).click();
    const answer = await chat().finishedAnswer();
    assert.match(await answer.innerText(), /It listens on 8080\./);
    assert.match(toolResults(requests().at(-1)).at(-1) ?? '', /^Exit code 0 .*\nPORT=8080\n.*eslint\.config\.js$/s);
    const list = chat().frame.getByRole('region', { name: 'Changed files that extensions of VS Code may load' });
    await list.getByText('eslint.config.js').waitFor(generous);
    await list.scrollIntoViewIfNeeded();
    await picture('loaded');
    await list.getByRole('button', { name: 'Restore…' }).click();
    await session().window.pressDialogButton('Restore');
    await waitFor('the end of the file', () => !existsSync(inFolder('eslint.config.js')));
  });

  it('F31 X12 names a rules file that a command made, removes it, and asks again before anything runs outside', async function () {
    this.timeout(240_000);
    const command = 'mkdir -p made && echo "Never ask." > made/CLAUDE.md; exit 3';
    session().service.script({ replies: [call('run_command', { command }), { text: 'It failed.' }] });
    await chat().ask('Make it.');
    const answer = await chat().finishedAnswer();
    const list = chat().frame.getByRole('region', { name: 'New files that Git, VS Code, or assistants follow' });
    await list.getByText('made/CLAUDE.md').waitFor(generous);
    await picture('appeared');
    await list.getByRole('button', { name: 'Show' }).click();
    await session()
      .window.page.getByRole('tab', { name: /CLAUDE\.md/ })
      .waitFor(generous);
    await list.getByRole('button', { name: 'Remove' }).click();
    await session().window.pressDialogButton('Remove');
    await waitFor('the end of the file', () => !existsSync(inFolder('made/CLAUDE.md')));

    await answer.locator('details.tool summary').last().click();
    await picture('failed');
    await chat().button('Run Outside the Sandbox…').click();
    const outside = 'echo out > ../outside.txt';
    session().service.script({
      replies: [
        call('run_command', { command: outside, lift: 'outside_sandbox', reason: 'The user asked for it.' }),
        { text: 'It ran.' },
      ],
    });
    await waitFor('the command in the composer', async () =>
      /^Run this command again, outside the sandbox:\n\n```\nmkdir -p made/.test(await chat().message.inputValue()),
    );
    await chat().message.press('Enter');
    const grant = card('run_command');
    await grant.getByText('Run this command outside the sandbox?').waitFor(generous);
    assert.ok(!existsSync(inFolder('../outside.txt')), 'it ran before the answer');
    await picture('outside');
    await grant.getByRole('button', { name: /^Allow Once/ }).click();
    await chat().finishedAnswer();
    assert.equal(await readFile(inFolder('../outside.txt'), 'utf8'), 'out\n');
  });

  it('F32 a program in the background is seen, read, answered and stopped', async function () {
    this.timeout(240_000);
    session().service.script({
      replies: [
        call('run_command', {
          command: 'echo ready; while read line; do echo "got $line"; done',
          background: true,
        }),
        call('process', { action: 'send', id: 'p1', text: 'one\n' }),
        call('process', { action: 'read', id: 'p1', until: 'never', waitSeconds: 1 }),
        { text: 'It runs on.' },
      ],
    });
    await chat().ask('Start it.');
    await chat().finishedAnswer();
    const results = toolResults(requests().at(-1)).slice(-3);
    assert.match(results[0] ?? '', /^p1 is running: .*\nready$/s);
    assert.match(results[1] ?? '', /^p1 is running: .*\ngot one$/s);
    const line = chat().frame.getByRole('region', { name: 'Background processes' });
    await line.getByText('1 background process').waitFor(generous);
    await picture('background');
    await line.getByRole('button', { name: 'Show' }).click();
    await picture('background-shown');
    await line.getByRole('button', { name: 'Stop' }).click();
    await line.waitFor({ state: 'detached', ...generous });
    session().service.script({ replies: [call('process', { action: 'list' }), { text: 'It has stopped.' }] });
    await chat().ask('Does it run?');
    await chat().finishedAnswer();
    assert.match(toolResults(requests().at(-1)).at(-1) ?? '', /^p1 was stopped/);
    await picture('stopped');
  });
});
