import assert from 'node:assert/strict';
import type { Locator } from 'playwright-core';
import type { ApprovalAnswer } from '../../src/shared/approval.ts';
import type { ChatEvent } from '../../src/shared/events.ts';
import type { PanelMessage } from '../../src/shared/panel/protocol.ts';
import { approvals, edits, request, subjects } from './agent-fixtures.ts';
import { end, snapshot } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

describe('an approval', () => {
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await openPanel();
  });
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });
  const card = (tool: string) => panel.page.getByRole('group', { name: `Approval needed: ${tool}` });
  const button = (name: string) => panel.page.getByRole('button', { name, exact: true });
  /** Also one that is shown as disabled. */
  const press = (name: string) => button(name).click({ force: true });
  const answers = async () =>
    (await panel.posted()).flatMap((message: PanelMessage) =>
      message.type === 'answer' && message.answer.kind === 'approval'
        ? [[message.answer.id, message.answer.value]]
        : [],
    );
  const allowed = { decision: 'allow', scope: 'once' };
  const answered = (callId: string, answer: ApprovalAnswer): ChatEvent => ({
    type: 'answered',
    turnId: 'turn-1',
    id: callId,
    kind: 'approval',
    value: answer,
  });
  const long = (lines: number) => Array.from({ length: lines }, (_, line) => `+line ${line}`).join('\n');
  const longEdit = { ...subjects.edit, diff: `@@ -0,0 +1,612 @@\n${long(612)}`, added: 612 };

  it('X25 shows the whole command with its folder and shell, and what to look at', async () => {
    const warnings = ['Deletes files.'];
    await panel.send(snapshot(approvals(request(subjects.command, { warnings }))));
    const group = card('run_command');
    await group.getByText('npm test -- --grep "blank lines"').waitFor();
    await group.getByText('/work/parser').waitFor();
    await group.getByText('bash', { exact: true }).waitFor();
    await group.getByText('Deletes files.').waitFor();
  });

  it('F38 X25 shows the whole address of a page and its domain, and says what an answer for the conversation holds for', async () => {
    const scopes = ['once' as const, 'conversation' as const];
    await panel.send(snapshot(approvals(request(subjects.fetch, { scopes }))));
    const group = card('fetch_url');
    await group.getByRole('heading', { name: 'Fetch this page?' }).waitFor();
    assert.equal(await group.getByRole('group', { name: 'Address' }).textContent(), subjects.fetch.url);
    await group.getByText(subjects.fetch.domain, { exact: true }).waitFor();
    assert.doesNotMatch((await button('Allow Once').getAttribute('class')) ?? '', /primary/);
    await press('More Choices');
    await press('Allow This Domain for This Conversation');
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'conversation' }]]);
  });

  it('X25 writes out line breaks, direction marks and long blanks, and wraps instead of hiding', async () => {
    const command = `ls${' '.repeat(400)}; rm -rf ~\r\u202e`;
    await panel.send(snapshot(approvals(request({ ...subjects.command, command, cwd: '/a\n/b' }))));
    const text = await panel.page.getByRole('group', { name: 'Command', exact: true }).textContent();
    assert.equal(text, `ls${' '.repeat(400)}; rm -rf ~␍␣U+202E`);
    const wide = await panel.page
      .getByRole('group', { name: 'Command', exact: true })
      .evaluate((box) => box.scrollWidth > box.clientWidth);
    assert.equal(wide, false);
    await panel.page.getByText('/a␊/b').waitFor();
  });

  it('X25 X45 joins no signs to others, and piles no marks over the lines around them', async () => {
    const command = `echo a${'\u030d'.repeat(500)}`;
    await panel.send(snapshot(approvals(request({ ...subjects.command, command, cwd: '/a\u00a0b' }))));
    const box = panel.page.getByRole('group', { name: 'Command', exact: true });
    assert.ok((await box.textContent())?.endsWith(`${'\u030d'.repeat(8)}${'␣U+030D'.repeat(492)}`));
    const folder = card('run_command').locator('.facts dd').first();
    assert.equal(await folder.textContent(), '/a␣U+00A0b');
    for (const exact of [box, folder])
      assert.equal(await exact.evaluate((element) => getComputedStyle(element).fontVariantLigatures), 'none');
  });

  it('X45 draws command, paths and changes letter by letter from left to right, whatever the letters are', async () => {
    const turning = 'x אבג > דהו 12 ا٣ب y';
    const shown = async (box: ReturnType<typeof card>) =>
      box.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const places: number[] = [];
        for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
          const text = node.textContent ?? '';
          for (let at = 0; at < text.length; at++) {
            const range = document.createRange();
            range.setStart(node, at);
            range.setEnd(node, at + 1);
            if ((text[at] ?? ' ') !== ' ') places.push(range.getBoundingClientRect().left);
          }
        }
        return places;
      });
    const ascends = (places: readonly number[]) =>
      places.every((place, at) => at === 0 || place > (places[at - 1] ?? 0));
    await panel.send(snapshot(approvals(request({ ...subjects.command, command: turning, cwd: `/${turning}` }))));
    const command = await shown(panel.page.getByRole('group', { name: 'Command', exact: true }));
    assert.ok(command.length > 10 && ascends(command), command.join());
    const folder = await shown(card('run_command').locator('.facts dd').first());
    assert.ok(folder.length > 10 && ascends(folder), folder.join());
    const diff = `@@ -0,0 +1 @@\n+${turning}`;
    await panel.send(snapshot(approvals(request({ ...subjects.edit, diff, path: turning }))));
    const line = await shown(panel.page.locator('.diff ins span').nth(1));
    assert.ok(line.length > 10 && ascends(line), line.join());
  });

  it('X42 asks its own question before everything below a folder is searched', async () => {
    const subject = { ...subjects.read, path: '/home/me', scope: 'below' } as const;
    await panel.send(snapshot(approvals(request(subject))));
    await panel.page.getByText('Search everything below this folder?').waitFor();
    assert.equal(await panel.page.locator('.allow.primary').count(), 0);
  });

  it('X22 X25 marks added and removed lines by sign, and shows blanks and what is invisible', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit))));
    const region = panel.page.getByRole('group', { name: 'Changes to src/parse.ts' });
    assert.equal(await region.locator('ins').count(), 3);
    assert.equal(await region.locator('del').count(), 2);
    assert.deepEqual(await region.locator('ins .sign').allTextContents(), ['+', '+', '+']);
    assert.deepEqual(await region.locator('del .sign').allTextContents(), ['−', '−']);
    await region.getByText('// a␣U+200Bb').waitFor();
    assert.equal(await region.locator('.blanks').textContent(), '··');
    assert.equal(await region.getAttribute('tabindex'), '0');
    await card('edit_file').getByText('Lines added: 3, removed: 2').waitFor();
  });

  it('allows once, skips, and offers what was offered and nothing else', async () => {
    await panel.send(snapshot(approvals(request(subjects.command, { scopes: ['once', 'conversation'] }))));
    await button('More Choices').click();
    assert.equal(await button('Always Allow Here').count(), 0);
    await button('Allow for This Conversation').click();
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'conversation' }]]);
    assert.equal(await button('Allow Once').count(), 0);
  });

  it('ux 2.10 an ordinary edit asks how all edits of the conversation are to be done', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit, { scopes: ['once', 'conversation', 'review'] }))));
    await card('edit_file').getByRole('heading', { name: 'Edit parse.ts?' }).waitFor();
    const row = card('edit_file').locator('.actions').first();
    const names = await row.getByRole('button').allInnerTexts();
    assert.deepEqual(
      names.slice(0, 3).map((name) => name.split('\n')[0]?.replace(/ ?Ctrl.*/, '')),
      ['Allow Once', 'Skip', 'Allow in This Chat'],
      'one question',
    );
    await button('More Choices').click();
    assert.equal(await button('Allow for This Conversation').count(), 0);
    await button('Allow in This Chat').click();
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'conversation' }]]);
  });

  it('ux 2.10 Review Each needs no look at all lines: nothing is written before the diff', async () => {
    await panel.send(snapshot(approvals(request(longEdit, { scopes: ['once', 'conversation', 'review'] }))));
    await press('Allow in This Chat');
    assert.deepEqual(await answers(), []);
    await button('More Choices').click();
    await button('Review Each Edit in the Diff').click();
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'review' }]]);
  });

  it('X25 the button that allows stands out only where nothing is warned of', async () => {
    const isPrimary = () => panel.page.locator('.allow').evaluate((element) => element.classList.contains('primary'));
    await panel.send(snapshot(approvals(request(subjects.edit))));
    assert.equal(await isPrimary(), true);
    const warned = request(subjects.edit, { warnings: ['Adds 2 characters that cannot be seen.'] });
    await panel.send(snapshot(approvals(warned)));
    await panel.page.getByText('Adds 2 characters').waitFor();
    assert.equal(await isPrimary(), false);
  });

  it('X26 a protected file offers nothing for the conversation', async () => {
    await panel.send(snapshot(approvals(request({ ...subjects.edit, isProtected: true }, { scopes: ['once'] }))));
    await button('Allow Once').waitFor();
    await button('More Choices').click();
    assert.equal(await button('Review Each Edit in the Diff').count(), 0);
    assert.equal(await button('Allow in This Chat').count(), 0);
  });

  it('X27 offers to remember exactly this command when the host does', async () => {
    await panel.send(snapshot(approvals(request(subjects.command, { scopes: ['once', 'always'] }))));
    await button('More Choices').click();
    await button('Always Allow Here').click();
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'always' }]]);
  });

  it('X27 offers any arguments with the words of the host alone', async () => {
    await panel.send(
      snapshot(approvals(request(subjects.command, { scopes: ['once', 'always'], beginning: 'npm test' }))),
    );
    await button('More Choices').click();
    await button('Always Allow npm test with Any Arguments').click();
    assert.deepEqual(await answers(), [['c1', { decision: 'allow', scope: 'arguments' }]]);
  });

  it('tells the model why it was denied, and no key in that field approves', async () => {
    await panel.send(snapshot(approvals(request(subjects.command))));
    await button('More Choices').click();
    await button('Deny and Tell the Model…').click();
    const field = panel.page.getByRole('textbox', { name: 'Why not? The model sees your reason.' });
    assert.equal(await field.evaluate((element) => element === document.activeElement), true);
    await field.fill('Use pnpm here');
    await field.press('Escape');
    assert.deepEqual(await answers(), []);
    await button('Deny and Tell the Model…').click();
    await field.fill('Use pnpm here');
    await field.press('Control+Enter');
    assert.deepEqual(await answers(), [['c1', { decision: 'deny', reason: 'Use pnpm here' }]]);
  });

  it('takes no focus, and Enter in the composer never approves', async () => {
    await panel.send(snapshot());
    await panel.input.focus();
    await panel.events(...approvals(request(subjects.edit)));
    assert.equal(await panel.input.evaluate((element) => element === document.activeElement), true);
    await panel.input.press('Enter');
    await panel.input.press('Shift+Enter');
    await panel.input.fill('go on');
    await panel.input.press('Enter');
    assert.deepEqual(await answers(), []);
  });

  it('takes the focus when it is asked for: the oldest that still waits, and the composer when none does', async () => {
    const hasFocus = (element: Locator) => element.evaluate((one) => one === document.activeElement);
    const two = approvals(request(subjects.edit), request(subjects.command, { callId: 'c2' }));
    await panel.send(snapshot(two), { type: 'focusApproval' });
    assert.equal(await hasFocus(card('edit_file')), true);
    await panel.send({ type: 'focusInput' });
    assert.equal(await hasFocus(panel.input), true);
    await panel.events(answered('c1', { decision: 'allow', scope: 'once' }));
    await panel.send({ type: 'focusApproval' });
    assert.equal(await hasFocus(card('run_command')), true);
    await panel.events(answered('c2', { decision: 'skip' }));
    await panel.send({ type: 'focusApproval', late: true });
    assert.equal(await hasFocus(panel.input), true);
  });

  it('Ctrl+Enter allows the oldest, Ctrl+Alt+Enter skips it', async () => {
    const two = approvals(request(subjects.edit), request(subjects.command, { callId: 'c2' }));
    await panel.send(snapshot(two));
    await panel.input.press('Control+Enter');
    await panel.events(answered('c1', { decision: 'allow', scope: 'once' }));
    await panel.input.press('Control+Alt+Enter');
    assert.deepEqual(await answers(), [
      ['c1', allowed],
      ['c2', { decision: 'skip' }],
    ]);
  });

  it('has its buttons on two lines at most in the narrowest side bar, on one where there is room', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit, { scopes: ['once', 'conversation', 'review'] }))));
    const actions = card('edit_file').locator('.actions').first();
    for (const width of [220, 260, 300, 340, 640]) {
      await panel.page.setViewportSize({ width, height: 900 });
      const ends = await actions
        .getByRole('button')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().bottom)));
      assert.equal(new Set(ends).size, width < 640 ? 2 : 1, `${width} px: ${ends}`);
    }
  });

  it('Ctrl+Enter allows the one that has the focus, and only its label says so', async () => {
    const two = approvals(request(subjects.edit), request(subjects.command, { callId: 'c2' }));
    await panel.send(snapshot(two));
    const hints = () => panel.page.locator('.allow .key').evaluateAll((all) => all.map((key) => key.checkVisibility()));
    assert.deepEqual(await hints(), [true, false]);
    await card('run_command').getByRole('button', { name: 'Skip' }).focus();
    assert.deepEqual(await hints(), [false, true]);
    await panel.page.keyboard.press('Control+Enter');
    assert.deepEqual(await answers(), [['c2', allowed]]);
  });

  it('X25 a key that is held down, or meant for a text that is being written, approves nothing', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit))));
    await panel.input.evaluate((element) =>
      element.dispatchEvent(
        new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, repeat: true, bubbles: true, cancelable: true }),
      ),
    );
    assert.deepEqual(await answers(), []);
    await panel.send({ ...snapshot([], {}, 'half a thou'), draftReplaced: true });
    await panel.events(...approvals(request(subjects.command)));
    await panel.input.press('Control+Enter');
    assert.deepEqual(await answers(), []);
    assert.equal(await panel.input.inputValue(), 'half a thou');
  });

  it('leaves Ctrl+Enter to the composer where it sends', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit)), { sendKey: 'ctrlEnter' }, 'next'));
    await panel.input.press('Control+Enter');
    assert.deepEqual(await answers(), []);
    assert.deepEqual((await panel.posted()).at(-1), { type: 'queue', text: 'next' });
  });

  it('X25 wants more than 500 lines to be shown before they can be allowed', async () => {
    await panel.send(snapshot(approvals(request(longEdit, { scopes: ['once', 'conversation'] }))));
    assert.equal(await button('Allow Once').getAttribute('aria-disabled'), 'true');
    await press('Allow Once');
    await panel.input.press('Control+Enter');
    await button('More Choices').click();
    await press('Allow for This Conversation');
    assert.deepEqual(await answers(), []);
    assert.ok((await panel.page.locator('ins').count()) < 612);
    await button('Show All 612 Lines').click();
    assert.equal(await panel.page.locator('ins').count(), 612);
    await button('Allow Once').click();
    assert.deepEqual(await answers(), [['c1', allowed]]);
  });

  it('X25 wants a long command to be shown whole as well', async () => {
    const command = `echo\n${'\n'.repeat(60)}rm -rf ~`;
    await panel.send(snapshot(approvals(request({ ...subjects.command, command }))));
    await press('Allow Once');
    assert.deepEqual(await answers(), []);
    await button('Show All 62 Lines').click();
    await panel.page.getByText('rm -rf ~').waitFor();
    await button('Allow Once').click();
    assert.deepEqual(await answers(), [['c1', allowed]]);
  });

  for (const [what, subject] of Object.entries({
    command: { ...subjects.command, command: `echo ${'x'.repeat(5000)}; echo END` },
    address: { ...subjects.fetch, url: `https://developer.example.org/?q=${'%C3%A9'.repeat(1900)}&to=END` },
    arguments: { ...subjects.external, arguments: `${'x'.repeat(5000)} END` },
  }))
    it(`X25 wants a long line to be shown to its end before it is allowed: ${what}`, async () => {
      await panel.send(snapshot(approvals(request(subject))));
      await press('Allow Once');
      assert.deepEqual(await answers(), []);
      assert.equal(await panel.page.getByText('END').count(), 0);
      await button('Show the Whole Line').click();
      await panel.page.getByText('END').waitFor();
      await button('Allow Once').click();
      assert.deepEqual(await answers(), [['c1', allowed]]);
    });

  it('X16 lets several reads be allowed at once, and nothing else with them', async () => {
    await panel.send(
      snapshot(
        approvals(
          request(subjects.read, { callId: 'c1' }),
          request(subjects.command, { callId: 'c2' }),
          request({ ...subjects.read, reason: 'secret' }, { callId: 'c3' }),
          request({ ...subjects.read, reason: 'ignored' }, { callId: 'c4' }),
        ),
      ),
    );
    await button('Allow All 2 Reads').click();
    assert.deepEqual(await answers(), [
      ['c1', allowed],
      ['c4', allowed],
    ]);
  });

  it('is announced once as an alert, with tool and target', async () => {
    const one = request(subjects.edit, { title: 'Edit src/parse.ts' });
    await panel.send(snapshot(approvals(one)));
    const alert = panel.page.getByRole('alert');
    assert.equal(await alert.textContent(), 'Approval needed: edit_file. Edit src/parse.ts.');
    await panel.events(answered('c1', { decision: 'skip' }));
    await alert.waitFor({ state: 'detached' });
    await panel.page.locator('details.tool').getByText('Skipped').waitFor();
  });

  it('E21 is shown as expired, without buttons, after a reload', async () => {
    await panel.send(
      snapshot([
        ...approvals(request(subjects.command, { title: 'Run npm test' })),
        answered('c1', { decision: 'expired' }),
        end('turn-1', { outcome: 'interrupted' }),
      ]),
    );
    const expired = panel.page.getByRole('group', { name: 'Approval expired: run_command' });
    await expired.getByText('Nothing was done.').waitFor();
    assert.equal(await expired.getByRole('button').count(), 0);
    await panel.input.press('Control+Enter');
    assert.deepEqual(await answers(), []);
  });

  it('is found by Ctrl+Shift+A and left by Escape', async () => {
    await panel.send(snapshot(approvals(request(subjects.command))));
    await panel.input.focus();
    await panel.page.keyboard.press('Control+Shift+A');
    assert.equal(await card('run_command').evaluate((element) => element === document.activeElement), true);
    await panel.page.keyboard.press('Enter');
    assert.deepEqual(await answers(), []);
    await panel.page.keyboard.press('Escape');
    await panel.page.keyboard.press('Escape');
    assert.equal(await panel.input.evaluate((element) => element === document.activeElement), true);
  });

  it('U7 Ctrl+Enter keeps all edits only when nothing waits and nothing is written', async () => {
    await panel.send(snapshot(approvals(request(subjects.edit)), { edits }));
    await panel.input.press('Control+Backspace');
    await panel.input.press('Control+Enter');
    await panel.send(snapshot([], { edits }));
    await panel.input.press('Control+Enter');
    await panel.input.fill('x');
    await panel.input.press('Control+Backspace');
    assert.deepEqual(
      (await panel.posted()).filter(({ type }) => type !== 'ready'),
      [
        { type: 'edits', action: 'undoAll' },
        { type: 'answer', answer: { id: 'c1', kind: 'approval', value: allowed } },
        { type: 'edits', action: 'keepAll' },
      ],
    );
  });
});
