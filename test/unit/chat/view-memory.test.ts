import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createDraftStore, sideBarView } from '../../../src/chat/draft-store.ts';
import {
  conversationsWithTexts,
  createPageMemory,
  createQueueStore,
  forgetTexts,
} from '../../../src/chat/view-memory.ts';
import { createPromptStore } from '../../../src/conversation/composing/prompt-store.ts';
import type { Conversation } from '../../../src/conversation/conversation.ts';
import { emptyChat } from '../../../src/shared/chat/chat-state.ts';
import type { Attachment } from '../../../src/shared/messages.ts';
import { createMemento, createValues } from '../vscode/memento.ts';

const picture: Attachment = { id: 'p', label: 'screen.png', text: 'A'.repeat(500_000) };

const conversation = (id: string) =>
  ({
    id,
    state: () => ({ ...emptyChat, items: [{ kind: 'user', id: 'm' }] }),
    queue: () => ({ items: [] }),
  }) as unknown as Conversation;

describe('what a view remembers', () => {
  it('E06 keeps drafts, attachments, waiting messages out of the state of the workspace', () => {
    const memento = createMemento();
    const values = createValues();
    let shown = conversation('first');
    const draft = createDraftStore(values).open(sideBarView(memento), () => shown);
    const queues = createQueueStore(values);
    for (let n = 0; n < 300; n++) {
      const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
      void draft.setText('A long draft. '.repeat(1000));
      draft.attach(picture);
      queues.save(id, [{ id: 'q', text: 'Later. '.repeat(1000), attachments: [picture], model: 'm' }]);
      const next = conversation(id);
      draft.open(next);
      shown = next;
    }
    const state = JSON.stringify(memento.keys().map((key) => [key, memento.get(key)]));
    assert.ok(state.length < 16 * 1024, `${state.length} characters in the state of the workspace`);
    assert.equal(values.keys().filter((key) => key.startsWith('draft.closed.')).length, 100);
  });

  it('F5 gives the side bar its conversation, its text and what was attached back', () => {
    const memento = createMemento();
    const values = createValues();
    const open = (id: string) => createDraftStore(values).open(sideBarView(memento), () => conversation(id));
    const draft = open('a');
    void draft.setText('Half');
    draft.attach(picture);
    draft.carryTo(conversation('b'));
    void draft.setText('Half a');
    assert.deepEqual(values.keys(), ['draft.sideBar.b', 'attached.sideBar.b']);
    const { conversationId = '' } = sideBarView(memento);
    const again = open(conversationId);
    assert.deepEqual([conversationId, again.text(), again.attachments()], ['b', 'Half a', [picture]]);
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
      for (const view of ['tabs', 'sideBar'] as const) {
        const draft = createDraftStore(values).open({ view, conversationId: id }, () => conversation(id));
        draft.attach(picture);
        void draft.setText('Not sent');
        draft.hold('On its way');
      }
      const left = createDraftStore(values).open({ view: 'tabs', conversationId: id }, () => conversation(id));
      left.attach(picture);
      left.close();
      createQueueStore(values).save(id, [{ id: 'q', text: 'Later', attachments: [], model: 'm' }]);
    }
    const prompts = createPromptStore(values);
    prompts.add('Sent');
    const before = values.keys();
    assert.deepEqual([...new Set(conversationsWithTexts(values))], ['erased', 'other']);
    assert.deepEqual(conversationsWithTexts(createValues()), []);
    forgetTexts(values, new Set(['erased']));
    assert.deepEqual(
      values.keys(),
      before.filter((key) => key.endsWith('.other')),
    );
    assert.deepEqual(prompts.all(), []);
  });
});
