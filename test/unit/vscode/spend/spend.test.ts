import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { createEmitter } from '../../../../src/base/emitter.ts';
import type { OpenConversations } from '../../../../src/chat/open-conversations.ts';
import { waitingIn } from '../../../../src/chat/waiting.ts';
import type { Conversation } from '../../../../src/conversation/conversation.ts';
import type { ChatEvent } from '../../../../src/shared/events.ts';
import type { SpendReport } from '../../../../src/shared/panel/spend-report.ts';
import type { LedgerEntry } from '../../../../src/spend/ledger-entry.ts';
import type { StatusDeps } from '../../../../src/vscode/spend/status.ts';
import {
  bars,
  EventEmitter,
  focusWindow,
  person,
  reset,
  settings,
  Uri,
  workspace,
} from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { conversationWith } from '../chat-panel/widgets.ts';

const { confirmSpending } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/spend/confirm-spending.ts')
>(new URL('../../../../src/vscode/spend/confirm-spending.ts', import.meta.url));
const { exportSpend } = await importWithVscodeStub<typeof import('../../../../src/vscode/spend/spend-export.ts')>(
  new URL('../../../../src/vscode/spend/spend-export.ts', import.meta.url),
);
const { setSpendLimit } = await importWithVscodeStub<typeof import('../../../../src/vscode/spend/spend-limits.ts')>(
  new URL('../../../../src/vscode/spend/spend-limits.ts', import.meta.url),
);
const { createLimitChoice } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/account/limit-choice.ts')
>(new URL('../../../../src/vscode/account/limit-choice.ts', import.meta.url));
const { createSpendPanel } = await importWithVscodeStub<typeof import('../../../../src/vscode/spend/spend-panel.ts')>(
  new URL('../../../../src/vscode/spend/spend-panel.ts', import.meta.url),
);
const { createStatus } = await importWithVscodeStub<typeof import('../../../../src/vscode/spend/status.ts')>(
  new URL('../../../../src/vscode/spend/status.ts', import.meta.url),
);
const { usageNodes } = await importWithVscodeStub<typeof import('../../../../src/vscode/spend/usage-tree.ts')>(
  new URL('../../../../src/vscode/spend/usage-tree.ts', import.meta.url),
);
const turn = () => new Promise(setImmediate);

describe('money, asked about and shown', () => {
  beforeEach(reset);

  it('U4 a request above the limit is sent only when the user says so, and both amounts are named', async () => {
    const ask = () =>
      confirmSpending({
        ...{ kind: 'confirm', limit: 'confirm' },
        ...{ estimateMicroUsd: 1_500_000, limitMicroUsd: 1_000_000, spentMicroUsd: 0 },
      });
    assert.equal(await ask(), false);
    const [message] = person.messages;
    assert.match(message?.text ?? '', /\$1\.50/);
    assert.match(message?.detail ?? '', /above \$1\.00/);
    person.answer = () => 'Send';
    assert.equal(await ask(), true);
  });

  describe('a limit', () => {
    const limitNow = () => settings.get('svc.spend.dailyLimitUsd')?.globalValue as number | undefined;
    const choice = (memento = new Map<string, unknown>()) =>
      createLimitChoice({ limits: () => ({ dailyLimitUsd: limitNow() }) }, {
        get: (key: string) => memento.get(key),
        update: async (key: string, value: unknown) => void memento.set(key, value),
      } as Parameters<typeof createLimitChoice>[1]);

    it('U4 of a day is offered until there is one or none is wanted, and each decision is told', async () => {
      settings.clear();
      const kept = new Map<string, unknown>();
      const made = choice(kept);
      const told: boolean[] = [];
      made.onDidChange(() => told.push(made.isMade()));
      assert.equal(made.isMade(), false);
      const limits = { limits: () => ({}) };
      await setSpendLimit(limits, made, 1);
      assert.deepEqual([made.isMade(), limitNow()], [true, 1]);
      await setSpendLimit(limits, made, null);
      assert.deepEqual([made.isMade(), limitNow()], [true, undefined]);
      assert.equal(choice(kept).isMade(), true);
      await setSpendLimit(limits, made, 2);
      settings.clear();
      assert.equal(made.isMade(), false);
      assert.deepEqual(told, [true, true, true]);
    });

    const setTo = async (row: number, text: string | undefined) => {
      let problem: unknown;
      person.pick = (rows) => rows[row];
      person.write = ({ validateInput }) => {
        problem = (validateInput as (value: string) => unknown)(text ?? '');
        return problem === undefined ? text : undefined;
      };
      settings.clear();
      await setSpendLimit({ limits: () => ({ dailyLimitUsd: 2 }) }, choice());
      return problem ?? Object.fromEntries([...settings].map(([name, { globalValue }]) => [name, globalValue]));
    };

    it('U4 is set, changed, and taken away by an empty text', async () => {
      assert.deepEqual(await setTo(0, '2.50'), { 'svc.spend.dailyLimitUsd': 2.5 });
      assert.deepEqual(await setTo(1, ' $ 3,25 '), { 'svc.spend.conversationLimitUsd': 3.25 });
      assert.deepEqual(await setTo(2, ' '), { 'svc.spend.confirmAboveUsd': null });
      assert.deepEqual(await setTo(0, undefined), {});
      assert.deepEqual(await setTo(9, '1'), {});
    });

    it('U4 Other Amount asks for the amount a day, and not for which limit', async () => {
      person.pick = () => assert.fail('which limit');
      person.write = () => '4';
      settings.clear();
      await setSpendLimit({ limits: () => ({}) }, choice(), 'daily');
      assert.equal(settings.get('svc.spend.dailyLimitUsd')?.globalValue, 4);
    });

    it('U4 is no slip of the keyboard', async () => {
      for (const text of ['1e9', '-1', '1,000.50', 'much', '12345678', '1.', '.5']) {
        assert.match(String(await setTo(0, text)), /Enter an amount/, text);
      }
    });

    it('shows what holds now', async () => {
      let shown: unknown[] = [];
      person.pick = (rows) => {
        shown = rows.map(({ description }) => description);
      };
      await setSpendLimit({ limits: () => ({ dailyLimitUsd: 2 }) }, choice());
      assert.deepEqual(shown, ['$2', 'no limit', 'no limit']);
    });
  });

  describe('the export', () => {
    const entry = (id: number) => ({ id: `r${id}`, at: 0, model: 'm', surface: 'chat', microUsd: 1 }) as LedgerEntry;
    function ledger(count: number) {
      const ranges: unknown[] = [];
      return {
        ranges,
        currentDay: () => '2026-11-20',
        eachEntry: async (range: unknown, each: (entry: LedgerEntry) => void) => {
          ranges.push(range);
          for (let id = 0; id < count; id++) each(entry(id));
        },
      } as unknown as Parameters<typeof exportSpend>[0] & { ranges: unknown[] };
    }
    const lines = (file: string) => (person.written.get(file) ?? '').split('\r\n');

    it('U12 writes one line for each attempt, all of a long time too', async () => {
      const source = ledger(12_001);
      await exportSpend(source, Uri.file('/all.csv'));
      const written = lines('/all.csv');
      assert.equal(written.length, 12_003);
      assert.match(written[0] ?? '', /^time,model/);
      assert.equal(new Set(written).size, 12_003);
      assert.deepEqual([source.ranges, person.messages], [[{ from: '0001-01-01', to: '9999-01-01' }], []]);
    });

    it('U12 asks for the days and the file, and offers to open it', async () => {
      workspace.workspaceFolders = [{ uri: Uri.file('/ws') }];
      const source = ledger(1);
      person.pick = (rows) => rows[1];
      person.choose = ({ defaultUri }) => defaultUri;
      person.answer = () => 'Open';
      await exportSpend(source, undefined);
      assert.equal(lines('/ws/svc-spend-2026-11-20.csv').length, 3);
      assert.deepEqual(source.ranges, [{ from: '2026-11-14', to: '2026-11-20' }]);
      assert.deepEqual(person.documents.map(String), ['file:///ws/svc-spend-2026-11-20.csv']);
      person.choose = () => undefined;
      await exportSpend(source, undefined);
      person.pick = () => undefined;
      await exportSpend(source, undefined);
      assert.equal(source.ranges.length, 1);
    });
  });

  describe('the report in a tab', () => {
    function open() {
      const asked: number[] = [];
      const ran: unknown[][] = [];
      const errors: unknown[] = [];
      let changed: () => void = () => undefined;
      const panel = createSpendPanel({
        extensionUri: Uri.file('/ext') as unknown as Parameters<typeof createSpendPanel>[0]['extensionUri'],
        async report(days) {
          asked.push(days);
          if (days === 90) throw new Error('unreadable');
          return { days: [] } as unknown as SpendReport;
        },
        onDidChange(listener) {
          changed = listener;
          return {
            dispose() {
              changed = () => undefined;
            },
          };
        },
        run: async (...command) => void ran.push(command),
        onError: (error) => errors.push(error),
      });
      return { panel, asked, ran, errors, change: () => changed() };
    }

    it('U2 there is one, drawn when its page is ready, again with what changed, and not while it is hidden', async () => {
      const { panel, asked, change } = open();
      panel.show();
      panel.show();
      assert.equal(person.panels.length, 1);
      const [page] = person.panels;
      assert.equal(page?.reveals, 1);
      change();
      await turn();
      assert.deepEqual(asked, []);
      page?.say({ type: 'ready' });
      await turn();
      page?.say({ type: 'days', days: 7 });
      await turn();
      change();
      await turn();
      assert.deepEqual([asked.splice(0), page?.posted.length], [[30, 7, 7], 3]);
      page?.setVisible(false);
      change();
      page?.setVisible(true);
      await turn();
      assert.deepEqual(asked, []);
      page?.say({ type: 'ready' });
      await turn();
      assert.deepEqual(asked, [7]);
      page?.dispose();
      change();
      panel.show();
      assert.equal(person.panels.length, 2);
      panel.dispose();
      assert.equal(person.panels[1]?.isDisposed, true);
    });

    it('its page runs what it may, opens conversations, and nothing else', async () => {
      const { panel, ran, errors } = open();
      panel.show();
      const [page] = person.panels;
      page?.say({ type: 'run', command: 'svc.setSpendLimit' });
      page?.say({ type: 'openConversation', id: 'c1' });
      page?.say({ type: 'run', command: 'workbench.action.quit' });
      assert.deepEqual(ran, [['svc.setSpendLimit'], ['svc.openConversation', 'c1']]);
      assert.equal(errors.length, 1);
      page?.say({ type: 'days', days: 90 });
      await turn();
      assert.match(String(errors[1]), /unreadable/);
    });
  });

  it('U2 the tree says what the report says: each sum, and where it went', () => {
    const sum = (microUsd: number, requests = 2) => ({
      ...{ microUsd, requests, estimated: false, notCharged: requests > 2 ? 1 : 0, possiblyCharged: 0 },
      ...{ promptTokens: 1000, completionTokens: 20 },
    });
    const report = {
      ...{ locale: 'en', days: [], damaged: 0, today: sum(10_000, 1), week: sum(20_000), month: sum(30_000, 3) },
      total: sum(0, 0),
      models: [{ name: 'Kimi', ...sum(5) }],
      surfaces: [],
      conversations: [
        { id: 'c1', name: 'First', exists: true, ...sum(40_000) },
        { id: 'gone', name: 'Deleted', exists: false, ...sum(1) },
      ],
    } as unknown as SpendReport;
    const labels = (current: string) => usageNodes(report, current).map(({ item }) => item.label);
    assert.deepEqual(labels('c1').slice(-2), ['This Conversation', 'Conversations']);
    assert.ok(!labels('other').includes('This Conversation'));
    const [today, , month, models, , conversations] = usageNodes(report, 'other');
    assert.equal(today?.item.description, '$0.0100 · 1 request');
    assert.equal(month?.item.description, '$0.0300 · 3 requests, 1 not charged');
    assert.match(String(today?.item.tooltip), /1,000 tokens in, 20 out/);
    assert.deepEqual(
      models?.children.map(({ item }) => item.label),
      ['Kimi'],
    );
    const [first, gone] = conversations?.children ?? [];
    assert.deepEqual([first?.item.command?.arguments, gone?.item.command], [['c1'], undefined]);
    assert.deepEqual(usageNodes({ ...report, conversations: [] }, ''), []);
    assert.notDeepEqual(usageNodes({ ...report, conversations: [], total: sum(1, 1) } as SpendReport, ''), []);
  });

  describe('the status bar', () => {
    function open({ conversationLimitUsd }: { conversationLimitUsd?: number } = {}) {
      bars.length = 0;
      const events = createEmitter<[conversation: unknown, events: readonly ChatEvent[]]>();
      const [changes, spent, refreshed] = [createEmitter(), createEmitter(), createEmitter()];
      const keys = new EventEmitter<void>();
      const never = () => ({ dispose: () => undefined });
      let live: unknown[] = [];
      const status = createStatus({
        settings: {
          statusBarContent: () => 'modelAndSpend',
          limits: () => ({ conversationLimitUsd }),
          onDidChange: never,
        },
        attention: {
          waiting: () => waitingIn(live as Conversation[]),
          unseenEnds: () => [],
          onDidChange: never,
        },
        keys: { onDidChange: keys.event },
        readiness: { hasKey: () => true, onDidChange: never },
        ledger: {
          today: () => ({ microUsd: 420_000, estimated: false, requests: 1 }),
          currentDay: () => '2026-11-20',
          totals: async ({ from }: { from: string }) => ({
            microUsd: from === '2026-11-14' ? 1_500_000 : 6_000_000,
            estimated: false,
          }),
          conversation: async () => ({ microUsd: 950_000 }),
          onDidChange: spent.event,
          refresh: async () => refreshed.fire(),
        },
        conversations: {
          all: () => live,
          onDidEmit: events.event,
          onDidChange: changes.event,
        } as unknown as OpenConversations,
        conversationId: () => 'c',
        model: () => 'svc/kimi-k3',
        nameOf: () => 'Kimi K3',
        afterSent: (run: () => void) => {
          run();
          return { dispose: () => undefined };
        },
        onError: (error: unknown) => assert.fail(String(error)),
      } as unknown as StatusDeps);
      const [bar] = bars as { text: string; tooltip: { value: string }; backgroundColor?: { id: string } }[];
      return {
        ...{ status, bar, refreshed, keys },
        now(...conversations: unknown[]) {
          live = conversations;
          changes.fire();
        },
        happens: (event: object) => events.fire(undefined, [event as ChatEvent]),
      };
    }
    const context = (key: string) => person.ran.findLast(([, name]) => name === key)?.[2];

    it('U2 shows today at once, and the sums of 7 and 30 days when they were read', async () => {
      const { bar } = open();
      assert.equal(bar?.text, 'Kimi K3 · $0.42');
      await turn();
      assert.match(bar?.tooltip.value ?? '', /7 days: \$1\.50 · 30 days: \$6\.00/);
    });

    it('U4 warns when the conversation comes near its own limit', async () => {
      const { bar } = open({ conversationLimitUsd: 1 });
      await turn();
      assert.equal(bar?.backgroundColor?.id, 'statusBarItem.warningBackground');
    });

    it('follows what runs and waits, here and in the keys that menus look at', () => {
      const { bar, now } = open();
      now(conversationWith('c', { approvals: 1 }));
      assert.match(bar?.text ?? '', /1 approval/);
      assert.deepEqual([context('svc.hasPendingApproval'), context('svc.requestInProgress')], [true, true]);
      now(conversationWith('c', { asks: true }));
      assert.match(bar?.text ?? '', /1 question/);
      now();
      assert.deepEqual([context('svc.hasPendingApproval'), context('svc.requestInProgress')], [false, false]);
    });

    it('S6 shows a rejected key until another one comes or a turn ends well, and a network that is gone', () => {
      const { bar, happens, keys, now } = open();
      happens({ type: 'turnEnded', failure: { kind: 'key-rejected' } });
      assert.equal(bar?.backgroundColor?.id, 'statusBarItem.errorBackground');
      keys.fire();
      now();
      assert.equal(bar?.backgroundColor, undefined);
      happens({ type: 'turnEnded', failure: { kind: 'unreachable' } });
      assert.match(bar?.text ?? '', /\$\(/);
      happens({ type: 'turnEnded' });
      assert.equal(bar?.text, 'Kimi K3 · $0.42');
    });

    it('reads what other windows spent when this one is looked at again, and hears nothing once it is gone', async () => {
      const { status, refreshed, now, bar } = open();
      let reads = 0;
      refreshed.event(() => reads++);
      focusWindow(false);
      focusWindow(true);
      await turn();
      assert.equal(reads, 1);
      status.dispose();
      focusWindow(true);
      now(conversationWith('c', { approvals: 1 }));
      assert.deepEqual([reads, bar?.text], [1, 'Kimi K3 · $0.42']);
    });
  });
});
