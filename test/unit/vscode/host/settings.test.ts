import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { person, reset, set, settings as stored } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createSettings, openSetting } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/host/settings.ts')
>(new URL('../../../../src/vscode/host/settings.ts', import.meta.url));

describe('settings', () => {
  beforeEach(reset);

  it('X14 where the key goes, what runs and what is spent is the user’s to say, never a folder’s', () => {
    const settings = createSettings();
    const evil = 'https://evil.example/v1';
    for (const [name, workspaceValue] of Object.entries({
      'svc.baseUrl': evil,
      'svc.dashboardUrl': evil,
      'svc.supportEmail': 'a@evil.example',
      'svc.tools.maxSteps': 9999,
      'svc.spend.dailyLimitUsd': 1e6,
      'svc.spend.conversationLimitUsd': 1e6,
      'svc.spend.confirmAboveUsd': 1e6,
      'svc.edits.mode': 'auto',
      'svc.edits.protectedFiles': ['x'],
      'svc.tools.autoApprove': [{}],
      'svc.tools.foreign': ['x'],
      'svc.tools.allowedCommands': ['rm -rf /'],
      'svc.tools.sandbox.mode': 'off',
      'svc.tools.sandbox.writable': ['/home'],
      'svc.tools.sandbox.readable': ['/home'],
      'svc.search.ripgrepPath': '/evil/rg',
      'svc.chat.mode': 'ask',
    })) {
      set(name, { workspaceValue });
    }
    assert.ok('error' in settings.baseUrl());
    assert.deepEqual([settings.dashboardUrl(), settings.supportEmail(), settings.ripgrepPath()], ['', '', '']);
    assert.equal(settings.maxSteps(), 50);
    assert.deepEqual(settings.limits(), {
      dailyLimitUsd: undefined,
      conversationLimitUsd: undefined,
      confirmAboveUsd: undefined,
    });
    assert.deepEqual([settings.editMode(), settings.protectedFiles(), settings.autoApprove()], ['ask', [], []]);
    assert.deepEqual([settings.externalTools(), settings.chatMode()], [[], 'agent']);
    assert.equal(settings.allowedCommands.isAllowed('rm -rf /'), false);
    const { mode, readable, writable } = settings.sandbox;
    assert.deepEqual([mode(), readable(), writable()], ['ask', [], []]);
  });

  it('reads anew what was changed, and tells of its own and the network’s alone', () => {
    const settings = createSettings();
    let changes = 0;
    settings.onDidChange(() => changes++);
    assert.equal(settings.maxSteps(), 50);
    set('svc.tools.maxSteps', { globalValue: 7 });
    assert.deepEqual([settings.maxSteps(), changes], [7, 1]);
    set('http.proxy', { globalValue: 'x' });
    set('editor.fontSize', { globalValue: 1 });
    set('chat.fontSize', { globalValue: 22 });
    assert.equal(changes, 3);
    settings.dispose();
    set('svc.model', { globalValue: 'x' });
    assert.equal(changes, 3);
  });

  it('U1 has the fonts that the user set for chats (anthropics/claude-code#34196)', () => {
    const settings = createSettings();
    const none = [
      ['--vscode-font-family', ''],
      ['--vscode-font-size', ''],
      ['--vscode-editor-font-family', ''],
      ['--vscode-editor-font-size', ''],
      ['--vscode-editor-font-weight', ''],
    ];
    for (const [name, defaultValue] of [
      ['chat.fontSize', 13],
      ['chat.fontFamily', 'default'],
      ['chat.editor.fontSize', 14],
    ] as const) {
      set(name, { defaultValue });
    }
    assert.deepEqual(Object.entries(settings.chatFonts()), none, 'the defaults are those of VS Code itself');
    set('chat.fontSize', { globalValue: 22 });
    set('chat.fontFamily', { globalValue: 'Georgia', workspaceValue: 'default' });
    set('chat.editor.fontFamily', { globalValue: 'Fira Code' });
    set('chat.editor.fontSize', { workspaceValue: 18 });
    assert.deepEqual(Object.values(settings.chatFonts()), ['', '22px', 'Fira Code', '18px', '']);
  });

  it('U4 asks above the default amount unless the user set another, or none', () => {
    const settings = createSettings();
    set('svc.spend.confirmAboveUsd', { defaultValue: 0.5 });
    assert.equal(settings.limits().confirmAboveUsd, 0.5);
    set('svc.spend.confirmAboveUsd', { globalValue: 2 });
    assert.equal(settings.limits().confirmAboveUsd, 2);
    set('svc.spend.confirmAboveUsd', { globalValue: null });
    assert.equal(settings.limits().confirmAboveUsd, undefined);
  });

  it('keeps a model where it was set: in the workspace when that has one', async () => {
    const settings = createSettings();
    await settings.setModel('svc/a');
    assert.deepEqual(stored.get('svc.model'), { globalValue: 'svc/a' });
    set('svc.model', { workspaceValue: ' svc/b ' });
    assert.equal(settings.model(), 'svc/b');
    await settings.setModel('svc/c');
    assert.deepEqual(stored.get('svc.model'), { globalValue: 'svc/a', workspaceValue: 'svc/c' });
  });

  it('remembers a command that may run unasked once, beside the others', () => {
    const settings = createSettings();
    settings.allowedCommands.remember('npm test');
    settings.allowedCommands.remember('npm run build');
    settings.allowedCommands.remember('npm test');
    assert.deepEqual(stored.get('svc.tools.allowedCommands'), { globalValue: ['npm test', 'npm run build'] });
    assert.deepEqual(['npm test', 'npm'].map(settings.allowedCommands.isAllowed), [true, false]);
  });

  it('X52 opens only whole, absolute folders to the sandbox, and never everything', async () => {
    const settings = createSettings();
    const folders = ['/opt/cache', 'relative', '/', 5];
    set('svc.tools.sandbox.readable', { globalValue: folders });
    set('svc.tools.sandbox.writable', { globalValue: folders });
    assert.deepEqual([settings.sandbox.readable(), settings.sandbox.writable()], [['/opt/cache'], ['/opt/cache']]);
    set('svc.tools.sandbox.mode', { globalValue: 'nonsense' });
    assert.equal(settings.sandbox.mode(), 'ask');
    await settings.sandbox.choose('off');
    assert.equal(settings.sandbox.mode(), 'off');
  });

  it('takes what is not set as it is documented, and what is set as it is', () => {
    const settings = createSettings();
    const now = () => [
      settings.fallback(),
      settings.request(),
      settings.sendKey(),
      settings.verifyAfterEdits(),
      settings.codeActions(),
      settings.inlineEditStream(),
      settings.statusBarContent(),
      settings.retentionDays(),
      settings.contextTokens(),
      settings.modelContextTokens('svc/a'),
    ];
    const nothing = { maxTokens: undefined, temperature: undefined, topP: undefined, seed: undefined, stop: undefined };
    const unset = [{ enabled: true, order: [] }, nothing, 'enter', true, true, false, 'modelAndSpend'];
    assert.deepEqual(now(), [...unset, undefined, undefined, undefined]);
    set('svc.request.stop', { globalValue: [] });
    set('svc.models.limits', { globalValue: { 'svc/a': { context: 'many' } } });
    assert.deepEqual(now(), [...unset, undefined, undefined, undefined]);
    for (const [name, globalValue] of Object.entries({
      'fallback.enabled': false,
      'fallback.models': ['svc/b'],
      'request.stop': ['END'],
      'request.temperature': 0,
      'request.seed': 0,
      'chat.sendKey': 'ctrlEnter',
      'verify.afterEdits': false,
      'codeActions.enabled': false,
      'inlineEdit.stream': true,
      'statusBar.content': 'hidden',
      'history.retentionDays': 9,
      'context.maxTokens': 100,
      'models.limits': { 'svc/a': { context: 50 } },
    })) {
      set(`svc.${name}`, { globalValue });
    }
    assert.deepEqual(now(), [
      { enabled: false, order: ['svc/b'] },
      { ...nothing, temperature: 0, seed: 0, stop: ['END'] },
      ...['ctrlEnter', false, false, true, 'hidden', 9, 100, 50],
    ]);
  });

  it('opens one setting in the editor of settings', async () => {
    await openSetting('fallback.models');
    assert.deepEqual(person.ran, [['workbench.action.openSettings', '@id:svc.fallback.models']]);
  });
});
