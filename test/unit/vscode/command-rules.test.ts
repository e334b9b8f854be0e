import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const { contributes } = JSON.parse(read('package.json'));

interface Entry {
  command?: string;
  submenu?: string;
  when?: string;
}

const commands: readonly { command: string; enablement?: string }[] = contributes.commands;
const menus: readonly [string, readonly Entry[]][] = Object.entries(contributes.menus);
const palette: readonly Entry[] = contributes.menus.commandPalette;

/** What a command needs to be able to do anything. All others work at any time, and ask for what is missing. */
const enablement: Record<string, string> = {
  'svc.stop': 'svc.requestInProgress',
  'svc.completeHere': 'editorIsOpen',
  'svc.nextPlaces': 'editorIsOpen',
  'svc.createInstructions': 'workspaceFolderCount != 0',
  'svc.generateCommitMessage': '!svc.isGeneratingCommit',
  'svc.stopCommitMessage': 'svc.isGeneratingCommit',
  'svc.keepFileEdits': 'svc.editorHasInlineEdit',
  'svc.undoFileEdits': 'svc.editorHasInlineEdit',
  'svc.keepEdit': 'svc.hasUndecidedEdits',
  'svc.undoEdit': 'svc.hasUndecidedEdits',
  'svc.keepAllEdits': 'svc.hasUndecidedEdits',
  'svc.undoAllEdits': 'svc.hasUndecidedEdits',
  'svc.nextEdit': 'svc.hasUndecidedEdits',
  'svc.previousEdit': 'svc.hasUndecidedEdits',
  'svc.showEditDiff': 'svc.hasUndecidedEdits',
  'svc.reviewByHunk': 'workspaceFolderCount != 0',
  'svc.bestOf': 'workspaceFolderCount != 0',
  'svc.restoreCheckpoint': 'workspaceFolderCount != 0',
  'svc.addComment': 'editorIsOpen',
  'svc.discardComment': 'svc.hasComments',
  'svc.fixFinding': 'svc.hasFindings',
  'svc.dismissFinding': 'svc.hasFindings',
  'svc.nextFinding': 'svc.hasFindings',
  'svc.previousFinding': 'svc.hasFindings',
};

/** Where a menu is that everything in it is about: without a condition an entry would stand in foreign places too. */
const conditionOf: Record<string, RegExp> = {
  'view/title':
    /^view == svc\.(?:chat|conversations|usage)(?: && (?:!?svc\.showsAllConversations|gitOpenRepositoryCount != 0))?$/,
  'view/item/context': /^view == svc\.conversations && viewItem (?:==|=~) /,
  'scm/title': /^scmProvider == git(?: && |$)/,
  'scm/resourceGroup/context': /^scmProvider == git$/,
  'scm/resourceState/context': /^scmProvider == git$/,
  'scm/change/title': /^originalResourceScheme == git$/,
  'comments/commentThread/title': /^commentController == svc\.(?:review|comments)\b/,
  'editor/title': /^svc\.editorHasInlineEdit\b/,
  'editor/context': /^editorTextFocus$/,
  'testing/item/result': /^testResultState == failed \|\| testResultState == errored$/,
  'webview/context': /^webviewId =~ \/\^svc\\\.chat\/ && svc(?:Item|Code)$/,
  'testing/message/content': /^config\.svc\.codeActions\.enabled$/,
};

const ownKeysIn = (text = '') => text.match(/(?<!config\.)\bsvc\.\w+/g) ?? [];

describe('when commands can run and where they are shown', () => {
  it('F30 ux 1.2 a command is disabled by state alone, and only where it could do nothing', () => {
    const found = commands.filter((one) => one.enablement !== undefined);
    assert.deepEqual(Object.fromEntries(found.map((one) => [one.command, one.enablement])), enablement);
  });

  it('F30 ux 1.2 entries of menus say what they are about', () => {
    for (const [menu, condition] of Object.entries(conditionOf)) {
      const entries: readonly Entry[] = contributes.menus[menu] ?? [];
      assert.ok(entries.length > 0, menu);
      for (const { command, submenu, when } of entries) {
        assert.match(when ?? '', condition, `${menu}: ${command ?? submenu}`);
      }
    }
  });

  it('F30 ux 1.2 the palette hides what needs an editor, a repository or a row, by what is there and not by state', () => {
    const allowed = /^(?:false|editorIsOpen|gitOpenRepositoryCount != 0)(?: && gitOpenRepositoryCount != 0)?$/;
    for (const { command = '', when = '' } of palette) {
      // What is disabled is not shown in the palette either: its condition may say the same in words of its own.
      if (command in enablement && ownKeysIn(when).length > 0) continue;
      assert.match(when, allowed, command);
    }
  });

  it('F30 ux 1.2 every context key of ours in a condition is one that the code sets', () => {
    const known = new Set(
      read('src/vscode/host/context-keys.ts')
        .match(/'svc\.\w+'/g)
        ?.map((key) => key.slice(1, -1)),
    );
    const views = new Set(['svc.chat', 'svc.conversations', 'svc.usage', 'svc.review', 'svc.comments']);
    const conditions = [
      ...commands.map((one) => one.enablement),
      ...menus.flatMap(([, entries]) => entries.map(({ when }) => when)),
      ...contributes.keybindings.map(({ when }: Entry) => when),
      ...contributes.viewsWelcome.map(({ when }: Entry) => when),
    ];
    const used = conditions.flatMap(ownKeysIn).filter((key) => !views.has(key));
    assert.ok(used.length > 20);
    for (const key of used) assert.ok(known.has(key), key);
    const settings = contributes.configuration.flatMap(({ properties }: { properties: object }) =>
      Object.keys(properties),
    );
    for (const key of conditions.flatMap((text = '') => text.match(/(?<=config\.)svc\.[\w.]+/g) ?? [])) {
      assert.ok(settings.includes(key), key);
    }
  });
});
