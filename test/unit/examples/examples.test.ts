import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { withExamples } from '../../../scripts/examples.mts';
import { createEmitter } from '../../../src/base/emitter.ts';
import type { Draft } from '../../../src/chat/draft-store.ts';
import { createSections } from '../../../src/chat/panel-sections.ts';
import { createInteractions } from '../../../src/conversation/interactions.ts';
import type { Asked } from '../../../src/shared/interaction.ts';
import { mayRename } from '../../examples/ask.ts';
import { sendLater } from '../../examples/draft.ts';
import { countConversations } from '../../examples/feature.ts';
import { keepFirst } from '../../examples/pending-edit.ts';
import { commentsStrip } from '../../examples/section.ts';
import { postSendKey } from '../../examples/setting.ts';

describe('the examples of the architecture page', () => {
  it('stand in it as they are compiled and tested', () => {
    const page = readFileSync(new URL('../../../docs/architecture.md', import.meta.url), 'utf8');
    assert.equal([...page.matchAll(/<!-- example: /g)].length, 6);
    assert.equal(withExamples(page), page, 'npm run documents writes it');
  });

  it('a turn asks, and goes on with the answer', async () => {
    const interactions = createInteractions();
    const events: unknown[] = [];
    const ask = interactions.askFor('t1', (event) => {
      events.push(event);
      if (event.type === 'asked') interactions.answer({ id: (event as Asked).id, kind: 'question', value: 'Rename' });
    });
    assert.equal(await mayRename(ask, 'call-1', new AbortController().signal), true);
    assert.deepEqual(
      events.map((event) => (event as { type: string }).type),
      ['asked', 'answered'],
    );
  });

  it('a text is held from the composer until the conversation has it', async () => {
    const done: string[] = [];
    const viewModel = {
      draft: {
        hold: (text: string) => {
          done.push(`hold ${text}`);
          return () => void done.push('release');
        },
      } as unknown as Draft,
      send: async ({ text }: { text: string }) => void done.push(`send ${text}`) as never,
    };
    await sendLater(viewModel, 'Hello', Promise.resolve());
    assert.deepEqual(done, ['hold Hello', 'send Hello', 'release']);
  });

  it('an edit waits as hunks that are decided one by one', () => {
    assert.equal(keepFirst('a\nb\nc\nd\ne', 'A\nb\nc\nd\nE'), 'A\nb\nc\nd\ne');
  });

  it('a strip shows what waits, and its button acts', () => {
    const removed: unknown[] = [];
    const waiting = [{ id: 'k1', text: 'Why?' }];
    const comments = commentsStrip({
      waiting: () => waiting as never,
      remove: (ids) => removed.push(...ids) as never,
      onDidChange: createEmitter().event,
    })({
      viewModel: {} as never,
      model: () => '',
      estimate: () => ({}),
      estimateText: (text) => text.length,
      run: () => undefined,
    });
    const strips = createSections([comments]);
    assert.equal(strips.states().lines?.[0]?.text, '1 comments');
    strips.act({ type: 'section', key: 'lines', action: { line: 'comments', action: 'discard' } }, { focusInput() {} });
    assert.deepEqual(removed, ['k1']);
  });

  it('a feature adds its command', () => {
    const lines: string[] = [];
    const { commands } = countConversations({
      service: { log: { info: (line: string) => lines.push(line) } },
      chat: { conversations: { open: { all: () => [1, 2] } } },
    } as never);
    commands['svc.showLog']();
    assert.deepEqual(lines, ['2 conversations are open']);
  });

  it('a setting reaches the page at once and with every change', () => {
    let key: 'enter' | 'ctrlEnter' = 'enter';
    const changed = createEmitter();
    const posted: string[] = [];
    const listening = postSendKey({ sendKey: () => key, onDidChange: changed.event }, ({ sendKey }) =>
      posted.push(sendKey),
    );
    key = 'ctrlEnter';
    changed.fire();
    listening.dispose();
    changed.fire();
    assert.deepEqual(posted, ['enter', 'ctrlEnter']);
  });
});
