import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCreditGuard } from '../../../../src/features/native-chat/vscode/credit-guard.ts';
import type { StoredSetting } from '../../../../src/features/native-chat/vscode/settings-change.ts';

const flash = { id: 'svc/flash', name: 'Flash' };
const pro = { id: 'svc/pro', name: 'Pro' };
const models = { small: flash, chat: pro, chatHasTools: true };

/** As VS Code 1.139 registers them. */
const defaults: Record<string, string> = {
  'chat.utilityModel': '',
  'chat.utilitySmallModel': '',
  'chat.byokUtilityModelDefault': 'copilot',
  'chat.exploreAgent.defaultModel': '',
  'chat.planAgent.defaultModel': '',
  'inlineChat.defaultModel': '',
  'chat.defaultModel': '',
};

/** Settings in memory. `above` decides over the user; `locked` refuse to be written. */
function open(user: Record<string, unknown> = {}, registered = defaults) {
  const values = new Map(Object.entries(user));
  const above: Record<string, unknown> = {};
  const locked = new Set<string>();
  let kept: readonly StoredSetting[] = [];
  const guard = createCreditGuard({
    inspect: (key) => ({
      defaultValue: registered[key],
      globalValue: values.get(key),
      value: above[key] ?? values.get(key) ?? registered[key],
    }),
    write: async (key, value) => {
      if (locked.has(key)) throw new Error('configured in system policy');
      if (value === undefined) values.delete(key);
      else values.set(key, value);
    },
    stored: {
      read: () => kept,
      // As state of VS Code: through JSON.
      write: async (next) => {
        kept = JSON.parse(JSON.stringify(next));
      },
    },
  });
  const now = () => Object.fromEntries(values);
  return { guard, values, above, locked, user: now };
}

describe('the guard of credits', () => {
  it('U14 sets each setting in the form in which VS Code reads it', async () => {
    const { guard, user } = open();
    const { changed, overruled, unchanged } = await guard.apply(guard.plan(models));
    assert.equal(changed.length, 7);
    assert.deepEqual([overruled, unchanged], [[], []]);
    assert.deepEqual(user(), {
      'chat.utilityModel': 'svc/svc/flash',
      'chat.utilitySmallModel': 'svc/svc/flash',
      'chat.byokUtilityModelDefault': 'mainAgent',
      'chat.exploreAgent.defaultModel': 'Pro (svc)',
      'chat.planAgent.defaultModel': 'Pro (svc)',
      'inlineChat.defaultModel': 'Pro (svc)',
      'chat.defaultModel': 'svc/pro',
    });
    assert.deepEqual(guard.plan(models), []);
  });

  it('U14 touches only what exists, and nothing where none does', () => {
    const some = open({}, { 'inlineChat.defaultModel': '' });
    assert.ok(some.guard.isSupported());
    assert.deepEqual(
      some.guard.plan(models).map(({ key, now, next }) => ({ key, now, next })),
      [{ key: 'inlineChat.defaultModel', now: undefined, next: 'Pro (svc)' }],
    );
    const none = open({ 'chat.utilityModel': 'left over' }, {});
    assert.equal(none.guard.isSupported(), false);
    assert.deepEqual(none.guard.plan(models), []);
  });

  it('U14 leaves agents to others when the model takes no tools', () => {
    const { guard } = open();
    assert.deepEqual(
      guard.plan({ ...models, chatHasTools: false }).map(({ key }) => key),
      ['chat.utilityModel', 'chat.utilitySmallModel', 'chat.byokUtilityModelDefault', 'chat.defaultModel'],
    );
  });

  it('U14 undo puts back exactly what was: not set stays not set, the default as set stays set', async () => {
    const before = { 'chat.byokUtilityModelDefault': 'copilot', 'chat.defaultModel': 'opus', 'other.setting': 1 };
    const { guard, user } = open(before);
    await guard.apply(guard.plan(models));
    assert.notDeepEqual(user(), before);
    assert.equal(guard.canUndo(), true);
    const { changed } = await guard.undo();
    assert.equal(changed.length, 7);
    assert.deepEqual(user(), before);
    assert.equal(guard.canUndo(), false);
  });

  it('U14 undo leaves alone what was changed since', async () => {
    const { guard, values } = open();
    await guard.apply(guard.plan(models));
    values.set('chat.utilityModel', 'ollama/llama');
    values.delete('chat.defaultModel');
    const { changed, overruled } = await guard.undo();
    assert.deepEqual(overruled, ['chat.utilityModel', 'chat.defaultModel']);
    assert.equal(changed.length, 5);
    assert.equal(values.get('chat.utilityModel'), 'ollama/llama');
  });

  it('U14 a second time, with another model, undo still goes back to the very first', async () => {
    const before = { 'chat.defaultModel': 'opus' };
    const { guard, user } = open(before);
    await guard.apply(guard.plan(models));
    await guard.apply(guard.plan({ ...models, chat: flash }));
    assert.equal(user()['chat.defaultModel'], 'svc/flash');
    await guard.undo();
    assert.deepEqual(user(), before);
  });

  it('U14 tells what could not be written and what something above overrules', async () => {
    const { guard, above, locked, user } = open();
    locked.add('chat.defaultModel');
    above['chat.utilityModel'] = 'copilot/gpt';
    const { unchanged, overruled, changed } = await guard.apply(guard.plan(models));
    assert.deepEqual([unchanged, overruled], [['chat.defaultModel'], ['chat.utilityModel']]);
    assert.equal(changed.length, 6);
    await guard.undo();
    assert.deepEqual(user(), {});
  });

  it('U14 whatever was set and is chosen, undo after any number of guards is the way back', async () => {
    const value = fc.constantFrom(undefined, '', 'copilot', 'mainAgent', 'Pro (svc)', 'svc/pro', 7);
    const set = fc.record(Object.fromEntries(Object.keys(defaults).map((key) => [key, value])));
    const choices = fc.array(fc.tuple(fc.subarray(Object.keys(defaults)), fc.constantFrom(flash, pro)), {
      maxLength: 4,
    });
    await fc.assert(
      fc.asyncProperty(set, choices, async (values, rounds) => {
        const before = Object.fromEntries(Object.entries(values).filter(([, one]) => one !== undefined));
        const { guard, user } = open(before);
        for (const [keys, chat] of rounds) {
          await guard.apply(guard.plan({ ...models, chat }).filter(({ key }) => keys.includes(key)));
        }
        const { overruled } = await guard.undo();
        assert.deepEqual(overruled, []);
        assert.deepEqual(user(), before);
      }),
    );
  });

  it('U14 says by which setting the chat runs in a harness that reads none of this', () => {
    const { guard, above } = open({}, { ...defaults, 'chat.editor.preferCopilotHarness': 'false' });
    assert.equal(guard.otherHarness(), undefined);
    Object.assign(above, { 'chat.editor.preferCopilotHarness': true, 'chat.inlineChat.agentHost.enabled': true });
    assert.equal(guard.otherHarness(), 'chat.editor.preferCopilotHarness');
    assert.ok(!guard.plan(models).some(({ key }) => key === 'inlineChat.defaultModel'));
  });
});
