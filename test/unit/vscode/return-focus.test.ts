import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { ChatWidget } from '../../../src/vscode/chat-panel/chat-widgets.ts';
import { returningFocus } from '../../../src/vscode/chat-panel/return-focus.ts';
import { type CommandHandlers, commandIds, unlistedCommandIds } from '../../../src/vscode/host/command-ids.ts';

describe('the focus after a command that asks', () => {
  const done: string[] = [];
  const handlers = Object.fromEntries(
    [...commandIds, ...unlistedCommandIds].map((id) => [
      id,
      async (...args: unknown[]) => done.push(`${id} ${args.join()}`),
    ]),
  ) as CommandHandlers;
  const widget = { show: async () => void done.push('shown') } as unknown as ChatWidget;

  const panesWith = (focused: () => ChatWidget | undefined) => ({
    active: () => widget,
    commandBegins: () => void done.push('begins'),
    focused,
  });

  it('ux 2.18 goes back to the chat that had it, also after a failure, and nowhere else', async () => {
    let inChat = true;
    const wrapped = returningFocus(
      handlers,
      panesWith(() => (inChat ? widget : undefined)),
    );
    await wrapped['svc.selectModel']('svc/kimi-k3');
    await wrapped['svc.openSettings']();
    inChat = false;
    await wrapped['svc.setApiKey']();
    assert.deepEqual(done.splice(0), [
      ...['begins', 'svc.selectModel svc/kimi-k3', 'shown'],
      ...['begins', 'svc.openSettings '],
      ...['begins', 'svc.setApiKey '],
    ]);
    inChat = true;
    const broken = returningFocus(
      { ...handlers, 'svc.setBaseUrl': () => Promise.reject(new Error('broken')) },
      panesWith(() => widget),
    );
    await assert.rejects(Promise.resolve(broken['svc.setBaseUrl']()), /broken/);
    assert.deepEqual(done, ['begins', 'shown']);
  });
});
