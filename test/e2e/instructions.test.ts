import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import { writeFiles } from '../unit/tools/workspace.ts';
import { copySampleWorkspace } from '../vscode/sample-workspace.ts';
import { waitFor } from '../vscode/wait-for.ts';
import { type Chat, openChat } from './chat.ts';
import { chatRequests, systemText } from './chat-requests.ts';
import { filesOnDemand, instructionFiles, instructionSentences, promptFile } from './instruction-files.ts';
import { enterKey } from './session.ts';
import { useSession } from './use-session.ts';

const generous = { timeout: 180_000 };
const isNested = (sentence: string) => sentence.startsWith('Rule eight');

describe('instruction files of every kind', () => {
  const session = useSession({
    fillWorkspace: async (folder) => {
      await copySampleWorkspace(folder);
      await writeFiles(folder, { ...instructionFiles, ...filesOnDemand, [promptFile.path]: promptFile.text });
    },
  });
  let chat: Chat;
  const lastSystem = () => systemText(chatRequests(session()).at(-1));
  const say = async (question: string, ...replies: readonly object[]) => {
    session().service.reset();
    session().service.script({ replies: [...replies] });
    await chat.ask(question);
    await chat.finishedAnswer();
  };

  before(async function () {
    this.timeout(240_000);
    chat = await openChat(session());
    await enterKey(session());
  });

  it('F21 the service receives all of them word for word; the one of a folder is named until the folder is in play', async () => {
    const long = 'What src/shipping.ts does, told at length. '.repeat(600);
    const read = { name: 'read_file', arguments: { path: 'src/shipping.ts' } };
    await say('What does src/shipping.ts do?', { toolCalls: [read] }, { text: long });
    const [first] = chatRequests(session());
    for (const sentence of instructionSentences.filter((each) => !isNested(each))) {
      assert.ok(systemText(first).includes(`\n${sentence}\n`), sentence);
    }
    assert.match(systemText(first), /Read before you change what they speak of: src\/AGENTS\.md\./);
    assert.doesNotMatch(systemText(first), /Rule (?:eight|nine|ten)/);
    assert.match(systemText(first), /\n- parcels: How parcels are weighed\./);
    // Read in the first step, so the second one already has it, and the user is told.
    assert.match(lastSystem(), /\nRule nine: scripts begin with their purpose\.\n/);
    await chat.frame.getByText(/now in force: .*scripts\.mdc/).waitFor(generous);
    await session().window.screenshot('rule-in-force');
    await say('Thanks. And in one word?', { text: 'Shipping.' });
    for (const sentence of instructionSentences) assert.ok(lastSystem().includes(`\n${sentence}\n`), sentence);
  }).timeout(240_000);

  it('F34 the model loads a skill when the work is of its kind, and its text is not sent with the next message', async () => {
    const load = { name: 'load_skill', arguments: { name: 'parcels' } };
    await say('How is a parcel weighed?', { toolCalls: [load] }, { text: 'Twice.' });
    await chat.frame.getByText('Twice.').waitFor(generous);
    assert.match(JSON.stringify(chatRequests(session()).at(-1)?.messages), /Rule ten: weigh twice/);
    await session().window.screenshot('skill-loaded');
    await say('Thanks.', { text: 'Gladly.' });
    await chat.frame.getByText('Gladly.').waitFor(generous);
    assert.doesNotMatch(JSON.stringify(chatRequests(session()).at(-1)?.messages), /Rule ten/);
  }).timeout(240_000);

  it('F21 X12 the user sees which files shape the assistant, and opens one', async () => {
    await session().window.runCommand('svc.showCustomizations');
    const { quickInput } = session().window;
    await waitFor('the list of files', async () => (await quickInput.labels()).includes('AGENTS.md'));
    const labels = await quickInput.labels();
    for (const file of Object.keys(instructionFiles)) assert.ok(labels.includes(file), `${file} in ${labels}`);
    // The one of a folder too: the open conversation has read a file in it.
    assert.equal(await quickInput.widget.getByText('only its name is sent').count(), 0);
    await session().window.screenshot('instruction-files');
    await quickInput.pick('.clinerules');
    await session()
      .window.page.getByRole('tab', { name: /\.clinerules/ })
      .waitFor(generous);
  }).timeout(240_000);

  it('U3 S10 says what a summary cost that was cut, and leaves the conversation as it is', async () => {
    session().service.script({ replies: [{ text: 'Goal: to', finish: 'length' }] });
    await session().window.runCommand('svc.compactConversation');
    await session().window.pressDialogButton('Compact');
    await session()
      .window.page.getByText(/Nothing was compacted: .* \$0\.0/)
      .first()
      .waitFor(generous);
    await say('And in two words?', { text: 'Parcels, fees.' });
    assert.match(JSON.stringify(chatRequests(session())[0]?.messages), /told at length/);
  }).timeout(240_000);

  it('F21 U13 after a compaction all of them are sent word for word again', async () => {
    const before = lastSystem();
    session().service.script({ replies: [{ text: 'Goal: to know what shipping does.' }] });
    await session().window.runCommand('svc.compactConversation');
    await session().window.pressDialogButton('Compact');
    await chat.frame
      .getByText(/summary|compacted/i)
      .last()
      .waitFor(generous);
    await say('Go on.', { text: 'I go on.' });
    const [request] = chatRequests(session());
    assert.match(JSON.stringify(request?.messages), /Goal: to know what shipping does\./);
    assert.doesNotMatch(JSON.stringify(request?.messages), /told at length/);
    for (const sentence of instructionSentences) assert.ok(lastSystem().includes(`\n${sentence}\n`), sentence);
    assert.equal(lastSystem(), before);
  }).timeout(240_000);

  it('F21 a prompt file is a slash command that is offered and sends its text', async () => {
    await chat.message.fill('');
    await chat.message.pressSequentially('/tidy');
    await chat.frame.getByRole('option').filter({ hasText: 'Tidies a file' }).first().waitFor(generous);
    await session().window.screenshot('prompt-file');
    await chat.message.press('Escape');
    session().service.reset();
    session().service.script({ replies: [{ text: 'Tidied.' }] });
    await chat.message.fill('/tidy-up src/shipping.ts');
    await chat.button('Send').click();
    await chat.frame.getByText('Tidied.').waitFor(generous);
    const question = JSON.stringify(chatRequests(session()).at(-1)?.messages.at(-1));
    assert.match(question, /Tidy this file without changing what it does\.\\n\\nsrc\/shipping\.ts/);
  }).timeout(240_000);
});
