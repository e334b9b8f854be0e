import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type BoundKey, normaliseKey, ownKeys, type System, systems } from '../../support/key-lists.ts';

const read = (path: string) => JSON.parse(readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8'));
const manifest = read('package.json');

/** Of VS Code 1.139, cut to the keys that ours are; `test/host/default-keys.ts` writes it and a host test holds it true. */
const defaultKeys: Record<System, BoundKey[]> = read('test/fixtures/default-keys.json');

/** True only while something of ours is open and the cursor is in it: there our key means our thing. */
const inOurEdit = /^svc\.(?:cursorInEdit|cursorInInlineEdit|inlineEditInput|inlineEditRunning|isCompleting)$/;

/** All other places where ours meets a key of VS Code, and why ours may come first. Anything not listed is a collision. */
const judged: Record<string, string> = {
  'ctrl+n svc.newChat workbench.action.files.newUntitledFile': 'VS Code’s own chat takes it too while it has the focus',
  'cmd+n svc.newChat workbench.action.files.newUntitledFile': 'the same on macOS',
  'ctrl+escape svc.stop workbench.action.chat.cancel': 'stops the chat that has the focus',
  'alt+backspace svc.stop workbench.action.chat.cancel': 'the same on Windows',
  'cmd+escape svc.stop workbench.action.chat.cancel': 'the same on macOS',
  'ctrl+alt+. svc.selectModel workbench.action.chat.openModelPicker': 'the model of the chat that has the focus',
  'alt+cmd+. svc.selectModel workbench.action.chat.openModelPicker': 'the same on macOS',
  'delete svc.deleteConversation noteMultiCursor.deleteRight': 'the list has the focus, not the notebook',
  'cmd+. svc.selectMode acceptSelectedCodeAction': 'its menu has the focus while it is open, not our chat',
  'cmd+. svc.selectMode editor.changeDropType': 'its widget is in an editor, not in our chat',
  'cmd+. svc.selectMode editor.changePasteType': 'its widget is in an editor, not in our chat',
  'cmd+. svc.selectMode workbench.action.chat.openModePicker': 'the same in its own chat',
  'ctrl+. svc.selectMode acceptSelectedCodeAction': 'its menu has the focus while it is open, not our chat',
  'ctrl+. svc.selectMode editor.changeDropType': 'its widget is in an editor, not in our chat',
  'ctrl+. svc.selectMode editor.changePasteType': 'its widget is in an editor, not in our chat',
  'ctrl+. svc.selectMode workbench.action.chat.openModePicker': 'the same in its own chat',
  'cmd+backspace svc.deleteConversation chatEditing.discardAllFiles': 'the list has the focus, not a chat',
  'alt+f1 svc.showAccessibilityHelp editor.action.accessibilityHelp': 'the same help, for the view that has the focus',
  'alt+f5 svc.nextEdit workbench.action.editor.nextChange': 'VS Code’s own chat takes it too while edits are undecided',
  'shift+alt+f5 svc.previousEdit workbench.action.editor.previousChange': 'the same backwards',
  'ctrl+shift+a svc.focusApproval workbench.action.chat.focusConfirmation':
    'the call that waits, in the chat where one waits',
  'ctrl+shift+a svc.focusApproval notification.acceptPrimaryAction':
    'the message that is shown then leads to the same place',
  'shift+cmd+a svc.focusApproval workbench.action.chat.focusConfirmation': 'the same on macOS',
  'shift+cmd+a svc.focusApproval notification.acceptPrimaryAction': 'the same on macOS',
};

/** The list above has only the keys that ours are. */
const standardKeys: readonly BoundKey[] = ['ctrl', 'cmd'].flatMap((modifier) => [
  { key: `${modifier}+z`, command: 'undo' },
  { key: `${modifier}+y`, command: 'redo' },
  { key: `${modifier}+shift+z`, command: 'redo' },
  { key: `${modifier}+n`, command: 'workbench.action.files.newUntitledFile' },
]);

/** Where the focus is: two keys that want it in different places never meet. */
type Focus = 'chat' | 'editor' | 'conversations' | 'elsewhere' | undefined;

function focusOf(terms: readonly string[]): Focus {
  if (terms.includes('svc.chatFocused')) return 'chat';
  if (terms.includes('focusedView == svc.conversations')) return 'conversations';
  if (terms.some((term) => /^(?:editorTextFocus|editorFocus|textInputFocus)$/.test(term))) return 'editor';
  return terms.some((term) => /^\w*[fF]ocus(?:ed)?$|^focusedView ==|^inChat$|^inQuickInput$/.test(term))
    ? 'elsewhere'
    : undefined;
}

/** `a && b || c && d`: both lists are written without parentheses. */
const alternatives = ({ when = '' }: BoundKey): string[][] =>
  when.split('||').map((one) => one.split('&&').map((term) => term.trim()));

function opposite(term: string): string {
  if (/ [!=]= /.test(term)) return term.replace(/ ([!=])= /, (_, sign) => (sign === '!' ? ' == ' : ' != '));
  return term.startsWith('!') ? term.slice(1) : `!${term}`;
}

/** Whether there is a state of the window in which both work, as far as their conditions tell. */
function meet(one: BoundKey, other: BoundKey): boolean {
  return alternatives(one).some((ours) =>
    alternatives(other).some((theirs) => {
      const [where, there] = [focusOf(ours), focusOf(theirs)];
      if (where !== undefined && there !== undefined && where !== there) return false;
      if (theirs.includes('false')) return false;
      return !ours.some((term) => theirs.includes(opposite(term)));
    }),
  );
}

/**
 * Signs that AltGr writes on the layouts of Windows that most people have, by the key. VS Code takes AltGr for Ctrl and Alt only
 * where `keyboard.mapAltGrToCtrlAlt` says so.
 */
const altGr: Record<string, Record<string, string>> = {
  'United States-International': {
    q: 'ä',
    w: 'å',
    e: 'é',
    r: '®',
    t: 'þ',
    y: 'ü',
    u: 'ú',
    i: 'í',
    o: 'ó',
    p: 'ö',
    a: 'á',
    s: 'ß',
    d: 'ð',
    l: 'ø',
    z: 'æ',
    c: '©',
    n: 'ñ',
    m: 'µ',
    ',': 'ç',
  },
  'United Kingdom': { e: 'é', u: 'ú', i: 'í', o: 'ó', a: 'á' },
  German: { q: '@', e: '€', m: 'µ', '+': '~', '<': '|' },
  French: { e: '€', é: '~', '(': '[', à: '@', '=': '}' },
  Spanish: { q: '@', e: '€', '+': ']', '1': '|', '2': '@' },
  Italian: { e: '€', ò: '@', à: '#', è: '[', '+': ']' },
  'Portuguese (Brazil ABNT)': { q: '/', w: '?', e: '°', '=': '§' },
  'Polish (Programmers)': { e: 'ę', o: 'ó', a: 'ą', s: 'ś', l: 'ł', z: 'ż', x: 'ź', c: 'ć', n: 'ń', u: '€' },
  'Turkish Q': { q: '@', e: '€', t: '₺', a: 'æ', s: 'ß' },
  Hungarian: {
    q: '\\',
    w: '|',
    e: 'Ä',
    u: '€',
    i: 'Í',
    a: 'ä',
    s: 'đ',
    d: 'Đ',
    f: '[',
    g: ']',
    j: 'í',
    k: 'ł',
    l: 'Ł',
    y: '>',
    x: '#',
    c: '&',
    v: '@',
    b: '{',
    n: '}',
    m: '<',
    ',': ';',
    '.': '>',
  },
};

describe('contributed keys', () => {
  it('F30 are signs that AltGr writes only where this is known', () => {
    const keys = ownKeys(manifest, 'win').flatMap(({ key }) => /^ctrl\+alt\+(.)$/.exec(key)?.[1] ?? []);
    assert.ok(keys.length > 1, keys.join());
    const taken = Object.entries(altGr).flatMap(([layout, signs]) =>
      keys.flatMap((key) => (signs[key] === undefined ? [] : [`${layout}: ${key}`])),
    );
    assert.deepEqual(taken.sort(), [
      'Hungarian: .',
      'Hungarian: j',
      'Hungarian: u',
      'Polish (Programmers): u',
      'United Kingdom: u',
      'United States-International: u',
    ]);
  });

  it('ux 2.3 gives each key that VS Code owns to a command, where the chat or an edit has the focus', () => {
    const bound: string[] = manifest.contributes.keybindings.flatMap(
      ({
        command,
        key,
        linux,
        win,
        mac,
        when,
      }: Record<'command' | 'key' | 'linux' | 'win' | 'mac' | 'when', string>) => [
        `${key} ${command} ${when}`,
        ...(linux ? [`linux:${linux} ${command} ${when}`] : []),
        ...(win ? [`win:${win} ${command} ${when}`] : []),
        ...(mac ? [`mac:${mac} ${command} ${when}`] : []),
      ],
    );
    for (const [key, command, focus] of [
      ['ctrl+alt+u', 'svc.openChat', ''],
      ['mac:ctrl+cmd+u', 'svc.openChat', ''],
      ['ctrl+alt+j', 'svc.inlineEdit', 'editorTextFocus'],
      ['ctrl+shift+alt+u', 'svc.addToChat', 'editorTextFocus'],
      ['ctrl+escape', 'svc.stop', 'svc.chatFocused'],
      ['win:alt+backspace', 'svc.stop', 'svc.chatFocused'],
      ['mac:cmd+escape', 'svc.stop', 'svc.chatFocused'],
      ['ctrl+n', 'svc.newChat', 'svc.chatFocused'],
      ['mac:cmd+n', 'svc.newChat', 'svc.chatFocused'],
      ['ctrl+l', 'svc.newChat', 'svc.chatFocused'],
      ['ctrl+.', 'svc.selectMode', 'svc.chatFocused'],
      ['mac:cmd+.', 'svc.selectMode', 'svc.chatFocused'],
      ['ctrl+alt+.', 'svc.selectModel', 'svc.chatFocused'],
      ['mac:cmd+alt+.', 'svc.selectModel', 'svc.chatFocused'],
      ['ctrl+shift+a', 'svc.focusApproval', 'svc.hasPendingApproval'],
      // There it is a comment of blocks.
      ['linux:shift+alt+a', 'svc.focusApproval', 'svc.hasPendingApproval'],
      ['mac:cmd+shift+a', 'svc.focusApproval', 'svc.hasPendingApproval'],
      ['alt+f5', 'svc.nextEdit', 'svc.hasUndecidedEdits'],
      ['shift+alt+f5', 'svc.previousEdit', 'svc.hasUndecidedEdits'],
      ['alt+f6', 'svc.keepEdit', 'editorTextFocus'],
      ['shift+alt+f6', 'svc.undoEdit', 'editorTextFocus'],
      ['ctrl+enter', 'svc.keepInlineEdit', 'svc.cursorInInlineEdit && editorTextFocus'],
      ['mac:cmd+enter', 'svc.keepInlineEdit', 'svc.cursorInInlineEdit && editorTextFocus'],
      ['escape', 'svc.undoInlineEdit', 'svc.cursorInInlineEdit && editorTextFocus'],
      ['alt+pagedown', 'svc.nextConversation', 'svc.chatFocused'],
      ['alt+pageup', 'svc.previousConversation', 'svc.chatFocused'],
      ['alt+f1', 'svc.showAccessibilityHelp', 'svc.chatFocused'],
    ]) {
      assert.ok(
        bound.some((one) => one.startsWith(`${key} ${command} ${focus}`)),
        `${key} → ${command}`,
      );
    }
  });

  it('F30 ux 1.7 at most four work outside of what is ours', () => {
    for (const system of systems) {
      const global = ownKeys(manifest, system).filter((own) =>
        alternatives(own).some((terms) => focusOf(terms) === undefined && !terms.some((term) => inOurEdit.test(term))),
      );
      assert.ok(global.length <= 4, global.map(({ key }) => key).join(', '));
    }
  });

  it('F30 ux 1.7 meet keys of VS Code only where that was judged', () => {
    const found = new Set<string>();
    for (const system of systems) {
      for (const own of ownKeys(manifest, system)) {
        if (alternatives(own).every((terms) => terms.some((term) => inOurEdit.test(term)))) continue;
        for (const other of defaultKeys[system]) {
          const first = normaliseKey(other.key.split(' ')[0] ?? '');
          if (first === own.key && meet(own, other)) found.add(`${own.key} ${own.command} ${other.command}`);
        }
      }
    }
    assert.deepEqual([...found].sort(), Object.keys(judged).sort());
  });

  it('F30 ux 1.7 never stand before the editor’s undo, redo and new file', () => {
    const editors = /^(?:undo|redo|workbench\.action\.files\.new(?:Untitled)?File)$/;
    for (const system of systems) {
      const inEditors = ownKeys(manifest, system).filter(({ when = '' }) => !when.includes('svc.chatFocused'));
      const theirs = [...defaultKeys[system], ...standardKeys].filter(({ command }) => editors.test(command));
      for (const { key, command } of inEditors) {
        const shadowed = theirs.filter((other) => normaliseKey(other.key) === key);
        assert.deepEqual(shadowed, [], `${system}: ${key} ${command}`);
      }
    }
  });

  it('F30 ux 1.7 Escape belongs to what lies over the editor before it belongs to an edit', () => {
    const escapes = ownKeys(manifest, 'linux').filter(({ key }) => key === 'escape');
    assert.ok(escapes.length > 0);
    for (const { command, when = '' } of escapes) {
      for (const widget of ['suggestWidget', 'findWidget', 'renameInput', 'parameterHints']) {
        assert.ok(when.includes(`!${widget}Visible`), `${command}: ${widget}`);
      }
    }
  });
});
