import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { ModelFacts } from '../../../../src/service/step/learned.ts';
import type { LeakedKeyDeps } from '../../../../src/vscode/account/leaked-key.ts';
import type { KeyState } from '../../../../src/vscode/account/stored-key.ts';
import { person, reset, set, settings } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';
import { createMemento } from '../memento.ts';

const { createLeakedKeyFlow } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/account/leaked-key.ts')
>(new URL('../../../../src/vscode/account/leaked-key.ts', import.meta.url));
const { resetLearnedFacts } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/account/learned-facts.ts')
>(new URL('../../../../src/vscode/account/learned-facts.ts', import.meta.url));
const { watchSettingsForKeys } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/account/key-in-settings.ts')
>(new URL('../../../../src/vscode/account/key-in-settings.ts', import.meta.url));
const turn = () => new Promise(setImmediate);

describe('the steps after a key leaked', () => {
  beforeEach(reset);

  function open(memento = createMemento()) {
    let key: KeyState = { state: 'present', key: 'sk-svc-old-secret' };
    const done: string[] = [];
    const world = { entered: 'sk-svc-new' as string | undefined };
    const flow = createLeakedKeyFlow({
      memento,
      keys: { read: async () => key } as LeakedKeyDeps['keys'],
      redact: (text) => text.slice(0, 8),
      async setApiKey() {
        if (world.entered === undefined) return false;
        key = { state: 'present', key: world.entered };
        return true;
      },
      run: async (command) => void done.push(command),
      shareReport: async (text) => void done.push(text),
      versions: () =>
        ({ extension: '1', editor: '2', system: '3' }) as unknown as ReturnType<LeakedKeyDeps['versions']>,
      epochMs: () => 0,
    });
    /** The list in front, its step that is offered, and what of it is done. */
    const list = () => person.boxes.at(-1);
    const step = async (index?: number) => {
      await turn();
      const box = list();
      box?.pick(index === undefined ? box.activeItems[0] : box.items[index]);
      await turn();
    };
    const marks = () => list()?.items.map(({ description }) => description === 'done');
    return { flow, done, world, step, marks, list };
  }

  it('X15 leads through all four in their order, and names the old key by its first characters only', async () => {
    const { flow, done, step, marks, list } = open();
    person.answer = ({ buttons }) => buttons[0];
    const ended = flow();
    await step();
    assert.deepEqual([done.splice(0), marks()], [['svc.openDashboard'], [true, false, false, false]]);
    assert.match(String(list()?.items[1]?.detail), /It replaces sk-svc-o\./);
    await step();
    await step();
    assert.deepEqual(
      [done.splice(0), marks()],
      [
        ['svc.showSpend', 'svc.openDashboard'],
        [true, true, true, false],
      ],
    );
    await step();
    await ended;
    assert.match(done[0] ?? '', /Key: sk-svc-o\n/);
    assert.doesNotMatch(done[0] ?? '', /old-secret/);
    assert.match(person.messages.at(-1)?.text ?? '', /All four steps/);
  });

  it('goes on where it was left, and counts nothing that was not done', async () => {
    const memento = createMemento();
    const first = open(memento);
    const left = first.flow();
    await first.step();
    assert.deepEqual(first.marks(), [false, false, false, false]);
    person.answer = ({ buttons }) => buttons[0];
    await first.step();
    first.world.entered = undefined;
    await first.step();
    first.world.entered = 'sk-svc-old-secret';
    await first.step();
    assert.deepEqual(first.marks(), [true, false, false, false]);
    assert.match(person.messages.at(-1)?.text ?? '', /This is the old key/);
    first.list()?.hide();
    await left;
    const again = open(memento);
    void again.flow();
    await turn();
    assert.deepEqual(again.marks(), [true, false, false, false]);
    await again.step(3);
    assert.deepEqual(again.marks(), [true, false, false, true]);
    assert.match(String(again.list()?.activeItems[0]?.label), /2\. /);
  });
});

describe('forgetting what was learned', () => {
  beforeEach(reset);

  function open(all: Record<string, object>) {
    const facts = new Map(Object.entries(all)) as unknown as Map<string, ModelFacts>;
    const learned = {
      all: () => facts,
      reset: (model?: string) => (model === undefined ? facts.clear() : facts.delete(model)),
      learn: (model: string, learnedFacts: ModelFacts) => facts.set(model, learnedFacts),
    } as unknown as Parameters<typeof resetLearnedFacts>[0];
    return {
      facts,
      run: () =>
        resetLearnedFacts(learned, { models: () => [], reset: () => () => undefined }, (id) => id.toUpperCase()),
    };
  }
  const images = {
    images: { works: false, at: '' },
    contextTokens: 5,
    contextTokensFrom: {},
    parameters: { seed: {} },
  };

  it('U11 one model or all, with what is known of each, and back with Undo', async () => {
    const { facts, run } = open({ a: images, b: { parameters: {} } });
    let rows: readonly { label: string; detail?: unknown }[] = [];
    person.pick = (shown) => {
      rows = shown;
      return shown[1];
    };
    await run();
    assert.deepEqual(
      rows.map(({ label, detail }) => [label, detail]),
      [
        ['All Models', undefined],
        ['A', 'images, contextTokens, seed'],
        ['B', ''],
      ],
    );
    assert.deepEqual([[...facts.keys()], person.messages.at(-1)?.text], [['b'], 'Forgot what was learned about A.']);
    person.answer = () => 'Undo';
    person.pick = ([first]) => first;
    await run();
    assert.deepEqual([...facts.keys()], ['b']);
    person.pick = () => undefined;
    await run();
    assert.equal(person.messages.length, 2);
  });

  it('says that there is nothing to forget', async () => {
    await open({}).run();
    assert.match(person.messages[0]?.text ?? '', /Nothing has been learned/);
  });
});

describe('a key in the settings', () => {
  beforeEach(reset);

  function watch() {
    const ran: string[] = [];
    let changed: () => void = () => undefined;
    watchSettingsForKeys({
      settings: {
        onDidChange(listener: () => void) {
          changed = listener;
        },
      } as unknown as Parameters<typeof watchSettingsForKeys>[0]['settings'],
      mask: (text) => text.replaceAll(/sk-svc-\w+/g, '…'),
      run: async (command) => void ran.push(command),
      onError: (error) => assert.fail(String(error)),
    });
    return {
      ran,
      async change() {
        changed();
        await turn();
      },
    };
  }

  it('X15 is told once, wherever it stands, and taken out where it was set', async () => {
    set('svc.apiKey', { defaultValue: '', globalValue: 'sk-svc-1', workspaceValue: 'sk-svc-2' });
    set('svc.models.limits', { globalValue: { 'svc/a': { note: 'fine' } } });
    person.answer = ({ buttons }) => buttons[0];
    const { ran, change } = watch();
    await turn();
    await turn();
    assert.match(person.messages[0]?.text ?? '', /svc\.apiKey contains an API key/);
    assert.deepEqual(settings.get('svc.apiKey'), {
      defaultValue: '',
      globalValue: undefined,
      workspaceValue: undefined,
    });
    assert.deepEqual([ran, person.messages.length], [['svc.replaceLeakedKey'], 2]);
    set('svc.models.limits', { globalValue: { 'svc/a': { note: 'sk-svc-3' } } });
    person.answer = () => undefined;
    await change();
    await change();
    assert.match(person.messages[2]?.text ?? '', /svc\.models\.limits\.svc\/a\.note/);
    assert.deepEqual([person.messages.length, ran.length], [3, 1]);
  });

  it('opens the file that holds it when VS Code does not know the setting', async () => {
    person.answer = ({ buttons }) => buttons[0];
    set('svc.mine', { globalValue: 'sk-svc-1' });
    watch();
    await turn();
    await turn();
    assert.deepEqual(person.ran.at(-1), ['workbench.action.openSettingsJson']);
    assert.equal(person.messages.length, 1);
  });
});
