import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createPageMemory } from '../../../src/chat/view-memory.ts';
import { createRedactor, createSecretMask } from '../../../src/service/redact.ts';
import type { ChatState } from '../../../src/shared/chat/chat-state.ts';
import type { ChatEvent } from '../../../src/shared/events.ts';
import type { HostMessage } from '../../../src/shared/panel/protocol.ts';
import { type ChatViewDeps, createChatView } from '../../../src/vscode/chat-panel/chat-view.ts';
import { createWebviewChannel, type ViewHost } from '../../../src/vscode/chat-panel/webview-channel.ts';
import { createLog } from '../../../src/vscode/host/log.ts';
import { fold, panelInfo } from '../../panel/fixtures.ts';
import { createValues } from '../../unit/vscode/memento.ts';
import { waitFor } from '../../vscode/wait-for.ts';

const key = 'sk-svc-canary-0123456789abcdef';
const secrets = () => [key];

describe('the key', () => {
  it('X15 X40 reaches no line of the log, whatever an error carries', () => {
    const lines: string[] = [];
    const create = vscode.window.createOutputChannel;
    const channel = { info: (line: string) => lines.push(line), error: (line: string) => lines.push(line) };
    Object.assign(vscode.window, { createOutputChannel: () => channel });
    try {
      const log = createLog(createRedactor(secrets));
      log.info(`Authorization: Bearer ${key}`);
      log.error('The request failed', new Error(`"${key}" was refused`));
      log.error(`With ${key}`, { toString: () => key });
    } finally {
      Object.assign(vscode.window, { createOutputChannel: create });
    }
    assert.equal(lines.length, 3);
    for (const line of lines) {
      assert.ok(!line.includes(key), line);
      assert.match(line, /sk-svc-cana…|redacted/);
    }
  });

  it('X15 E19 reaches the panel whole in no message, also when a reply brings it in pieces', async () => {
    const posted: HostMessage[] = [];
    const [one, two] = [key.slice(0, 12), key.slice(12)];
    const turn: ChatEvent[] = [
      { type: 'userMessage', id: 'u', at: 1, text: 'Hi', attachments: [] },
      { type: 'turnStarted', turnId: 't', at: 1, model: 'm' },
      { type: 'textDelta', turnId: 't', step: 0, text: `It is ${one}` },
    ];
    const state = fold([...turn, { type: 'textDelta', turnId: 't', step: 0, text: two }]);
    const { host, say } = fakeHost(posted);
    const log = { error: (line: string, error?: unknown) => assert.fail(`${line}: ${error}`) };
    const channel = createWebviewChannel({ extensionUri: vscode.Uri.file('/nowhere'), log });
    const view = createChatView({ ...depsOf(state), channel });
    channel.resolve(host);
    say({ type: 'ready' });
    // Both pieces of it in one frame become one message.
    view.applyEvents([{ type: 'textDelta', turnId: 't', step: 0, text: one }]);
    view.applyEvents([{ type: 'textDelta', turnId: 't', step: 0, text: one }]);
    view.applyEvents([{ type: 'textDelta', turnId: 't', step: 0, text: two }]);
    await waitFor('the pieces', async () => posted.filter(({ type }) => type === 'events').length === 2);
    assert.ok(posted.some((message) => JSON.stringify(message).includes('It is sk-svc-cana…')));
    for (const message of posted) assert.ok(!JSON.stringify(message).includes(key), message.type);
  });
});

/** A page that is shown; what it is posted is collected, and `say` is what its script says. */
function fakeHost(posted: HostMessage[]): { host: ViewHost; say(message: unknown): void } {
  const said = new vscode.EventEmitter<unknown>();
  const webview: vscode.Webview = {
    options: {},
    html: '',
    cspSource: 'self',
    asWebviewUri: (uri) => uri,
    onDidReceiveMessage: said.event,
    postMessage: async (message: HostMessage) => posted.push(message) > 0,
  };
  const ignore = () => ({ dispose: () => undefined });
  const host = { webview, visible: () => true, onDidChangeVisibility: ignore, onDidDispose: ignore };
  return { host, say: (message) => said.fire(message) };
}

function depsOf(state: ChatState): Omit<ChatViewDeps, 'channel'> {
  const ignore = () => undefined;
  const parts = { draft: 0, attachments: 0, history: 0, rules: 0, tools: 0 };
  return {
    state: () => state,
    draft: { text: () => '', cameFrom: ignore, times: ignore },
    info: panelInfo,
    page: createPageMemory(createValues(), 'side bar'),
    price: () => ({ tokens: 0, microUsd: 0, historyMicroUsd: 0, error: 0, parts }),
    afterSent: setImmediate,
    colors: { color: async () => undefined },
    withoutKeys: createSecretMask(secrets),
  };
}
