import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { HostMessage, PanelMessage } from '../../../../src/shared/panel/protocol.ts';
import type { PreloadedWebview } from '../../../../src/vscode/chat-panel/preloaded-webview.ts';
import type { ViewHost } from '../../../../src/vscode/chat-panel/webview-channel.ts';
import { createWebview, reset, Uri } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createWebviewChannel, sideBarHost } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/webview-channel.ts')
>(new URL('../../../../src/vscode/chat-panel/webview-channel.ts', import.meta.url));
const { beginPage } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/chat-panel/preloaded-webview.ts')
>(new URL('../../../../src/vscode/chat-panel/preloaded-webview.ts', import.meta.url));

type Deps = Parameters<typeof createWebviewChannel>[0];
type View = Parameters<typeof sideBarHost>[0];
const extensionUri = Uri.file('/ext') as unknown as Deps['extensionUri'];

describe('the wire to the page', () => {
  beforeEach(reset);

  const price: HostMessage = { type: 'draftTaken', text: 'x' };
  const lost: PanelMessage = { type: 'focusChanged', chat: false, input: false, used: false };

  function open() {
    const errors: string[] = [];
    const heard: PanelMessage[] = [];
    let shownAgain = 0;
    const channel = createWebviewChannel({
      extensionUri,
      log: { error: (line, error) => errors.push(`${line}: ${error}`) },
    });
    channel.onDidReceiveMessage((message) => heard.push(message));
    channel.onDidShowAgain(() => shownAgain++);
    const resolve = (view = createWebview()) => {
      channel.resolve({
        ...sideBarHost(view as unknown as View, undefined as unknown as PreloadedWebview),
      } as ViewHost);
      return view;
    };
    return { channel, errors, heard, shownAgain: () => shownAgain, resolve };
  }

  it('posts only to a page that runs and is in sight', () => {
    const { channel, resolve } = open();
    assert.deepEqual([channel.visible(), channel.isShown()], [false, false]);
    channel.post(price);
    const view = resolve();
    assert.deepEqual([channel.visible(), channel.isShown()], [true, false]);
    channel.post(price);
    assert.deepEqual(view.posted, []);
    view.say({ type: 'ready' });
    channel.post(price);
    assert.deepEqual(view.posted, [price]);
    view.setVisible(false);
    channel.post(price);
    assert.deepEqual([view.posted.length, channel.isShown(), channel.visible()], [1, false, false]);
    view.setVisible(true);
    assert.equal(channel.isShown(), true);
  });

  it('hands on what has the right shape; the rest is logged and dropped', () => {
    const { errors, heard, resolve } = open();
    const view = resolve();
    view.say({ type: 'copy', text: 5 });
    view.say('rm -rf');
    view.say({ type: 'copy', text: 'a' });
    assert.deepEqual(heard, [{ type: 'copy', text: 'a' }]);
    assert.equal(errors.length, 2);
    assert.match(errors[0] ?? '', /dropped.*text/);
  });

  it('a page that goes out of sight has lost the focus, and one that comes back is told of', () => {
    const { heard, shownAgain, resolve } = open();
    const view = resolve();
    view.setVisible(false);
    assert.deepEqual([heard.splice(0), shownAgain()], [[lost], 0]);
    view.setVisible(true);
    assert.deepEqual([heard, shownAgain()], [[], 1]);
  });

  it('a new view takes the place of the old one, whose end then says nothing', () => {
    const { channel, heard, resolve } = open();
    const old = resolve();
    old.say({ type: 'ready' });
    const next = resolve();
    assert.equal(channel.isShown(), false);
    heard.length = 0;
    next.say({ type: 'ready' });
    old.dispose();
    channel.post(price);
    assert.deepEqual([heard, next.posted], [[{ type: 'ready' }], [price]]);
    next.dispose();
    assert.deepEqual([heard.at(-1), channel.visible(), channel.isShown()], [lost, false, false]);
  });

  it('X21 a page begun before anybody listens loses none of its words, and may load from two folders only', () => {
    const view = createWebview();
    const own = Uri.file('/own') as unknown as Deps['extensionUri'];
    const page = beginPage(view.webview as unknown as Parameters<typeof beginPage>[0], extensionUri, own);
    view.say('a');
    view.say('b');
    const heard: unknown[] = [];
    page.listen((message) => heard.push(message));
    view.say('c');
    assert.deepEqual(heard, ['a', 'b', 'c']);
    const { localResourceRoots, ...options } = view.webview.options as { localResourceRoots: Uri[] };
    assert.deepEqual(options, { enableScripts: true, enableCommandUris: false, enableForms: false });
    assert.deepEqual(localResourceRoots.map(String), ['file:///ext/dist/media', 'file:///own']);
    assert.match(view.webview.html, /default-src 'none'/);
    assert.match(view.webview.html, /chat\.js/);
  });
});
