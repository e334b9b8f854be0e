import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  createDraftStore,
  createPageMemory,
  createQueueStore,
  createSideBarMemory,
  forgetTexts,
} from '../../../src/chat/view-memory.ts';
import { createPromptStore } from '../../../src/conversation/composing/prompt-store.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createMemento, createValues } from '../vscode/memento.ts';

const picture: Attachment = { id: 'p', label: 'screen.png', text: 'A'.repeat(500_000) };

describe('what a view remembers', () => {
  it('E06 keeps drafts, attachments, waiting messages out of the state of the workspace', () => {
    const memento = createMemento();
    const values = createValues();
    const memory = createSideBarMemory(memento, createDraftStore(values, 'sideBar'));
    const queues = createQueueStore(values);
    const drafts = createDraftStore(values);
    for (let n = 0; n < 300; n++) {
      const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      void memory.keep({
        conversationId: id,
        draft: 'A long draft. '.repeat(1000),
        attachments: [picture],
        leaving: [],
      });
      queues.save(id, [{ id: 'q', text: 'Later. '.repeat(1000), attachments: [picture], model: 'm' }]);
      drafts.set(id, `Left ${n}`);
    }
    const state = JSON.stringify(memento.keys().map((key) => [key, memento.get(key)]));
    assert.ok(state.length < 16 * 1024, `${state.length} characters in the state of the workspace`);
    assert.equal(values.keys().filter((key) => key.startsWith('draft.left.')).length, 100);
  });

  it('F5 gives the side bar its conversation, its text and what was attached back', () => {
    const memento = createMemento();
    const values = createValues();
    const open = () => createSideBarMemory(memento, createDraftStore(values, 'sideBar'));
    const memory = open();
    void memory.keep({ conversationId: 'a', draft: 'Half', attachments: [picture], leaving: [] });
    void memory.keep({ conversationId: 'b', draft: 'Half a', attachments: [picture], leaving: [] });
    const { conversationId, draft, attachments } = open();
    assert.deepEqual(
      { conversationId, draft, attachments },
      { conversationId: 'b', draft: 'Half a', attachments: [picture] },
    );
    assert.deepEqual(values.keys(), ['draft.sideBar.b', 'attached.sideBar.b']);
  });

  it('F5 E04 gives a page of a view back what the page before told, each view its own, and nothing of another shape', () => {
    const values = createValues();
    const page = { conversationId: 'a', atMs: 1, place: { message: 2, offsetPx: 3 }, dismissed: [], toggled: ['x'] };
    createPageMemory(values, 'sideBar').set(page);
    assert.deepEqual(createPageMemory(values, 'sideBar').get(), page);
    assert.equal(createPageMemory(values, 'key-of-a-tab').get(), undefined);
    createPageMemory(values, 'sideBar').forget();
    assert.deepEqual(values.keys(), []);
    void values.update('page.sideBar', { conversationId: 1 });
    assert.equal(createPageMemory(values, 'sideBar').get(), undefined);
  });

  it('F6 forgets the texts of erased conversations and the prompts, and no others', () => {
    const values = createValues();
    for (const id of ['erased', 'other']) {
      for (const whose of ['left', 'tabs', 'sideBar'] as const) {
        void createDraftStore(values, whose).setTyped(id, {
          draft: 'Not sent',
          leaving: [{ text: 'On its way', attachments: [] }],
        });
        createDraftStore(values, whose).setAttached(id, [picture]);
      }
      createQueueStore(values).save(id, [{ id: 'q', text: 'Later', attachments: [], model: 'm' }]);
    }
    const prompts = createPromptStore(values);
    prompts.add('Sent');
    const before = values.keys();
    forgetTexts(values, new Set(['erased']));
    assert.deepEqual(
      values.keys(),
      before.filter((key) => key.endsWith('.other')),
    );
    assert.deepEqual(prompts.all(), []);
  });
});
