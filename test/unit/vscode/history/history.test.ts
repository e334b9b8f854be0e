import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createEmitter } from '../../../../src/base/emitter.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import { ConversationInUseError, type ConversationSummary } from '../../../../src/conversation/store/store.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import type { ConversationCommandDeps } from '../../../../src/vscode/history/conversation-commands.ts';
import type { ConversationFilesDeps } from '../../../../src/vscode/history/conversation-files.ts';
import type { ConversationsViewDeps } from '../../../../src/vscode/history/conversations-view.ts';
import { EventEmitter, person, reset, Uri, workspace } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { message, openWindow, storedConversation } from '../../chat/live-window.ts';
import { conversationWith } from '../chat-panel/widgets.ts';
import { createMemento } from '../memento.ts';

const { createConversationCommands } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/history/conversation-commands.ts')
>(new URL('../../../../src/vscode/history/conversation-commands.ts', import.meta.url));
const { importConversations } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/history/conversation-files.ts')
>(new URL('../../../../src/vscode/history/conversation-files.ts', import.meta.url));
const { createConversationsView } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/history/conversations-view.ts')
>(new URL('../../../../src/vscode/history/conversations-view.ts', import.meta.url));
const { conversationItem } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/history/conversation-row.ts')
>(new URL('../../../../src/vscode/history/conversation-row.ts', import.meta.url));
const turn = () => new Promise(setImmediate);

const summaryOf = (id: string, more: Partial<ConversationSummary> = {}) =>
  ({
    ...{ id, title: `About ${id}`, updatedAt: Date.now(), microUsd: 2100, messages: 1, totalTokens: 5, model: 'm' },
    ...more,
  }) as ConversationSummary;

describe('what is done with stored conversations', () => {
  beforeEach(reset);

  async function open() {
    const window = openWindow();
    const [one, two] = [
      await storedConversation(window.disk, 'First'),
      await storedConversation(window.disk, 'Second'),
    ];
    const trash = new Map<string, unknown>();
    const done: string[] = [];
    let busy = '';
    const asked = { view: 'tab' };
    const store = {
      has: async (id: string) => window.disk.has(id),
      list: async () => [...window.disk.keys()].map((id) => summaryOf(id)),
      read: async (id: string) => window.disk.get(id),
      readRecords: async (id: string) => window.disk.get(id),
      create: async (id: string, events: never[]) => void window.disk.set(id, structuredClone(events)),
      async remove(id: string) {
        if (id === busy) throw new ConversationInUseError(id);
        trash.set(id, window.disk.get(id));
        window.disk.delete(id);
      },
      async restore(id: string) {
        const found = trash.get(id);
        if (!found) return false;
        trash.delete(id);
        window.disk.set(id, found as never);
        return true;
      },
      listRemoved: async () => [...trash.keys()].map((id) => ({ summary: summaryOf(id), removedAtMs: 0 })),
      inUseElsewhere: async () => false,
      erase: async (id: string) => void (trash.delete(id) && done.push(`${id} erased`)),
      eraseAll: async () => void done.push('erased'),
    };
    const widget = (name: string, shown = one) => ({
      viewModel: {
        conversation: () => ({ id: shown }),
        open: async (id: string) => void done.push(`${name} opens ${id}`),
      },
      show: async () => void done.push(`${name} shown`),
    });
    const commands = createConversationCommands({
      ...{ store, conversations: window.conversations },
      withoutKeys: (record: unknown) => JSON.parse(JSON.stringify(record).replaceAll('First', '…')),
      widget: () => widget(asked.view),
      sideBar: () => widget('bar'),
      showing: (conversation: Conversation) => (conversation.id === two ? widget('other', two) : undefined),
      images: {},
      view: { selected: () => two, showAll: async (all: boolean) => void done.push(`all ${all}`) },
      tidyCommands: async () => void done.push('what commands left'),
      eraseWorktrees: async (isErased: (folder: string) => boolean) =>
        void done.push(`worktrees ${['of the summary', 'another'].filter(isErased)}`),
      forgetTexts: (ids: ReadonlySet<string>) => void done.push(`texts of ${[...ids].sort()}`),
      eraseInWorkspace: async () => void done.push('the rest'),
      newId: () => 'copy',
    } as unknown as ConversationCommandDeps);
    const title = async (id: string) => (await window.conversations.acquire(id))?.state().title;
    const hold = (id: string) => {
      busy = id;
    };
    return { ...window, one, two, trash, done, asked, commands, title, hold };
  }

  it('F6 one is opened where it shows already, else in the view that was asked, a row of the list in the side bar', async () => {
    const { commands, conversations, done, one, two } = await open();
    await commands['svc.openConversation'](one);
    await commands['svc.openConversation']({ id: one });
    assert.deepEqual(done.splice(0), [`tab opens ${one}`, 'tab shown', `bar opens ${one}`, 'bar shown']);
    await conversations.acquire(two);
    await commands['svc.openConversation']({ from: 'list' });
    assert.deepEqual(done, [`other opens ${two}`, 'other shown']);
  });

  it('F6 a name is asked for with the one it has, and kept when it is another; pins come and go', async () => {
    const { commands, one, conversations, title } = await open();
    let offered: unknown;
    person.write = ({ value }) => {
      offered = value;
      return 'Renamed';
    };
    await commands['svc.renameConversation'](undefined);
    assert.deepEqual([offered, await title(one)], ['First', 'Renamed']);
    person.write = () => undefined;
    await commands['svc.renameConversation'](one);
    assert.equal(await title(one), 'Renamed');
    const pinned = async () => (await conversations.acquire(one))?.state().pinned ?? false;
    await commands['svc.pinConversation'](one);
    assert.equal(await pinned(), true);
    await commands['svc.unpinConversation']({ id: one });
    assert.equal(await pinned(), false);
  });

  it('F6 no name is asked for while another window answers the conversation', async () => {
    const { commands, one, conversations } = await open();
    Object.defineProperty(await conversations.acquire(one), 'readOnly', { value: true });
    person.write = () => assert.fail('asked');
    await commands['svc.renameConversation'](one);
    assert.match(person.messages[0]?.text ?? '', /in progress in another window/);
  });

  it('F6 what is no stored conversation is told, and what names none does nothing', async () => {
    const { commands } = await open();
    await commands['svc.pinConversation']('missing');
    assert.match(person.messages[0]?.text ?? '', /no conversations yet/);
    await commands['svc.pinConversation']({ id: 5 });
    assert.equal(person.messages.length, 1);
    await commands['svc.copyConversationId'](undefined);
    assert.match(person.clipboard, /^conversation-/);
  });

  it('F6 one is deleted at once and comes back with Undo, into the view that showed it', async () => {
    const { commands, disk, done, one, two, hold, asked } = await open();
    await commands['svc.deleteConversation'](two);
    assert.deepEqual([disk.has(two), person.messages[0]?.text], [false, `"About ${two}" was deleted.`]);
    person.answer = ({ buttons }) => {
      asked.view = 'clicked meanwhile';
      return buttons[0];
    };
    await commands['svc.deleteConversation'](one);
    await turn();
    assert.deepEqual([disk.has(one), done], [true, [`tab opens ${one}`]]);
    hold(one);
    person.answer = () => undefined;
    await commands['svc.deleteConversation'](one);
    assert.match(person.messages.at(-1)?.text ?? '', /in progress in another window/);
    assert.equal(person.messages.length, 3);
  });

  it('F6 what is in the trash is listed and brought back, and says so when it is gone', async () => {
    const { commands, disk, done, two, trash, asked } = await open();
    await commands['svc.restoreConversation']();
    assert.match(person.messages.at(-1)?.text ?? '', /no deleted conversations/);
    const restore = async (meanwhile = () => {}) => {
      const restored = commands['svc.restoreConversation']();
      await turn();
      meanwhile();
      const box = person.boxes.at(-1);
      box?.pick(box.items[0]);
      await restored;
    };
    await commands['svc.deleteConversation'](two);
    await restore(() => {
      asked.view = 'clicked meanwhile';
    });
    assert.deepEqual([disk.has(two), done], [true, [`tab opens ${two}`, 'tab shown']]);
    await commands['svc.deleteConversation'](two);
    await restore(() => trash.clear());
    assert.match(person.messages.at(-1)?.text ?? '', /no longer in the trash/);
  });

  it('F6 E10 one alone is erased with all that belongs to it, from its notice or from the trash, once that is confirmed', async () => {
    const { commands, done, one, two, trash } = await open();
    person.answer = ({ buttons, text }) => (text.startsWith('Erase') ? undefined : buttons[1]);
    await commands['svc.deleteConversation'](two);
    await turn();
    assert.match(person.messages.at(-1)?.text ?? '', /^Erase ".+" permanently\?$/);
    assert.deepEqual([[...trash.keys()], done], [[two], []]);
    person.answer = ({ buttons }) => buttons.at(-1);
    await commands['svc.deleteConversation'](one);
    await turn();
    const erased = (id: string) => ['worktrees ', `${id} erased`, 'what commands left', `texts of ${id}`];
    assert.deepEqual(done.splice(0), erased(one));
    const restored = commands['svc.restoreConversation']();
    await turn();
    const box = person.boxes.at(-1);
    box?.press(box.items[0] as never, undefined);
    await restored;
    await turn();
    assert.deepEqual([done, trash.size], [erased(two), 0]);
  });

  it('F6 all go to the trash and come back together, or are erased, and only when that is said', async () => {
    const { commands, disk, done, one, two, trash, hold } = await open();
    await commands['svc.deleteAllConversations']();
    assert.equal(disk.size, 2);
    assert.match(person.messages[0]?.text ?? '', /all 2 conversations/);
    hold(one);
    person.answer = ({ buttons }) => buttons[0];
    await commands['svc.deleteAllConversations']();
    await turn();
    assert.match(person.messages.at(-1)?.text ?? '', /^Conversations deleted: 1\./);
    assert.equal(disk.size, 2);
    person.answer = ({ buttons }) => buttons[1];
    await commands['svc.deleteAllConversations']();
    const all = ['worktrees of the summary,another', 'erased', 'what commands left'];
    assert.deepEqual(done.splice(0), [...all, `texts of ${[one, two].sort()}`, 'the rest']);
    person.answer = () => undefined;
    hold('');
    await commands['svc.deleteConversation'](two);
    person.answer = ({ buttons }) => buttons.at(-1);
    await commands['svc.deleteAllConversations']();
    assert.deepEqual(
      done.splice(0),
      [...all, `texts of ${[one, two].sort()}`, 'the rest'],
      'also of what is in the trash',
    );
    for (const [each, has] of [...disk].reverse()) {
      trash.set(each, has);
      disk.delete(each);
    }
    await commands['svc.deleteAllConversations']();
    assert.match(person.messages.at(-1)?.text ?? '', /^Only the trash/);
    assert.deepEqual([person.messages.at(-1)?.buttons, done.splice(0).length], [['Erase Permanently'], 5]);
    trash.clear();
    await commands['svc.deleteAllConversations']();
    assert.deepEqual(
      [person.messages.at(-1)?.text, done],
      ['There are no conversations yet. Ask something first.', []],
    );
  });

  it('F6 a fork begins as the original did, up to the point that is named', async () => {
    const { commands, disk, done, one, conversations, finish } = await open();
    const live = await conversations.acquire(one);
    const second = live?.send(message('And then'));
    await Promise.resolve();
    finish(one);
    await second;
    await commands['svc.forkConversation']({ id: one });
    const texts = () => (disk.get('copy') ?? []).flatMap((event) => (event.type === 'userMessage' ? [event.text] : []));
    assert.deepEqual(
      [texts(), done],
      [
        ['First', 'And then'],
        ['tab opens copy', 'tab shown'],
      ],
    );
    const messageId = (disk.get(one) ?? []).flatMap((event) => (event.type === 'userMessage' ? [event.id] : []))[0];
    await commands['svc.forkConversation']({ id: one, point: { messageId } });
    assert.deepEqual(texts(), ['First']);
    for (const point of [null, 5, {}, { rewind: 'x' }]) {
      await commands['svc.forkConversation']({ id: one, point });
      assert.equal(texts().length, 2);
    }
  });

  it('F6 X15 an export is read before it is saved, without keys, in the format that is picked', async () => {
    const { commands, one } = await open();
    person.pick = (rows) => rows[0];
    await commands['svc.exportConversation'](one);
    const [document] = person.documents as { language: string; content: string }[];
    assert.equal(document?.language, 'markdown');
    assert.match(document?.content ?? '', /…/);
    assert.doesNotMatch(document?.content ?? '', /First/);
    workspace.workspaceFolders = [{ uri: Uri.file('/ws') }];
    person.pick = (rows) => rows[1];
    person.choose = ({ defaultUri }) => defaultUri;
    await commands['svc.exportConversation'](one);
    const file = `/ws/About-${one}.json`;
    assert.deepEqual([...person.written.keys()], [file]);
    assert.doesNotMatch(person.written.get(file) ?? '', /First/);
    assert.match(person.messages.at(-1)?.text ?? '', /exported to/);
    await commands['svc.exportConversationAsMarkdown']('missing');
    assert.match(person.messages.at(-1)?.text ?? '', /nothing to export/);
    await commands['svc.showAllConversations']();
  });
});

describe('the import of conversations', () => {
  beforeEach(reset);

  async function open() {
    const window = openWindow();
    const id = await storedConversation(window.disk, 'Hello');
    const created = new Map<string, unknown>();
    const deps = {
      store: {
        has: async (asked: string) => created.has(asked),
        create: async (to: string, records: unknown) => void created.set(to, records),
      },
      images: { add: async () => 'hash', keep: async () => undefined },
      withoutKeys: (record: unknown) => record,
      newId: () => 'mine',
    } as unknown as ConversationFilesDeps;
    const { exportJson } = await import('../../../../src/conversation/store/transfer.ts');
    const records = (window.disk.get(id) ?? []) as never[];
    person.written.set('/c.json', exportJson(records, {}));
    return { deps, created, records };
  }

  it('F6 never writes over what is there, and takes no id that is none of ours', async () => {
    const { deps, created } = await open();
    assert.equal(await importConversations(deps, Uri.file('/c.json')), 'mine');
    assert.deepEqual([...created.keys()], ['mine']);
    person.choose = () => undefined;
    assert.equal(await importConversations(deps), undefined);
  });

  it('F6 X37 says of each file why it is not taken, and goes on with the others', async () => {
    const { deps, created } = await open();
    person.written.set('/broken.json', '{');
    person.written.set('/other.json', '{"a":1}');
    person.choose = () => ['/broken.json', '/c.json', '/other.json'].map(Uri.file);
    assert.equal(await importConversations(deps), 'mine');
    assert.deepEqual(
      person.messages.map(({ kind, text }) => `${kind} ${text.slice(0, 30)}`),
      ['error broken.json was not imported. ', 'error other.json was not imported. I'].map((text) => text.slice(0, 36)),
    );
    assert.equal(created.size, 1);
  });
});

describe('the list of conversations', () => {
  beforeEach(reset);

  function open({ rows = [summaryOf('a')], cached = [] as ConversationSummary[], memento = createMemento() } = {}) {
    const visibility = new EventEmitter<{ visible: boolean }>();
    const events = createEmitter<[conversation: unknown, events: readonly ChatEvent[]]>();
    const changes = createEmitter();
    const world = { rows, reads: 0, draws: 0, errors: 0, live: undefined as Conversation | undefined };
    let filesChanged: () => void = () => undefined;
    const view = createConversationsView({
      store: {
        async list() {
          world.reads++;
          if (world.rows.length === 0) throw new Error('unreadable');
          return world.rows;
        },
        listCached: async () => cached,
        watch(listener: () => void) {
          filesChanged = listener;
          return () => undefined;
        },
      },
      conversations: { get: () => world.live, onDidChange: changes.event, onDidEmit: events.event },
      memento,
      log: { error: () => void world.errors++ },
    } as unknown as ConversationsViewDeps);
    const shown = {
      visible: true,
      description: undefined,
      selection: [] as unknown[],
      onDidChangeVisibility: visibility.event,
    };
    const tree = view.attach(shown as never, () => void world.draws++);
    const ids = async () => {
      const groups = (await tree.getChildren(undefined)) ?? [];
      const nodes = await Promise.all(groups.map(async (group) => (await tree.getChildren(group)) ?? []));
      return nodes.flat().map((node) => ('id' in node ? node.id : node.name));
    };
    return { world, view, shown, tree, ids, changes, events, visibility, filesChanged: () => filesChanged() };
  }

  it('F6 E18 shows at once what it was last time, then what the files say', async () => {
    const { world, ids } = open({ cached: [summaryOf('old')] });
    assert.deepEqual(await ids(), ['old']);
    await turn();
    assert.deepEqual([await ids(), world.draws, world.reads], [['a'], 1, 1]);
  });

  it('F6 reads anew when files change in sight, else when it comes into sight, and draws only what changed', async () => {
    const { world, shown, ids, filesChanged, visibility } = open();
    assert.deepEqual(await ids(), ['a']);
    const before = world.draws;
    filesChanged();
    await turn();
    assert.deepEqual([world.reads, world.draws], [2, before]);
    world.rows = [summaryOf('b')];
    shown.visible = false;
    filesChanged();
    await turn();
    assert.equal(world.reads, 2);
    shown.visible = true;
    visibility.fire({ visible: true });
    await turn();
    assert.deepEqual([await ids(), world.draws], [['b'], before + 1]);
    world.rows = [];
    filesChanged();
    await turn();
    assert.deepEqual([await ids(), world.errors], [['b'], 1]);
  });

  it('F6 what runs or waits shows, drawn when an event asks for the user', async () => {
    const { world, tree, changes, events, view } = open();
    const [group] = (await tree.getChildren(undefined)) ?? [];
    const [row] = (group && (await tree.getChildren(group))) || [];
    assert.ok(row && group);
    const icon = async () => ((await tree.getTreeItem(row)).iconPath as unknown as { id: string }).id;
    assert.equal(await icon(), 'comment');
    world.live = conversationWith('a');
    assert.equal(await icon(), 'loading~spin');
    world.live = conversationWith('a', { approvals: 1 });
    assert.equal(await icon(), 'bell-dot');
    world.live = conversationWith('a', { asks: true });
    assert.equal(await icon(), 'bell-dot');
    const before = world.draws;
    events.fire(undefined, [{ type: 'textDelta' } as ChatEvent]);
    events.fire(undefined, [{ type: 'asked', kind: 'wait' } as ChatEvent]);
    assert.equal(world.draws, before);
    events.fire(undefined, [{ type: 'asked', kind: 'approval' } as ChatEvent]);
    changes.fire();
    assert.equal(world.draws, before + 2);
    assert.equal((await tree.getTreeItem(group)).contextValue, 'group');
    view.dispose();
    changes.fire();
    assert.equal(world.draws, before + 2);
  });

  it('F6 of this workspace alone, remembered: what was begun in its folders or without one', async () => {
    workspace.workspaceFolders = [{ uri: Uri.file('/ws') }];
    const rows = [
      summaryOf('here', { workspace: 'file:///ws' }),
      summaryOf('there', { workspace: 'file:///x/site' }),
      summaryOf('any'),
    ];
    const memento = createMemento();
    const { view, ids, shown } = open({ rows, memento });
    assert.deepEqual(await ids(), ['here', 'there', 'any']);
    await view.showAll(false);
    assert.deepEqual([await ids(), shown.description], [['here', 'any'], 'This Workspace']);
    assert.deepEqual(await open({ rows, memento }).ids(), ['here', 'any']);
    shown.selection = [rows[1]];
    assert.equal(view.selected(), 'there');
    shown.selection = [{ name: 'today', conversations: [] }];
    assert.equal(view.selected(), undefined);
  });

  it('F6 a row tells its name, cost and another folder, by eye and by ear', () => {
    workspace.workspaceFolders = [{ uri: Uri.file('/ws') }];
    const now = Date.now();
    const row = (more: Partial<ConversationSummary>, live: 'idle' | 'running' | 'waiting' = 'idle') =>
      conversationItem(summaryOf('a', { updatedAt: now, ...more }), live, now);
    assert.equal(row({ workspace: 'file:///x/site/' }).description, 'now · $0.0021 · site');
    assert.equal(row({ workspace: 'file:///ws' }).description, 'now · $0.0021');
    assert.equal(row({ title: '' }).label, 'Untitled');
    assert.equal(row({}, 'waiting').accessibilityInformation?.label, 'About a, waiting for you, now · $0.0021');
    assert.equal(row({}, 'running').accessibilityInformation?.label, 'About a, running, now · $0.0021');
    assert.equal(row({}).accessibilityInformation?.label, 'About a, now · $0.0021');
    assert.deepEqual(
      [row({ pinned: true }).contextValue, row({}).contextValue],
      ['conversation.pinned', 'conversation'],
    );
    assert.equal((row({ forkedFrom: 'b' }).iconPath as unknown as { id: string }).id, 'repo-forked');
    assert.match(String(row({ messages: 2, model: '' }).tooltip), /2 messages · 5 tokens$/);
    assert.match(String(row({ workspace: 'file:///x/site' }).tooltip), /\nm\n1 message · 5 tokens\n\/x\/site$/);
    assert.deepEqual(row({}).command?.arguments, [{ id: 'a' }]);
  });
});
