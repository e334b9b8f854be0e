import assert from 'node:assert/strict';
import type { Host, StoredPanel } from '../../../../media/chat/host.ts';
import { createPanelState } from '../../../../media/chat/state.ts';
import type { PanelMessage } from '../../../../src/shared/panel/protocol.ts';
import { ask, end, say, snapshot } from '../../../panel/fixtures.ts';

function setUp(stored: Partial<StoredPanel> = {}) {
  const posted: PanelMessage[] = [];
  const frames: (() => void)[] = [];
  const timers = new Set<() => void>();
  let kept: StoredPanel | undefined;
  const host: Host = {
    post: (message) => posted.push(message),
    stored: () => stored,
    store: (panel) => {
      kept = panel;
    },
    listen: () => undefined,
  };
  let atMs = 1000;
  const state = createPanelState({
    host,
    now: () => atMs,
    requestFrame: (draw) => frames.push(draw),
    after: (_ms, run) => {
      timers.add(run);
      return () => timers.delete(run);
    },
  });
  const run = (list: Iterable<() => void>) => {
    for (const step of [...list]) step();
  };
  return {
    state,
    posted,
    kept: () => kept,
    tick: () => {
      atMs += 1000;
    },
    frame: () => run(frames.splice(0)),
    time: () => {
      const due = [...timers];
      timers.clear();
      run(due);
    },
  };
}

describe('panel state', () => {
  it('P5 changes once per frame, however many messages came', () => {
    const { state, frame } = setUp();
    state.receive(snapshot());
    let changes = 0;
    state.items.subscribe(() => changes++);
    const before = changes;
    state.receive({ type: 'events', events: ask('Hi') });
    state.receive({ type: 'events', events: [say('a')] });
    state.receive({ type: 'events', events: [say('b')] });
    assert.equal(changes, before);
    frame();
    assert.equal(changes, before + 1);
    assert.equal(state.items.value.length, 2);
  });

  it('drops events that a snapshot already holds', () => {
    const { state, frame } = setUp();
    state.receive(snapshot());
    state.receive({ type: 'events', events: ask('Hi') });
    state.receive(snapshot([...ask('Hi'), say('Hello')]));
    frame();
    assert.equal(state.items.value.length, 2);
  });

  it('F5 keeps what was typed after the host last heard of it', () => {
    const { state } = setUp({
      conversationId: 'conversation-1',
      draft: 'half a thought and more',
      postedDraft: 'half a thought',
      draftAtMs: 1,
    });
    state.receive(snapshot([], {}, 'half a thought'));
    assert.equal(state.draft.text.value, 'half a thought and more');
  });

  it('takes the draft of the host when that one is newer', () => {
    const { state } = setUp({ conversationId: 'conversation-1', draft: 'old', postedDraft: 'old', draftAtMs: 1 });
    state.receive({ ...snapshot([], {}, 'from a command'), draftTimes: { atMs: 1 } });
    assert.equal(state.draft.text.value, 'from a command');
  });

  it('keeps what is typed when a snapshot crosses the report of it', () => {
    const { state, time } = setUp();
    state.receive(snapshot([]));
    state.draft.set('Is anybody there?');
    time();
    state.receive(snapshot([]));
    assert.equal(state.draft.text.value, 'Is anybody there?');
  });

  it('takes back what was sent and could not be, below what was typed since', () => {
    const { state, time, posted } = setUp();
    state.receive(snapshot());
    state.draft.set('Hello?');
    time();
    state.draft.take();
    state.draft.set('And');
    state.receive({ type: 'addToDraft', text: 'Hello?' });
    assert.equal(state.draft.text.value, 'And\n\nHello?');
    const last = posted.at(-1);
    assert.equal(last?.type === 'draftChanged' && last.draft.text, 'And\n\nHello?');
  });

  it('F5 keeps what is typed while a new chat opens, however late the host heard of it', () => {
    const { state, time, posted } = setUp();
    state.receive(snapshot());
    state.draft.set('a');
    time();
    state.draft.set('ab');
    time();
    state.draft.set('abc');
    // Made before the host heard of any of it.
    const { state: chat, ...rest } = snapshot();
    state.receive({ ...rest, state: { ...chat, conversationId: 'conversation-2' }, draftFrom: 'conversation-1' });
    assert.equal(state.draft.text.value, 'abc');
    time();
    assert.deepEqual(posted.at(-1), {
      type: 'draftChanged',
      draft: { text: 'abc', conversationId: 'conversation-2', atMs: 1002 },
    });
  });

  it('F5 leaves what was typed with its conversation when another one is opened', () => {
    const { state, posted } = setUp();
    state.receive(snapshot());
    state.draft.set('to the first');
    const { state: chat, ...rest } = snapshot([], {}, 'to the second');
    state.receive({ ...rest, state: { ...chat, conversationId: 'conversation-2' } });
    assert.equal(state.draft.text.value, 'to the second');
    assert.deepEqual(posted, [
      { type: 'draftChanged', draft: { text: 'to the first', conversationId: 'conversation-1', atMs: 1000 } },
    ]);
  });

  it('shows what was added to the draft while the page was away, with what it alone knows', () => {
    const { state } = setUp({ conversationId: 'conversation-1', draft: 'foo and', postedDraft: 'foo', draftAtMs: 1 });
    state.receive({ ...snapshot([], {}, 'foo\n\nadded'), draftReplaced: true });
    assert.equal(state.draft.text.value, 'foo and\n\nadded');
  });

  it('F5 keeps nothing of what was sent before the host had heard of it: a reload would show it again', () => {
    const { state, kept } = setUp();
    state.receive(snapshot());
    state.draft.set('Talk for a while.');
    assert.equal(state.draft.take().text, 'Talk for a while.');
    assert.equal(kept()?.draft, '');
    state.draft.set('To another window.');
    state.receive({ type: 'draftTaken', text: 'To another window.' });
    assert.equal(kept()?.draft, '');
  });

  it('F5 shows nothing again that was sent, in a page for which VS Code kept what stood there just before', () => {
    const { state, posted, kept, tick } = setUp();
    state.receive(snapshot());
    state.draft.set('Change the price.');
    const early = kept();
    tick();
    const { emptiedAtMs = 0 } = state.draft.take().rest;
    assert.ok(emptiedAtMs > 0, 'also what the host never heard of was emptied');
    assert.deepEqual(posted, [], 'it is told with what is sent');
    const again = setUp(early);
    again.state.receive({ ...snapshot(), draftTimes: { atMs: emptiedAtMs, emptiedAtMs } });
    again.time();
    assert.deepEqual([again.state.draft.text.value, again.posted], ['', []]);
    const typedSince = setUp({ ...kept(), draft: 'And', draftAtMs: emptiedAtMs + 1 });
    typedSince.state.receive({ ...snapshot(), draftTimes: { atMs: emptiedAtMs, emptiedAtMs } });
    assert.equal(typedSince.state.draft.text.value, 'And');
  });

  it('F5 edits nothing again that was sent, and keeps what was being written before', () => {
    const { state, posted, kept, tick, time } = setUp();
    state.receive(snapshot([], {}, 'Half a thought'));
    state.editing.begin({ id: 'u1', text: 'old', attachments: [] });
    state.draft.set('new');
    const early = kept();
    tick();
    const { edited, rest } = state.editing.take() ?? {};
    assert.deepEqual([edited?.text, rest?.text], ['new', 'Half a thought'], 'told with what is sent');
    assert.ok(posted.every(({ type }) => type !== 'draftChanged'));
    const again = setUp(early);
    again.state.receive({ ...snapshot([], {}, 'Half a thought'), ...(rest && { draftTimes: rest }) });
    assert.deepEqual([again.state.draft.text.value, again.state.editing.current.value], ['Half a thought', undefined]);
    time();
  });

  it('reports a draft once for many letters, and at once when it is sent', () => {
    const { state, posted, time, kept } = setUp();
    state.draft.set('a');
    state.draft.set('ab');
    assert.deepEqual(posted, []);
    assert.equal(kept()?.draft, 'ab');
    time();
    assert.deepEqual(posted, [{ type: 'draftChanged', draft: { text: 'ab', atMs: 1001 } }]);
    assert.deepEqual(state.draft.take(), { text: 'ab', rest: { text: '', atMs: 1002, emptiedAtMs: 1002 } });
    time();
    assert.equal(posted.length, 1);
  });

  it('counts the seconds only while a turn runs', () => {
    const { state, frame, time } = setUp();
    state.receive({ type: 'events', events: ask('Hi') });
    frame();
    time();
    time();
    state.receive({ type: 'events', events: [end()] });
    frame();
    time();
    let ticks = 0;
    state.now.subscribe(() => ticks++);
    time();
    assert.equal(ticks, 1);
  });

  it('counts every second while a turn runs', () => {
    const { state, frame, time, tick } = setUp();
    state.receive({ type: 'events', events: ask('Hi') });
    frame();
    const seen: number[] = [];
    state.now.subscribe((at) => seen.push(at));
    for (let second = 0; second < 3; second++) {
      tick();
      time();
    }
    assert.deepEqual(seen, [1000, 2000, 3000, 4000]);
  });

  it('W46b takes no display name from the prototype of an object', () => {
    const { state } = setUp();
    state.receive(snapshot());
    assert.equal(state.nameOf('constructor'), 'constructor');
    assert.equal(state.nameOf('svc/kimi-k3'), 'Kimi K3');
  });

  const page = { conversationId: 'conversation-1', atMs: 2000, dismissed: ['no-key'], toggled: ['turn-1/tool-1-0'] };

  it('F5 E21 is as the host knows the page before, when VS Code kept nothing or something old for it', () => {
    for (const stored of [{}, { conversationId: 'conversation-1', atMs: 1500, place: { message: 9, offsetPx: 0 } }]) {
      const { state } = setUp(stored);
      const editing = { messageId: 'u1', attachments: [], earlierDraft: 'Half a thought' };
      state.receive({ ...snapshot([], {}, 'Edited'), page: { ...page, place: { message: 3, offsetPx: 12 }, editing } });
      assert.deepEqual(state.storedAnchor(), { message: 3, offsetPx: 12 });
      assert.deepEqual(state.dismissed.value, ['no-key']);
      assert.ok(state.isToggled('turn-1/tool-1-0'));
      assert.equal(state.draft.text.value, 'Edited');
      state.editing.cancel();
      assert.equal(state.draft.text.value, 'Half a thought');
    }
  });

  it('F5 knows better than the host what changed just before the page went away', () => {
    const { state } = setUp({ conversationId: 'conversation-1', atMs: 2500, toggled: ['turn-1/tool-2-0'] });
    state.receive({ ...snapshot(), page });
    assert.ok(state.isToggled('turn-1/tool-2-0'));
    assert.ok(!state.isToggled('turn-1/tool-1-0'));
  });

  it('F5 takes what the host knew of the page before once, and not from a later snapshot', () => {
    const { state } = setUp();
    state.receive(snapshot());
    state.setToggled('turn-1/tool-2-0', true);
    state.receive({ ...snapshot(), page });
    assert.ok(state.isToggled('turn-1/tool-2-0'));
    assert.ok(!state.isToggled('turn-1/tool-1-0'));
  });

  it('F5 keeps the place a moment after it changed, and what is unfolded at once', () => {
    const { state, kept, time } = setUp();
    state.receive(snapshot());
    state.movedTo({ message: 1, offsetPx: 5 });
    assert.equal(kept()?.place, undefined);
    time();
    assert.deepEqual(kept()?.place, { message: 1, offsetPx: 5 });
    state.movedTo({ message: 2, offsetPx: 0 });
    time();
    assert.deepEqual(kept()?.place, { message: 2, offsetPx: 0 });
    state.setToggled('turn-1/tool-1-0', true);
    assert.deepEqual(kept()?.toggled, ['turn-1/tool-1-0']);
  });

  it('F5 begins anew in another conversation than the page before', () => {
    const { state } = setUp();
    state.receive({ ...snapshot(), page: { ...page, conversationId: 'other', place: { message: 3, offsetPx: 1 } } });
    assert.equal(state.storedAnchor(), undefined);
    assert.ok(!state.isToggled('turn-1/tool-1-0'));
  });

  it('F5 tells the host where it stands and what is unfolded, once for many changes', () => {
    const { state, posted, time } = setUp();
    state.receive(snapshot());
    for (let offsetPx = 1; offsetPx <= 5; offsetPx++) state.movedTo({ message: 1, offsetPx });
    state.setToggled('turn-1/tool-1-0', true);
    time();
    time();
    const told = posted.filter(({ type }) => type === 'pageChanged');
    assert.deepEqual(told, [
      {
        type: 'pageChanged',
        page: {
          conversationId: 'conversation-1',
          atMs: 1000,
          place: { message: 1, offsetPx: 5 },
          dismissed: [],
          toggled: ['turn-1/tool-1-0'],
        },
      },
    ]);
  });
});
