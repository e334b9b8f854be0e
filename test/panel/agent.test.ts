import assert from 'node:assert/strict';
import type { ChatEvent } from '../../src/shared/events.ts';
import {
  calls,
  edits,
  plan,
  question,
  queue,
  ranInSandbox,
  runningCommand,
  sevenReads,
  subagents,
} from './agent-fixtures.ts';
import { ask, end, panelInfo, richTurn, say, snapshot, strips, toolStep, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

let panel: PanelPage;
const open = async (options = {}) => {
  panel = await openPanel(options);
};
const close = async () => {
  assert.deepEqual(panel.problems(), []);
  await panel.close();
};
const button = (name: string) => panel.page.getByRole('button', { name, exact: true });
const posted = async () => (await panel.posted()).filter(({ type }) => type !== 'ready');
const isFocused = (element: Element) => element === document.activeElement;

describe('a command in the sandbox', () => {
  beforeEach(() => open());
  afterEach(close);

  it('F31 X12 X45 names what it made that others obey, without unfolding anything, to be shown or removed', async () => {
    const hostile = 'sub/\u202egpj.AGENTS.md';
    await panel.send(snapshot(ranInSandbox({ appeared: ['AGENTS.md', hostile] })));
    const list = panel.page.getByRole('region', { name: 'New files that Git, VS Code, or assistants follow' });
    assert.deepEqual(await list.locator('code').allInnerTexts(), ['AGENTS.md', 'sub/␣U+202Egpj.AGENTS.md']);
    assert.equal(
      await list
        .locator('code')
        .first()
        .evaluate((code) => getComputedStyle(code).unicodeBidi),
      'bidi-override',
    );
    await list.getByRole('button', { name: 'Show' }).first().click();
    await list.getByRole('button', { name: 'Remove' }).last().click();
    assert.deepEqual(await posted(), [
      { type: 'appeared', action: 'show', callId: 'c1', path: 'AGENTS.md' },
      { type: 'appeared', action: 'remove', callId: 'c1', path: hostile },
    ]);
  });

  it('F31 its row says what was allowed, denied and kept from it, and is no failure for that', async () => {
    const table = [
      ['done', [{ word: 'allowed', what: 'Git data' }], 'In the sandbox · Allowed: Git data', 'Done'],
      ['done', [{ word: 'blocked', what: '.env' }], 'In the sandbox · Blocked: .env', 'Done'],
      ['failed', [{ word: 'denied', what: 'registry.npmjs.org' }], 'In the sandbox · Denied: registry.npmjs.org', ''],
      ['failed', [{ word: 'allowed', what: 'a.org' }], 'In the sandbox · Allowed: a.org', 'Failed'],
      ['cancelled', [{ word: 'skipped', what: '' }], 'In the sandbox', 'Skipped'],
    ] as const;
    for (const [state, decided, place, word] of table) {
      await panel.send(snapshot([...ranInSandbox({ state, decided: [...decided], durationMs: 0 }), end()]));
      const row = panel.page.locator('details.tool > summary');
      assert.equal(await row.locator('.tool-place').innerText(), place);
      assert.equal((await row.locator('.tool-state').allTextContents()).join(''), word);
    }
  });

  it('F31 F16 says what a command changed, that Undo All leaves it, and takes it back', async () => {
    const taken = { type: 'checkpointTaken' as const, turnId: 'turn-1', checkpointId: 'k', paths: ['a.out', 'b.out'] };
    const made = [...ranInSandbox({}), taken];
    panel = await openPanel();
    const row = panel.page.getByRole('region', { name: 'Changed by commands' });
    await panel.send(snapshot(made));
    assert.equal(await row.count(), 0, 'not before the answer is over');
    await panel.send(snapshot([...made, end()]));
    assert.equal(await row.locator('p').innerText(), '2 files changed by commands');
    await panel.send(snapshot([...made, end()], { edits }));
    assert.equal(await row.locator('p').innerText(), '2 files changed by commands · not part of Undo All');
    await row.getByRole('button', { name: 'Restore', exact: true }).click();
    assert.deepEqual((await panel.posted()).at(-1), { type: 'restoreCheckpoint', turnId: 'turn-1' });
    await panel.send(snapshot([...made, end(), ...ask('And?', 'turn-2')]));
    assert.equal(await row.count(), 0, 'the conversation went on');
  });

  it('F32 the row of a program that goes on says so, and that it ended when a reload took it', async () => {
    panel = await openPanel();
    const started = [...ranInSandbox({ forModel: 'p1 is running: make' }), end()];
    const state = panel.log.locator('.tool-state');
    const line = { id: 'p1', line: 'make', place: 'sandbox' as const };
    await panel.send(snapshot(started, { sections: { processes: [line] } }));
    await panel.log.locator('summary').first().click();
    assert.equal(await state.innerText(), 'Running');
    await panel.send({ type: 'info', info: panelInfo({ sections: { processes: [] } }) });
    assert.equal(await state.innerText(), 'Ended');
  });

  it('F31 offers to run outside what failed inside, and nothing else', async () => {
    const offer = button('Run Outside the Sandbox…');
    await panel.send(snapshot(ranInSandbox({ state: 'done' })));
    await panel.showSteps();
    for (const change of [
      { state: 'done' },
      { state: 'failed', place: 'outside' },
      { state: 'failed', place: undefined },
    ] as const) {
      await panel.send(snapshot(ranInSandbox(change as Parameters<typeof ranInSandbox>[0])));
      const row = panel.page.locator('details.tool');
      if ((await row.getAttribute('open')) === null) await row.locator('summary').click();
      await panel.page.locator('.tool-output').waitFor();
      assert.equal(await offer.count(), 0);
    }
    await panel.send(snapshot(ranInSandbox({ state: 'failed' })));
    await offer.click();
    assert.deepEqual((await posted()).at(-1), { type: 'runOutside', callId: 'c1' });
  });
});

describe('a question of the model', () => {
  beforeEach(() => open());
  afterEach(close);

  it('is answered by one of its options, once', async () => {
    await panel.send(snapshot(question));
    await panel.page.getByRole('group', { name: 'A question for you' }).getByText('Which date library').waitFor();
    assert.match((await panel.page.getByRole('alert').textContent()) ?? '', /^Question: Which date library/);
    await button('date-fns, as the newer screens do').click();
    assert.equal(await button('The one in src/legacy (moment)').count(), 0);
    assert.deepEqual(await posted(), [
      { type: 'answer', answer: { id: 'c1', kind: 'question', value: 'date-fns, as the newer screens do' } },
    ]);
  });

  it('is drawn like an answer, and said in words alone', async () => {
    const text = 'Keep **both** `a * b` and\n\n1. [the old one](src/old.ts)\n2. the new one?';
    const options = ['Only `src/**/new.ts`', '**Both**'];
    const asked = question.map((event): ChatEvent => {
      if (event.type === 'toolStarted') return { ...event, title: `Ask: ${text}` };
      return event.type === 'asked' && event.kind === 'question'
        ? { ...event, about: { callId: 'c1', text, options } }
        : event;
    });
    await panel.send(snapshot(asked));
    const card = panel.page.getByRole('group', { name: 'A question for you' });
    assert.equal(await card.locator('strong').textContent(), 'both');
    assert.equal(await card.locator('code').textContent(), 'a * b');
    assert.equal(await card.getByRole('listitem').count(), 2);
    assert.equal(
      await panel.page.getByRole('alert').textContent(),
      'Question: Keep both a * b and\n\nthe old one\nthe new one?',
    );
    await button('Only src/**/new.ts').click();
    assert.deepEqual(await posted(), [{ type: 'answer', answer: { id: 'c1', kind: 'question', value: options[0] } }]);
    await panel.events({ type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'question', value: options[0] ?? '' });
    assert.match(await panel.page.locator('details.tool summary').innerText(), /^Ask: Keep both a \* b and/);
    await panel.page.locator('details.tool summary').click();
    await panel.page.getByText('You answered: Only src/**/new.ts').waitFor();
  });

  it('ux 2.20 of consent has its choices and nothing else, the recommended one first', async () => {
    const options = ['Use the Sandbox', 'Ask Every Time', 'Skip'];
    const asked = question.map((event): ChatEvent => {
      if (event.type !== 'asked' || event.kind !== 'question') return event;
      return {
        ...event,
        about: { callId: 'c1', text: 'In a sandbox?', options, command: 'make', recommends: true },
      };
    });
    await panel.send(snapshot(asked));
    const card = panel.page.getByRole('group', { name: 'A question for you' });
    assert.deepEqual(await card.getByRole('button').allInnerTexts(), options);
    assert.equal(await card.getByRole('textbox').count(), 0);
    assert.equal(await card.locator('.primary').innerText(), 'Use the Sandbox');
  });

  it('is answered in one’s own words, never with nothing, and shows the answer afterwards', async () => {
    await panel.send(snapshot(question));
    const field = panel.page.getByRole('textbox', { name: 'Or answer in your own words' });
    await field.press('Enter');
    await field.fill('Temporal');
    await field.press('Enter');
    assert.deepEqual(await posted(), [{ type: 'answer', answer: { id: 'c1', kind: 'question', value: 'Temporal' } }]);
    await panel.events({ type: 'answered', turnId: 'turn-1', id: 'c1', kind: 'question', value: 'Temporal' });
    await panel.page.locator('details.tool summary').click();
    await panel.page.getByText('You answered: Temporal').waitFor();
  });
});

describe('the plan', () => {
  beforeEach(() => open());
  afterEach(close);

  it('F18 is one line with the step at hand, and unfolds to a list that says what is done', async () => {
    await panel.send(snapshot([...ask('Hi'), plan]));
    const strip = panel.page.getByRole('region', { name: 'Plan' });
    await strip.getByText('Plan: 2 of 5').waitFor();
    await strip.getByText('Adapt the three callers').click();
    assert.deepEqual(await strip.locator('li').allTextContents(), [
      'Done:Read the parser and its tests',
      'Done:Skip blank lines in parse()',
      'In progress:Adapt the three callers that count lines',
      'To do:Run the tests',
      'To do:Add a line to the changelog',
    ]);
    assert.equal(await strip.locator('[aria-current=step]').count(), 1);
  });

  it('F18 goes away when its answer has ended, also where the model left steps open', async () => {
    await panel.send(snapshot([...ask('Hi'), plan]));
    const strip = panel.page.getByRole('region', { name: 'Plan' });
    await strip.waitFor();
    await panel.events(end());
    assert.equal(await strip.count(), 0);
  });
});

describe('a tool at work', () => {
  beforeEach(() => open());
  afterEach(close);

  it('F15 shows the end of what it prints, how long it runs, and a way to stop it', async () => {
    const output = Array.from({ length: 150 }, (_, line) => `row ${line}\n`).join('');
    await panel.send(snapshot(runningCommand(Date.now() - 12_000, output)));
    const tail = panel.page.getByRole('group', { name: 'Live output' });
    await tail.getByText('row 149').waitFor();
    const last = () => tail.evaluate((box) => Math.abs(box.scrollTop) < 2 && box.scrollHeight > box.clientHeight + 50);
    assert.equal(await last(), true);
    await panel.events({ type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c1', text: 'more\n' });
    assert.equal(await last(), true);
    assert.equal(await panel.page.locator('.quiet-line > summary .words').textContent(), 'Running npm test');
    assert.match((await panel.page.locator('.quiet-line .duration').textContent()) ?? '', /^(\d\d s|\d min \d+ s)$/);
    await button('Stop Command').click();
    assert.deepEqual(await posted(), [{ type: 'stop' }]);
    await panel.events({ type: 'stopping', turnId: 'turn-1' });
    assert.equal(await button('Stop Command').count(), 0);
  });

  it('F15 ux 2.8 leads to the terminal of a running command, and says when it seems to wait for an answer there', async () => {
    await panel.send(snapshot(runningCommand(Date.now() - 12_000, 'Creating a project\nPackage name: ')));
    const hint = panel.page.getByText('It might be waiting for input');
    await hint.waitFor();
    await button('Show Terminal').click();
    assert.deepEqual(await posted(), [{ type: 'showTerminal', callId: 'c1' }]);
    await panel.events({ type: 'toolOutput', turnId: 'turn-1', step: 0, callId: 'c1', text: 'demo\nwriting\n' });
    await hint.waitFor({ state: 'detached' });
  });

  it('F35 U17 a subagent tells its price before, while it looks with a Stop of its own, and after, with what it saved', async () => {
    await panel.send(snapshot(subagents(Date.now() - 14_000)));
    const lines = panel.page.locator('.subagent-line p');
    assert.deepEqual(await lines.allTextContents(), [
      '$0.0041 of $0.0200 · Read src/calendar/recurring-events.ts 40–120',
      'usually $0.0100, at most $0.0200',
    ]);
    assert.equal(await panel.page.getByRole('group', { name: 'Live output' }).count(), 0);
    await button('Stop Subagent').first().click();
    assert.deepEqual(await posted(), [{ type: 'stopCall', callId: 'c1' }]);
    await panel.send(snapshot(subagents(0, true)));
    // 9,430 tokens that one request did without and 41,000 ahead; 600 less 9,000.
    assert.deepEqual(await lines.allTextContents(), [
      '$0.0041 · keeps ≈ 9,430 tokens out of each later request · saved ≈ $0.0166',
      '$0.0084 · keeps ≈ 600 tokens out of each later request · cost ≈ $0.0028 more than looking here',
    ]);
    assert.equal(await button('Stop Subagent').count(), 0);
    await panel.page.locator('.tool').first().locator('summary').click();
    await panel.page.getByText('Three: src/a.ts:12').first().waitFor();
  });

  it('F35 no subagent of another window can be stopped here, nor one that is being stopped', async () => {
    await panel.send(snapshot(subagents(0), { sections: { elsewhere: { since: 0 } as never } }));
    assert.equal(await button('Stop Subagent').count(), 0);
    await panel.send(snapshot(subagents(0)));
    await panel.events({ type: 'stopping', turnId: 'turn-1' });
    assert.equal(await button('Stop Subagent').count(), 0);
  });

  it('ux 2.2 names what a call is about that waits for its turn or is still being written', async () => {
    const waiting = calls([
      { id: 'c1', name: 'edit_file', arguments: '{"path":"src/a.ts","edits":[]}' },
      { id: 'c2', name: 'run_command', arguments: '{"command":"npm test"}' },
    ]);
    await panel.send(snapshot([...ask('Do it.'), ...waiting]));
    await panel.showSteps();
    assert.deepEqual(await panel.page.locator('.tool-title').allTextContents(), [
      'Edit file: src/a.ts',
      'Run command: npm test',
    ]);
  });

  it('ux 2.8 a long command is two lines until it is opened', async () => {
    const command = `for each in ${'one two three '.repeat(30)}; do echo it; done`;
    const call = { id: 'c1', name: 'run_command', title: `Run ${command}`, arguments: '{}', output: 'it' };
    await panel.send(snapshot([...ask('Run it.'), ...toolStep('', [call])]));
    await panel.showSteps();
    const title = panel.page.locator('.tool-title');
    const lines = () =>
      title.evaluate((element) =>
        Math.round(element.clientHeight / Number.parseFloat(getComputedStyle(element).lineHeight)),
      );
    assert.equal(await lines(), 2);
    assert.equal(await title.getAttribute('title'), `Run ${command}`);
    await panel.page.locator('details.tool summary').click();
    assert.ok((await lines()) > 3);
  });

  it('F14 ux 2.20 the steps of an answer are one line, which says what was done and unfolds to them', async () => {
    await panel.send(snapshot([...sevenReads, end()]));
    const line = panel.page.locator('.quiet-line > summary');
    assert.equal(await line.innerText(), 'Read 7 files · 1 s');
    const cards = panel.page.locator('details.tool');
    assert.equal(await cards.count(), 0);
    await line.press('Enter');
    await cards.last().waitFor();
    assert.equal(await cards.count(), 7);
    await line.press('Enter');
    await cards.last().waitFor({ state: 'detached' });
    assert.equal(await cards.count(), 0);
  });

  it('F19 F30 shows a change that was made as a diff, in whatever language it is told', async () => {
    const output = 'Geändert: src/a.ts, +1 −1, Zeile 3\n@@ -3,1 +3,1 @@\n-old\n+new';
    const call = { id: 'c1', name: 'edit_file', title: 'Edit src/a.ts', arguments: '{"path":"src/a.ts"}', output };
    await panel.send(snapshot([...ask('Edit'), ...toolStep('', [call]), end()]));
    await panel.page.locator('details.tool summary').click();
    await panel.page.getByText('Geändert: src/a.ts, +1 −1, Zeile 3').waitFor();
    assert.equal(await panel.page.locator('ins.row').textContent(), '+new');
    assert.equal(await panel.page.locator('del.row').textContent(), '−old');
  });
});

describe('the Changes bar', () => {
  beforeEach(() => open());
  afterEach(close);

  it('F16 says what was restored above the composer, with the way back, and covers nothing', async () => {
    await panel.send(snapshot([], { sections: strips.restored('2 files restored. Left unchanged: src/a\u202e.ts') }));
    const line = panel.page.getByRole('region', { name: 'Restored' });
    await line.getByText('2 files restored. Left unchanged: src/a␣U+202E.ts').waitFor();
    await line.getByRole('button', { name: 'Undo Restore' }).click();
    await line.getByRole('button', { name: 'Dismiss' }).click();
    const sent = (await panel.posted()).filter(({ type }) => type === 'section');
    assert.deepEqual(sent, [
      { type: 'section', key: 'lines', action: { line: 'restored', action: 'undo' } },
      { type: 'section', key: 'lines', action: { line: 'restored', action: 'dismiss' } },
    ]);
  });

  it('ux 2.10 a call whose proposal is reviewed says that it waits for its user, and leads to the diff', async () => {
    const [file, ...others] = edits;
    assert.ok(file);
    const reviewed: ChatEvent[] = [
      ...ask('Change it.'),
      ...calls([
        { id: 'c1', name: 'edit_file', arguments: '{"path":"src/parse.ts"}' },
        { id: 'c2', name: 'run_command' },
      ]),
      {
        type: 'toolStarted',
        turnId: 'turn-1',
        step: 0,
        callId: 'c1',
        name: 'edit_file',
        title: 'Edit it',
        at: Date.now(),
      },
    ];
    await panel.send(snapshot(reviewed, { edits: [{ ...file, proposed: true }, ...others] }));
    await panel.page.getByText('Waiting for your review').waitFor();
    await panel.page.getByText('Waiting for you to keep or undo the proposal.').waitFor();
    assert.equal(await panel.page.getByText('Editing parse.ts').count(), 0);
    await button('Show Diff').click();
    assert.deepEqual(await posted(), [{ type: 'editedFile', action: 'open', uri: file.uri }]);
    await panel.send({ type: 'info', info: panelInfo({ edits: others }) });
    await panel.page.getByText('Editing parse.ts').waitFor();
    assert.equal(await button('Show Diff').count(), 0);
  });

  it('ux 2.9 marks a proposal that a reload left open', async () => {
    await panel.send(snapshot([], { edits: edits.map((file, at) => (at === 0 ? { ...file, expired: true } : file)) }));
    const bar = panel.page.getByRole('region', { name: 'Changes' });
    await bar.locator('.strip-toggle').click();
    assert.equal(await bar.getByText('Expired').count(), 1);
  });

  it('ux 2.10 tells a file that is new or gone from one that was edited', async () => {
    const [first, second, ...others] = edits;
    assert.ok(first && second);
    await panel.send(snapshot([], { edits: [{ ...first, is: 'deleted' }, { ...second, is: 'new' }, ...others] }));
    await panel.page.getByRole('button', { name: '3 files' }).click();
    const rows = panel.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
    assert.match(await rows.nth(0).innerText(), /parse\.ts\s+Deleted/);
    assert.match(await rows.nth(1).innerText(), /count-lines\.ts\s+New/);
    assert.doesNotMatch(await rows.nth(2).innerText(), /Deleted|New/);
  });

  it('ux 2.10 says under which name a file was before it was renamed', async () => {
    const [file, ...others] = edits;
    assert.ok(file);
    const renamedFrom = 'lib/\u202eold.ts';
    await panel.send(snapshot([], { edits: [{ ...file, added: 0, removed: 0, renamedFrom }, ...others] }));
    await panel.page.getByRole('button', { name: '3 files' }).click();
    const rows = panel.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
    assert.match(await rows.nth(0).innerText(), /parse\.ts\s+Renamed from lib\/[^\u202e]*old\.ts/);
    assert.doesNotMatch(await rows.nth(1).innerText(), /Renamed/);
  });

  it('U19 names the other chats that have edits in a file', async () => {
    const [first, second, ...others] = edits;
    assert.ok(first && second);
    const rows = [{ ...first, alsoIn: ['Tidy \u202eup', 'Tests'] }, { ...second, alsoIn: [''] }, ...others];
    await panel.send(snapshot([], { edits: rows }));
    await panel.page.getByRole('button', { name: '3 files' }).click();
    const items = panel.page.getByRole('list', { name: 'Changed files' }).getByRole('listitem');
    const titleOf = (at: number) => items.nth(at).getByText('Shared', { exact: true }).getAttribute('title');
    assert.match(
      (await titleOf(0)) ?? '',
      /^Also edited in: Tidy [^\u202e]*up, Tests\. Those edits stay as they are\.$/,
    );
    assert.match((await titleOf(1)) ?? '', /^Another chat/);
    assert.equal(await items.nth(2).getByText('Shared', { exact: true }).count(), 0);
  });

  it('F17 says in the transcript what became of each edit', async () => {
    const tools = ['c1', 'c2', 'c3', 'c4'].map((id) => {
      const title = `Edit ${id}.ts`;
      return { id, name: 'edit_file', title, arguments: '{}', output: `Edited ${id}.ts: +1 −1, line 3` };
    });
    const editOutcomes = { c1: 'kept', c2: 'undone', c3: 'partly' } as const;
    await panel.send(snapshot([...ask('Do it.'), ...toolStep('Four files.', tools), end()], { editOutcomes }));
    const states = panel.page.locator('.tool .tool-state');
    await states.nth(3).waitFor();
    const texts = (await states.allInnerTexts()).map((text) => text.trim());
    assert.deepEqual(texts, ['Kept', 'Undone', 'Partly kept', 'Done']);
  });

  it('F17 counts the parts of an edit while some of them are not decided', async () => {
    const tools = ['c1', 'c2', 'c3', 'c4'].map((id) => {
      const title = `Edit ${id}.ts`;
      return { id, name: 'edit_file', title, arguments: '{}', output: `Edited ${id}.ts: +3 −3, line 3` };
    });
    const editOutcomes = { c1: 'kept', c2: 'undone', c3: 'partly', c4: 'kept' } as const;
    const editParts = {
      c1: { kept: 1, undone: 0, open: 2 },
      c2: { kept: 0, undone: 2, open: 1 },
      c3: { kept: 1, undone: 1, open: 1 },
      c4: { kept: 3, undone: 0, open: 0 },
    };
    const turn = [...ask('Do it.'), ...toolStep('Four files.', tools), end()];
    await panel.send(snapshot(turn, { editOutcomes, editParts }));
    const states = panel.page.locator('.tool .tool-state');
    await states.nth(3).waitFor();
    const texts = (await states.allInnerTexts()).map((text) => text.trim());
    assert.deepEqual(texts, ['1 of 3 kept', '2 of 3 undone', '1 of 3 kept, 1 undone', 'Kept']);
  });

  it('F20 sums up the edits and decides on all of them', async () => {
    await panel.send(snapshot([], { edits }));
    const bar = panel.page.getByRole('region', { name: 'Changes' });
    await bar.getByText('3 files').waitFor();
    await bar.getByText('Lines added: 120, removed: 14').waitFor();
    for (const name of ['Keep All', 'Undo All', 'Review']) await button(name).click();
    assert.deepEqual(await posted(), [
      { type: 'edits', action: 'keepAll' },
      { type: 'edits', action: 'undoAll' },
      { type: 'edits', action: 'review' },
    ]);
    await panel.send({ type: 'info', info: panelInfo() });
    assert.equal(await bar.count(), 0);
  });

  it('F20 lists the files, to open, keep or undo each by keyboard', async () => {
    await panel.send(snapshot([], { edits }));
    const toggle = panel.page.getByRole('button', { name: '3 files' });
    await toggle.focus();
    await panel.page.keyboard.press('Enter');
    assert.equal(await panel.page.getByRole('list', { name: 'Changed files' }).locator('li').count(), 3);
    for (const key of ['Tab', 'Tab', 'Tab', 'Tab', 'Enter', 'Tab', 'Enter', 'Tab', 'Enter']) {
      await panel.page.keyboard.press(key);
    }
    const uri = 'file:///w/src/parse.ts';
    assert.deepEqual(await posted(), [
      { type: 'editedFile', action: 'open', uri },
      { type: 'editedFile', action: 'keep', uri },
      { type: 'editedFile', action: 'undo', uri },
    ]);
  });
});

describe('the plan of a conversation', () => {
  beforeEach(() => open());
  afterEach(close);
  const priced = { steps: 6, freshMicroUsd: 50_342, hereMicroUsd: 139_442, capMicroUsd: 210_000 };

  it('F44 U1 names both ways to carry it out with what they usually cost, and where the run stops', async () => {
    await panel.send(snapshot(turn('Plan it.', 'Written.'), { sections: { plan: priced } }));
    await button('Start · 6 steps · usually $0.05 · stops at $0.21 · Agent').click();
    await button('Continue Here · usually $0.14').click();
    await button('Open Plan').click();
    assert.deepEqual(await posted(), [
      { type: 'section', key: 'plan', action: 'start' },
      { type: 'section', key: 'plan', action: 'goOnHere' },
      { type: 'section', key: 'plan', action: 'open' },
    ]);
  });

  it('F44 is not started twice: once it is, its run is shown; while a turn runs neither can be begun', async () => {
    await panel.send(snapshot(turn('Plan it.', 'Written.'), { sections: { plan: { ...priced, started: 'fresh' } } }));
    assert.equal(await panel.page.getByRole('button', { name: /^Start/ }).count(), 0);
    await button('Show Run').click();
    await panel.send(snapshot(turn('Plan it.', 'Written.'), { sections: { plan: { ...priced, started: 'here' } } }));
    assert.equal(await button('Show Run').count(), 0);
    await panel.send(snapshot(ask('Plan it.'), { sections: { plan: priced } }));
    assert.equal(await panel.page.getByRole('region', { name: 'Plan', exact: true }).count(), 0);
    assert.deepEqual(await posted(), [{ type: 'section', key: 'plan', action: 'start' }]);
  });

  it('F44 U4 shows how much of its cap a run has spent', async () => {
    await panel.send(snapshot([{ type: 'budgetSet', microUsd: 210_000 }, ...turn('Carry it out.', 'Done.')]));
    assert.match(await panel.page.locator('.budget').innerText(), /^\$0\.\d+ of \$0\.21$/);
  });
});

describe('the queue', () => {
  beforeEach(() => open());
  afterEach(close);
  const withQueue = (paused = false, items = queue) => ({ queue: { items: [...items], paused } });

  it('takes a message while a turn runs, and announces it', async () => {
    await panel.send(snapshot(ask('Hi')));
    await panel.input.fill('and then this');
    await panel.input.press('Enter');
    assert.deepEqual(await posted(), [{ type: 'queue', text: 'and then this' }]);
    assert.equal(await panel.input.inputValue(), '');
    await panel.page.getByRole('status').getByText('Queued').waitFor();
  });

  it('keeps the text when ten wait already', async () => {
    const ten = Array.from({ length: 10 }, (_, index) => ({ id: `q${index}`, text: 'x' }));
    await panel.send(snapshot(ask('Hi'), withQueue(false, ten)));
    await panel.input.fill('one more');
    await panel.input.press('Enter');
    await panel.page.getByRole('status').getByText('The queue is full').waitFor();
    await panel.page.locator('.composer-note', { hasText: 'The queue is full' }).waitFor();
    assert.deepEqual(await posted(), []);
    assert.equal(await panel.input.inputValue(), 'one more');
  });

  it('edits, moves, sends and removes what waits, by button and by Alt+arrow', async () => {
    await panel.send(snapshot([...ask('Hi'), end('turn-1', { outcome: 'stopped' })], withQueue(true)));
    await button('Edit message 1').click();
    await button('Move message 1 up').click({ force: true });
    await button('Send message 2 now').click();
    await button('Remove message 2').click();
    await button('Edit message 2').press('Alt+ArrowUp');
    await button('Edit message 2').press('Alt+ArrowDown');
    assert.deepEqual(await posted(), [
      { type: 'queueEdit', id: 'q1', action: 'edit' },
      { type: 'queueEdit', id: 'q2', action: 'sendNow' },
      { type: 'queueEdit', id: 'q2', action: 'remove' },
      { type: 'queueMove', id: 'q2', by: -1 },
    ]);
  });

  it('ux 2.14 moves a message to where it is dragged, and shows the place', async () => {
    const three = [...queue, { id: 'q3', text: 'and last of all' }];
    await panel.send(snapshot(ask('Hi'), withQueue(false, three)));
    const rows = panel.page.locator('.queue li');
    const [first, last] = [rows.first(), rows.last()];
    await first.hover();
    await panel.page.mouse.down();
    const box = await last.boundingBox();
    assert.ok(box);
    // The first move over a row enters it, the second one is over it.
    for (const step of [0, 2]) await panel.page.mouse.move(box.x + 20 + step, box.y + box.height - 4);
    await panel.page.locator('.queue li.drop-after').waitFor();
    await panel.page.mouse.up();
    assert.equal(await panel.page.locator('.drop-after, .drop-before, .dragged').count(), 0);
    await last.dragTo(first, { targetPosition: { x: 20, y: 3 } });
    // On itself and beside itself it stays.
    await rows.nth(1).dragTo(first, { targetPosition: { x: 20, y: box.height - 3 } });
    assert.deepEqual(await posted(), [
      { type: 'queueMove', id: 'q1', by: 2 },
      { type: 'queueMove', id: 'q3', by: -2 },
    ]);
    assert.equal(await panel.page.locator('.composer.dropping').count(), 0);
  });

  it('keeps the focus on a message that moves', async () => {
    await panel.send(snapshot(ask('Hi'), withQueue()));
    await button('Move message 1 down').press('Enter');
    await panel.send({ type: 'info', info: panelInfo(withQueue(false, queue.toReversed())) });
    assert.equal(await button('Move message 2 down').evaluate(isFocused), true);
  });

  const priced = queue.map((item) => ({ ...item, nextStepMicroUsd: 198 }));
  const armed = priced.map((item) => ({ ...item, atNextStep: true as const }));
  const steering = (items: typeof priced) => ({ queue: { items, paused: false, lostMicroUsd: 6600 } });

  it('F43 U1 names both ways into a running answer with their prices, and a click takes either', async () => {
    await panel.send(snapshot(ask('Hi'), steering(priced)));
    await panel.events({ type: 'requestSent', turnId: 'turn-1', step: 1, model: 'svc/glm-5.3', at: Date.now() });
    const row = panel.page.locator('.queue li').first();
    assert.match(
      (await row.innerText()).replaceAll('\u00a0', ' '),
      /Add to This Answer · ≈ \$0\.0002\s+Stop and Send · wastes ≈ \$0\.0066/,
    );
    const way = (name: RegExp) => panel.page.getByRole('button', { name });
    await way(/^Add to This Answer · ≈.\$0\.0002: message 1$/).click();
    await panel.send({ type: 'info', info: panelInfo(steering(armed)) });
    const armedRow = way(/^At the next step · ≈.\$0\.0002: message 1$/);
    assert.equal(await armedRow.getAttribute('aria-pressed'), 'true');
    await armedRow.click();
    await way(/^Stop and Send · wastes ≈.\$0\.0066: message 2$/).click();
    assert.deepEqual(await posted(), [
      { type: 'queueEdit', id: 'q1', action: 'atNextStep' },
      { type: 'queueEdit', id: 'q1', action: 'later' },
      { type: 'queueEdit', id: 'q2', action: 'sendNow' },
    ]);
  });

  it('F43 says what a message for the next step waits for: a long command, which can be stopped alone, or an answer', async () => {
    await panel.send(snapshot(runningCommand(Date.now() - 80_000), steering(armed)));
    await panel.page
      .getByText(/After npm test \(1:2\d\)/)
      .first()
      .waitFor();
    await button('Stop Command').click();
    assert.deepEqual(await posted(), [{ type: 'stopCall', callId: 'c1' }]);
    await panel.send(snapshot(question, steering(armed)));
    await panel.page.getByText('At the next step, after your answer').first().waitFor();
  });

  for (const [whileBusy, plain, alt] of [
    ['queue', {}, { when: 'nextStep' }],
    ['nextStep', { when: 'nextStep' }, {}],
  ] as const) {
    it(`F43 Alt+Enter does the other, where it is ${whileBusy} without`, async () => {
      for (const [sendKey, key] of [
        ['enter', 'Enter'],
        ['ctrlEnter', 'Alt+Enter'],
      ] as const) {
        await panel.send(snapshot(ask('Hi'), { whileBusy, sendKey }));
        for (const keys of [key, 'Alt+Enter']) {
          await panel.input.fill(`a word by ${keys}`);
          await panel.input.press(keys);
          const when = keys === 'Enter' ? plain : alt;
          assert.deepEqual((await posted()).at(-1), { type: 'queue', text: `a word by ${keys}`, ...when });
        }
      }
    });
  }

  it('F43 shows what was said to a running answer where the model heard it, as the words of their writer', async () => {
    const messages = [
      { id: 's1', text: 'Only the tests.', attachments: [{ id: 'a', label: 'a.test.ts', text: 'x' }] },
      { id: 's2', text: '<b>And</b> be brief.', attachments: [] },
    ];
    await panel.send(
      snapshot([
        ...ask('Hi'),
        say('First this.'),
        { type: 'steered', turnId: 'turn-1', step: 0, at: 0, messages },
        say('Then that.', 'turn-1', 1),
      ]),
    );
    const said = panel.page.locator('.answer .steered');
    assert.equal(await said.getByRole('heading', { name: 'You (during the answer)' }).count(), 1);
    assert.deepEqual(await said.locator('.prompt').allInnerTexts(), ['Only the tests.', '<b>And</b> be brief.']);
    const order = await panel.page.locator('.answer').innerText();
    assert.match(order, /First this\.[\s\S]*Only the tests\.[\s\S]*Then that\./);
  });

  it('stays paused until its writer says so', async () => {
    await panel.send(snapshot([...ask('Hi'), end('turn-1', { outcome: 'stopped' })], withQueue(true)));
    await panel.page.getByText('Queue paused').waitFor();
    await button('Resume Queue').click();
    await button('Discard').click();
    assert.deepEqual(await posted(), [
      { type: 'queueResume', action: 'resume' },
      { type: 'queueResume', action: 'discard' },
    ]);
  });
});

describe('the conversation of an agent', () => {
  beforeEach(() => open());
  afterEach(close);

  it('F16 offers to put files back once the turn that changed them has ended', async () => {
    const taken: ChatEvent = { type: 'checkpointTaken', turnId: 'turn-1', checkpointId: 'k1', paths: ['a.ts'] };
    await panel.send(snapshot([...turn('First', 'Hello', 'turn-0'), ...ask('Edit a'), taken]));
    assert.equal(await button('Restore Files to This Point').count(), 0);
    await panel.events(say('Done'), end());
    const prompt = panel.page.getByRole('article', { name: 'You' }).filter({ hasText: 'Edit a' });
    await prompt.hover();
    await prompt.getByRole('button', { name: 'Restore Files to This Point' }).click();
    assert.equal(await button('Restore Files to This Point').count(), 1);
    assert.deepEqual(await posted(), [{ type: 'restoreCheckpoint', turnId: 'turn-1' }]);
  });

  it('U13 draws a line where the conversation was compacted, which the arrow keys reach', async () => {
    const compacted: ChatEvent = {
      type: 'compacted',
      turnId: 'turn-9',
      summary: 'The user wants **tests**.',
      tokensBefore: 48_200,
      tokensAfter: 3100,
    };
    await panel.send(snapshot([...richTurn, compacted]));
    const line = panel.page.getByRole('article', { name: 'Compacted' });
    await line.getByText('3,100 tokens instead of 48,200').waitFor();
    await panel.input.press('Control+ArrowUp');
    assert.equal(await line.evaluate(isFocused), true);
    await line.locator('summary').click();
    assert.equal(await line.locator('strong').textContent(), 'tests');
  });

  it('the pill to the latest text hides what is behind it at 220 px', async () => {
    await close();
    await open({ width: 220, height: 400, theme: 'light' });
    await panel.send(snapshot(turn('Hi', 'many words '.repeat(200))));
    await panel.log.evaluate((log) => {
      log.scrollTop = 0;
    });
    const pill = button('Latest');
    await pill.waitFor();
    const look = await pill.evaluate((element) => {
      const { backgroundColor, opacity } = getComputedStyle(element);
      const box = element.getBoundingClientRect();
      const top = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      return { backgroundColor, opacity, covers: element.contains(top), lines: box.height };
    });
    assert.deepEqual(
      { ...look, lines: 0 },
      { backgroundColor: 'rgb(248, 248, 248)', opacity: '1', covers: true, lines: 0 },
    );
    assert.ok(look.lines < 32, `${look.lines} px high`);
  });
});
