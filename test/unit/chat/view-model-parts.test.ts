import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { createEmitter } from '../../../src/base/emitter.ts';
import { createPanelInfo, type PanelInfoDeps } from '../../../src/chat/info.ts';
import { createDeleteFrom, createRerun, type RerunDeps } from '../../../src/chat/rerun.ts';
import { createTakeOver } from '../../../src/chat/take-over.ts';
import type { ChatViewModel } from '../../../src/chat/view-model.ts';
import { type EditsToRead, followEdits } from '../../../src/chat/view-model-edits.ts';
import { type ChatState, emptyChat } from '../../../src/shared/chat/chat-state.ts';

const turn = () => new Promise(setImmediate);

describe('sending in the place of an earlier message', () => {
  /** A conversation of two messages, of which the answer to the first changed files. */
  function open({ running = false } = {}) {
    const done: string[] = [];
    const events = createEmitter();
    const answer = (turnId: string, checkpoint?: object) => ({ kind: 'answer', turnId, parts: [], checkpoint });
    const user = (id: string) => ({ kind: 'user', id });
    let state = {
      ...emptyChat,
      items: [user('m1'), answer('t1', {}), user('m2'), answer('t2'), answer('t3')],
      ...(running && { running: { turnId: 't3' } }),
    } as unknown as ChatState;
    let id = 'c';
    const viewModel = {
      conversation: () => ({
        ...{ id, running, model: () => 'svc/now' },
        deleteFrom: async (messageId: string) => void done.push(`deleted from ${messageId}`),
        stop() {
          done.push('stopping');
          setImmediate(() => {
            const { running: _, ...ended } = state;
            state = ended;
            done.push('stopped');
            events.fire();
          });
        },
      }),
      state: () => state,
      draft: { append: (text: string, to: string) => done.push(`gave back ${text} to ${to}`) },
      onDidEmit: events.event,
      async rerun(messageId: string, { edited, model }: { edited?: { text: string; keep: string[] }; model?: string }) {
        done.push([`reran ${messageId}`, edited && `${edited.text} [${edited.keep}]`, model].filter(Boolean).join(' '));
      },
    } as unknown as ChatViewModel;
    const answers = {
      ready: true,
      prepared: true,
      model: 'svc/other' as string | undefined,
      files: 'restore' as 'restore' | 'keep' | undefined,
      /** Happens while the user is asked. */
      meanwhile: () => undefined as unknown,
    };
    const deps: RerunDeps = {
      viewModel,
      whenHere: (_text, send) => send(),
      ensureReady: async () => answers.ready,
      async prepare(text) {
        answers.meanwhile();
        return answers.prepared ? { text: text.toUpperCase() } : undefined;
      },
      pickModel: async () => answers.model,
      async askAboutFiles(because) {
        done.push(because);
        return answers.files;
      },
      restore: async (turnId) => void done.push(`restored ${turnId}`),
    };
    const go = () => {
      id = 'elsewhere';
    };
    return { answers, done, go, rerun: createRerun(deps), deleteFrom: createDeleteFrom(deps) };
  }
  const edited = { text: 'new', keep: ['a'] };
  const again = { type: 'rerun', pickModel: false } as const;

  it('F3 asks again as it is, edited, or with another model; files come back only where answers changed some', async () => {
    const { rerun, done } = open();
    await rerun({ ...again, messageId: 'm2' });
    await rerun({ ...again, messageId: 'm2', edited });
    await rerun({ ...again, messageId: 'm2', pickModel: true });
    await rerun({ ...again, messageId: 'gone' });
    assert.deepEqual(done.splice(0), ['reran m2', 'reran m2 NEW [a]', 'reran m2 svc/other', 'reran gone']);
    await rerun({ ...again, messageId: 'm1' });
    assert.deepEqual(done, ['asked-again', 'restored t1', 'reran m1']);
  });

  it('F3 whoever says no gets the edited text back where it was written, and nothing is sent', async () => {
    const { rerun, done, answers } = open();
    const refuse = async (change: Partial<typeof answers>, messageId = 'm1') => {
      const before = { ...answers };
      Object.assign(answers, change);
      await rerun({ ...again, messageId, edited, pickModel: true });
      Object.assign(answers, before);
      return done.splice(0);
    };
    assert.deepEqual(await refuse({ ready: false }), ['gave back new to c']);
    assert.deepEqual(await refuse({ model: undefined }), ['gave back new to c']);
    assert.deepEqual(await refuse({ files: undefined }), ['asked-again', 'gave back new to c']);
    assert.deepEqual(await refuse({ prepared: false }, 'm2'), []);
    answers.ready = false;
    await rerun({ ...again, messageId: 'm2' });
    assert.deepEqual(done, []);
  });

  it('F3 nothing is sent in a conversation that was left meanwhile', async () => {
    const { rerun, done, answers, go } = open();
    answers.meanwhile = go;
    await rerun({ ...again, messageId: 'm2', edited });
    assert.deepEqual(done, ['gave back new to c']);
  });

  it('F16 files are put back only when the turn that may write to them has ended', async () => {
    const { rerun, done } = open({ running: true });
    await rerun({ ...again, messageId: 'm1' });
    assert.deepEqual(done, ['asked-again', 'stopping', 'stopped', 'restored t1', 'reran m1']);
  });

  it('F3 deleting asks only about files, and can be given up there', async () => {
    const { deleteFrom, done, answers } = open();
    await deleteFrom('m2');
    answers.files = 'keep';
    await deleteFrom('m1');
    answers.files = undefined;
    await deleteFrom('m1');
    assert.deepEqual(done, ['deleted from m2', 'deleted', 'deleted from m1', 'deleted']);
  });
});

describe('taking a conversation over', () => {
  it('E07 asks the other window once at a time, and tells when it does not give way', async () => {
    let asked = Promise.withResolvers<boolean>();
    let asks = 0;
    let refusals = 0;
    const changes: boolean[] = [];
    const takeOver = createTakeOver(
      () => {
        asks++;
        return asked.promise;
      },
      () => refusals++,
    );
    takeOver.onDidChange(() => changes.push(takeOver.underWay()));
    const first = takeOver.run();
    await takeOver.run();
    assert.deepEqual([asks, changes, takeOver.underWay()], [1, [true], true]);
    asked.resolve(false);
    await first;
    assert.deepEqual([refusals, changes, takeOver.underWay()], [1, [true, false], false]);
    asked = Promise.withResolvers();
    const second = takeOver.run();
    asked.reject(new Error('broken'));
    await assert.rejects(second, /broken/);
    asked = Promise.withResolvers();
    asked.resolve(true);
    await takeOver.run();
    assert.deepEqual([asks, refusals, takeOver.underWay()], [3, 1, false]);
  });
});

describe('the edits of the conversation that a view shows', () => {
  it('F17 are looked at when what is shown of them changes, not with every letter, and never while a turn runs', async () => {
    const changed = createEmitter();
    let outcome = 'undecided';
    let running = false;
    let looks = 0;
    const edits = followEdits(
      { conversation: () => ({ id: 'c', running }) } as unknown as ChatViewModel,
      {
        files: () => [],
        outcomes: () => [{ callId: 'c1', outcome, parts: { kept: 1 } }],
        hunks: () => [{ callId: 'c1', uri: 'file:///a', path: 'a', line: 3, diff: '@@', more: 0 }],
        restored: () => undefined,
        laterChanges: async () => void looks++,
        onDidChange: changed.event,
      } as unknown as EditsToRead,
    );
    changed.fire();
    changed.fire();
    await turn();
    assert.equal(looks, 1);
    outcome = 'kept';
    changed.fire();
    await turn();
    assert.equal(looks, 2);
    assert.deepEqual(edits.shown().editHunks, { c1: [{ uri: 'file:///a', path: 'a', line: 3, diff: '@@', more: 0 }] });
    assert.deepEqual([edits.shown().editOutcomes, edits.shown().editParts], [{ c1: 'kept' }, { c1: { kept: 1 } }]);
    running = true;
    edits.peek();
    edits.dispose();
    running = false;
    outcome = 'undone';
    changed.fire();
    await turn();
    assert.equal(looks, 2);
  });
});

describe('what the panel shows besides the conversation', () => {
  function info(change: Partial<PanelInfoDeps> = {}, viewModel: object = {}) {
    const failed = {
      kind: 'answer',
      requestedModel: 'svc/asked',
      model: 'svc/answered',
      failure: { namedModel: 'svc/named' },
    };
    const fallback = { type: 'notice', notice: { kind: 'fallback', from: 'svc/from', to: 'svc/to' } };
    const items = [{ ...failed, parts: [fallback, { type: 'notice', notice: { kind: 'note' } }] }, { kind: 'user' }];
    return createPanelInfo({
      viewModel: {
        draft: {
          attachments: () => [{ id: 'a', label: 'a.ts', kind: 'file', text: 'x' }],
          limit: () => undefined,
        },
        state: () => ({ ...emptyChat, items }),
        conversation: () => ({
          state: () => emptyChat,
          queue: () => ({
            paused: true,
            items: [
              { id: 'q1', text: 'Explain this.', typed: '/explain', attachments: [] },
              { id: 'q2', text: ' ', attachments: [{ label: 'a.ts' }, { label: 'b.ts' }] },
            ],
          }),
        }),
        ...viewModel,
      } as unknown as ChatViewModel,
      limitChoice: { isMade: () => false },
      incoming: { chips: () => [], waiting: () => [] },
      settings: {
        dashboardUrl: () => '',
        chatMode: () => 'agent',
        sendKey: () => 'enter',
        whileBusy: () => 'queue',
        compactsWhenCheaper: () => false,
        chatFonts: () => ({ '--vscode-font-size': '22px' }),
      },
      readiness: { hasAddress: () => true, hasKey: () => false, keyProblem: () => ({ state: 'rejected' }) },
      models: { ids: () => ['svc/known'], nameOf: (id) => id.slice(4).toUpperCase() },
      model: () => 'svc/now',
      estimate: () => ({ tokens: 5, microUsd: 6 }),
      sections: () => ({}),
      steerPrice: { atNextStep: () => 7, lostByStop: () => 8 },
      takesImages: () => true,
      changes: () => ({ edits: [], editOutcomes: {}, editParts: {} }),
      tryOrder: () => ['svc/known'],
      unsaved: () => undefined,
      place: () => ({ trusted: true, hasFolder: true, virtualFolders: undefined, locale: 'en' }),
      inTab: false,
      ...change,
    })();
  }

  it('names every model that an answer, a notice or a button may have to name', () => {
    assert.deepEqual(Object.keys(info().modelNames).sort(), [
      ...['svc/answered', 'svc/asked', 'svc/from', 'svc/known', 'svc/named', 'svc/now', 'svc/to'],
    ]);
    assert.deepEqual(info().model, { id: 'svc/now', name: 'NOW' });
  });

  it('F4 shows what waits as it was typed, else by what is attached to it', () => {
    const { queue, attachments } = info();
    assert.deepEqual(queue, {
      items: [
        { id: 'q1', text: '/explain' },
        { id: 'q2', text: 'a.ts, b.ts' },
      ],
      paused: true,
    });
    assert.deepEqual(attachments, [{ id: 'a', label: 'a.ts', kind: 'file', tokens: 5, microUsd: 6 }]);
  });

  it('says only what is so: images, a tab, a dashboard', () => {
    const plain = info();
    for (const name of ['imagesRefused', 'inTab'] as const) assert.ok(!(name in plain), name);
    assert.deepEqual(
      [plain.hasDashboard, plain.hasAddress, plain.hasKey, plain.keyProblem],
      [false, true, false, { state: 'rejected' }],
    );
    const full = info({ takesImages: () => false, inTab: true });
    assert.deepEqual([full.imagesRefused, full.inTab], [true, true]);
    const settings: PanelInfoDeps['settings'] = {
      dashboardUrl: () => 'https://d',
      chatMode: () => 'ask',
      sendKey: () => 'enter',
      whileBusy: () => 'nextStep',
      compactsWhenCheaper: () => true,
      chatFonts: () => ({}),
    };
    assert.equal(info({ settings }).hasDashboard, true);
    assert.deepEqual([plain.offersLimit, info({ limitChoice: { isMade: () => true } }).offersLimit], [true, undefined]);
  });
});
