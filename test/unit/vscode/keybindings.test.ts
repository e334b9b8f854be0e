import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

describe('contributed keys', () => {
  it('ux 2.3 gives each key that VS Code owns to a command, where the chat or an edit has the focus', () => {
    const { contributes } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'));
    const bound: string[] = contributes.keybindings.flatMap(
      ({ command, key, win, mac, when }: Record<'command' | 'key' | 'win' | 'mac' | 'when', string>) => [
        `${key} ${command} ${when}`,
        ...(win ? [`win:${win} ${command} ${when}`] : []),
        ...(mac ? [`mac:${mac} ${command} ${when}`] : []),
      ],
    );
    for (const [key, command, focus] of [
      ['ctrl+escape', 'svc.stop', 'svc.chatFocused'],
      ['win:alt+backspace', 'svc.stop', 'svc.chatFocused'],
      ['mac:cmd+escape', 'svc.stop', 'svc.chatFocused'],
      ['ctrl+n', 'svc.newChat', 'svc.chatFocused'],
      ['mac:cmd+n', 'svc.newChat', 'svc.chatFocused'],
      ['ctrl+l', 'svc.newChat', 'svc.chatFocused'],
      ['ctrl+alt+.', 'svc.selectModel', 'svc.chatFocused'],
      ['mac:cmd+alt+.', 'svc.selectModel', 'svc.chatFocused'],
      ['ctrl+shift+a', 'svc.focusApproval', 'svc.hasPendingApproval'],
      ['mac:cmd+shift+a', 'svc.focusApproval', 'svc.hasPendingApproval'],
      ['alt+f5', 'svc.nextEdit', 'svc.hasUndecidedEdits'],
      ['shift+alt+f5', 'svc.previousEdit', 'svc.hasUndecidedEdits'],
      ['ctrl+y', 'svc.keepEdit', 'editorTextFocus'],
      ['ctrl+n', 'svc.undoEdit', 'editorTextFocus'],
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
});
