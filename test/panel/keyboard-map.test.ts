import assert from 'node:assert/strict';
import type { HostMessage } from '../../src/shared/panel/protocol.ts';
import { someOf } from '../support/effort.ts';
import { approvals, edits, request, subjects } from './agent-fixtures.ts';
import { ask, richTurn, say, snapshot, turn } from './fixtures.ts';
import { openPanel, type PanelPage } from './panel-page.ts';

/** One key of ux 2.3 where the panel owns it. */
interface Row {
  keys: string[];
  does: string;
  state: HostMessage[];
  /** What has the focus when the key is pressed; the input unless given. */
  from?: string;
  typed?: string;
  /** What the panel posts for it, as a part of the message. */
  posts?: object;
  /** What has the focus afterwards. */
  to?: string;
  /** What stands in the input afterwards. */
  draft?: string;
}

const input = '.composer textarea';
const two = [...turn('one', 'first', 't1'), ...turn('two', 'second\n\n```ts\nlet a = 1;\n```\n', 't2')];
const code = '.code-block > [role="group"]';
const waiting = snapshot(approvals(request(subjects.command)));
const running = snapshot([...ask('Hi'), say('Some text')]);

const rows: Row[] = [
  { keys: ['Enter'], does: 'sends', state: [snapshot()], typed: 'Hi', posts: { type: 'send', text: 'Hi' }, draft: '' },
  { keys: ['Shift+Enter'], does: 'starts a line', state: [snapshot()], typed: 'Hi', draft: 'Hi\n' },
  {
    keys: ['Control+Enter', 'Meta+Enter'],
    does: 'sends when the setting says so',
    state: [snapshot([], { sendKey: 'ctrlEnter' })],
    typed: 'Hi',
    posts: { type: 'send', text: 'Hi' },
  },
  { keys: ['Escape'], does: 'stops', state: [running], posts: { type: 'stop' } },
  { keys: ['Escape'], does: 'keeps the draft', state: [snapshot()], typed: 'Hi', draft: 'Hi' },
  { keys: ['ArrowUp'], does: 'brings back the last prompt', state: [snapshot(two)], draft: 'two' },
  { keys: ['@'], does: 'opens the context', state: [snapshot()], posts: { type: 'complete', kind: 'context' } },
  { keys: ['#'], does: 'opens the context', state: [snapshot()], posts: { type: 'complete', kind: 'context' } },
  { keys: ['/'], does: 'opens the commands', state: [snapshot()], posts: { type: 'complete', kind: 'command' } },
  {
    keys: ['Control+/', 'Meta+/'],
    does: 'adds context',
    state: [snapshot()],
    posts: { type: 'complete', kind: 'menu' },
  },
  {
    keys: ['Control+ArrowUp', 'Meta+ArrowUp'],
    does: 'goes to the last message',
    state: [snapshot(two)],
    to: 'article:last-of-type',
  },
  {
    keys: ['Control+ArrowDown', 'Meta+ArrowDown'],
    does: 'goes back to the input',
    state: [snapshot(two)],
    from: 'article.user',
    to: input,
  },
  {
    keys: ['ArrowDown'],
    does: 'goes to the next message',
    state: [snapshot(two)],
    from: 'article',
    to: 'article:nth-of-type(2)',
  },
  {
    keys: ['End'],
    does: 'goes to the last message',
    state: [snapshot(two)],
    from: 'article',
    to: 'article:last-of-type',
  },
  {
    keys: ['Home'],
    does: 'goes to the first message',
    state: [snapshot(two)],
    from: 'article:last-of-type',
    to: 'article',
  },
  {
    keys: ['Enter'],
    does: 'goes into a message',
    state: [snapshot(richTurn)],
    from: 'article.answer',
    to: '.answer summary',
  },
  { keys: ['Escape'], does: 'comes out of a message', state: [snapshot(two)], from: code, to: 'article:last-of-type' },
  { keys: ['Escape'], does: 'comes out of the list', state: [snapshot(two)], from: 'article', to: input },
  {
    keys: ['Control+Alt+ArrowUp', 'Meta+Alt+ArrowUp'],
    does: 'goes to the previous prompt',
    state: [snapshot(two)],
    to: 'article:nth-of-type(3)',
  },
  {
    keys: ['Control+Alt+ArrowDown', 'Meta+Alt+ArrowDown'],
    does: 'goes to the next prompt',
    state: [snapshot(two)],
    from: 'article',
    to: 'article:nth-of-type(3)',
  },
  {
    keys: ['Control+Alt+PageUp', 'Meta+Alt+PageUp'],
    does: 'goes to the previous code block',
    state: [snapshot(two)],
    to: code,
  },
  {
    keys: ['Control+Alt+PageDown', 'Meta+Alt+PageDown'],
    does: 'goes to the next code block',
    state: [snapshot(two)],
    from: 'article',
    to: code,
  },
  {
    keys: ['Control+Enter', 'Meta+Enter'],
    does: 'inserts a code block',
    state: [snapshot(two)],
    from: code,
    posts: { type: 'insertAtCursor', text: 'let a = 1;' },
  },
  {
    keys: ['Control+c', 'Meta+c'],
    does: 'copies a code block',
    state: [snapshot(two)],
    from: code,
    posts: { type: 'copy', text: 'let a = 1;' },
  },
  {
    keys: ['Control+Enter', 'Meta+Enter'],
    does: 'allows the oldest call that waits',
    state: [waiting],
    posts: { type: 'answer', answer: { kind: 'approval', value: { decision: 'allow', scope: 'once' } } },
  },
  {
    keys: ['Control+Alt+Enter', 'Meta+Alt+Enter'],
    does: 'skips the oldest call that waits',
    state: [waiting],
    posts: { type: 'answer', answer: { kind: 'approval', value: { decision: 'skip' } } },
  },
  {
    keys: ['Control+Shift+A', 'Meta+Shift+A'],
    does: 'goes to the tool call that is waiting',
    state: [waiting],
    to: '.approval.waiting',
  },
  {
    keys: ['Control+Enter', 'Meta+Enter'],
    does: 'keeps all edits',
    state: [snapshot(two, { edits })],
    posts: { type: 'edits', action: 'keepAll' },
  },
  {
    keys: ['Control+Backspace', 'Meta+Backspace'],
    does: 'undoes all edits',
    state: [snapshot(two, { edits })],
    posts: { type: 'edits', action: 'undoAll' },
  },
];

describe('the keyboard map', () => {
  let panel: PanelPage;
  afterEach(async () => {
    assert.deepEqual(panel.problems(), []);
    await panel.close();
  });

  for (const row of someOf(rows, 3)) {
    for (const key of row.keys) {
      it(`ux 2.3 ${key} ${row.does}`, async () => {
        panel = await openPanel();
        await panel.send(...row.state);
        if (row.typed !== undefined) await panel.input.fill(row.typed);
        await panel.page
          .locator(row.from ?? input)
          .first()
          .focus();
        await panel.forgetPosted();
        await panel.page.keyboard.press(key);
        await panel.send();
        if (row.posts) {
          const posted = await panel.posted();
          assert.equal(posted.length, 1, JSON.stringify(posted));
          assert.partialDeepStrictEqual(posted[0], row.posts);
        } else assert.deepEqual(await panel.posted(), []);
        if (row.to !== undefined) {
          const reached = await panel.page
            .locator(row.to)
            .first()
            .evaluate((element) => element === document.activeElement);
          assert.ok(reached, `the focus is on ${row.to}`);
        }
        if (row.draft !== undefined) assert.equal(await panel.input.inputValue(), row.draft);
      });
    }
  }
});
