import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createGuardCredits } from '../../../src/features/native-chat/vscode/guard-credits.ts';
import { createMemento } from '../../unit/vscode/memento.ts';

const flash = { id: 'svc/deepseek-v4.1-flash', name: 'DeepSeek V4.1 Flash' };
const kimi = { id: 'svc/kimi-k3', name: 'Kimi K3' };
/** The older release has none of the settings. */
const hasSettings = !vscode.version.startsWith('1.106.');

const keys = [
  'chat.utilityModel',
  'chat.utilitySmallModel',
  'chat.byokUtilityModelDefault',
  'chat.exploreAgent.defaultModel',
  'chat.planAgent.defaultModel',
  'inlineChat.defaultModel',
  'chat.defaultModel',
];
const ofUser = () =>
  Object.fromEntries(keys.map((key) => [key, vscode.workspace.getConfiguration().inspect(key)?.globalValue]));
const write = (key: string, value: unknown) =>
  vscode.workspace.getConfiguration().update(key, value, vscode.ConfigurationTarget.Global);

type Row = vscode.QuickPickItem & { picked?: boolean };

/** Stands for the person: takes the rows that `choose` leaves, and reads what is said. */
function sitDown(choose: (rows: readonly Row[]) => readonly Row[] | undefined) {
  const { showQuickPick, showInformationMessage, showWarningMessage } = vscode.window;
  const said: string[] = [];
  const say = async (text: string) => void said.push(text);
  Object.assign(vscode.window, {
    showQuickPick: async (rows: readonly Row[]) => choose(rows),
    showInformationMessage: say,
    showWarningMessage: say,
  });
  return {
    said,
    leave: () => Object.assign(vscode.window, { showQuickPick, showInformationMessage, showWarningMessage }),
  };
}

describe('the guard of credits in VS Code', () => {
  let leave = () => {};
  const open = (ready = true) =>
    createGuardCredits({
      memento: createMemento(),
      models: { models: () => [flash, kimi] },
      learned: { get: () => ({ parameters: {} }) },
      model: () => kimi.id,
      ensureReady: async () => ready,
    });
  beforeEach(function () {
    this.timeout(60_000);
  });
  afterEach(async () => {
    leave();
    for (const key of hasSettings ? keys : []) await write(key, undefined);
  });

  if (hasSettings) {
    it('U14 shows each setting that exists before and after, writes what is checked, and undo puts it back', async () => {
      await write('chat.defaultModel', 'opus');
      const before = ofUser();
      let shown: readonly Row[] = [];
      const person = sitDown((rows) => {
        shown = rows;
        return rows.filter(({ label }) => label !== 'inlineChat.defaultModel');
      });
      leave = person.leave;
      const commands = open();
      await commands['svc.guardCredits']();
      assert.deepEqual(
        shown.map(({ label }) => label),
        keys,
      );
      assert.ok(shown.every(({ picked }) => picked));
      assert.equal(shown.at(-1)?.description, 'opus → svc/kimi-k3');
      assert.equal(shown[0]?.description, 'not set → svc/svc/deepseek-v4.1-flash');
      assert.equal(shown[2]?.description, 'not set (copilot) → mainAgent');
      assert.deepEqual(ofUser(), {
        'chat.utilityModel': 'svc/svc/deepseek-v4.1-flash',
        'chat.utilitySmallModel': 'svc/svc/deepseek-v4.1-flash',
        'chat.byokUtilityModelDefault': 'mainAgent',
        'chat.exploreAgent.defaultModel': 'Kimi K3 (svc)',
        'chat.planAgent.defaultModel': 'Kimi K3 (svc)',
        'inlineChat.defaultModel': undefined,
        'chat.defaultModel': 'svc/kimi-k3',
      });
      assert.match(person.said.join(), /^Settings changed: 6\. Requests that VS Code's chat makes/);
      await commands['svc.undoGuardCredits']();
      assert.deepEqual(ofUser(), before);
      await commands['svc.undoGuardCredits']();
      assert.match(person.said.at(-1) ?? '', /nothing to undo/);
    });

    it('U14 changes nothing when the preview is left, or when there is no key', async () => {
      const person = sitDown(() => undefined);
      leave = person.leave;
      await open()['svc.guardCredits']();
      await open(false)['svc.guardCredits']();
      assert.deepEqual(new Set(Object.values(ofUser())), new Set([undefined]));
      assert.deepEqual(person.said, []);
    });
  } else {
    it('U14 says so in a version without the settings, and asks nothing', async () => {
      const person = sitDown(() => assert.fail('there is nothing to choose'));
      leave = person.leave;
      await open()['svc.guardCredits']();
      assert.match(person.said.join(), /no settings for the models/);
    });
  }

  it('F30 hides the AI entries of VS Code after a preview, all of them with one setting, and puts them back', async () => {
    const key = 'chat.disableAIFeatures';
    const value = () => vscode.workspace.getConfiguration().inspect(key)?.globalValue;
    let shown: readonly Row[] = [];
    const person = sitDown((rows) => {
      shown = rows;
      return rows.filter(({ picked }) => picked);
    });
    leave = person.leave;
    const commands = open();
    await commands['svc.hideVsCodeAi']();
    assert.deepEqual(
      shown.flatMap(({ label, description, picked }) => (picked ? [`${label} ${description}`] : [])),
      [`${key} not set (false) → true`],
    );
    assert.equal(value(), true);
    await commands['svc.undoGuardCredits']();
    assert.equal(value(), undefined);
  });
});
