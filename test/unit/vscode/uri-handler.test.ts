import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createUriHandler } from '../../../src/vscode/commands/uri-handler.ts';

/** What a link does. */
async function follow(path: string, query = ''): Promise<string[]> {
  const done: string[] = [];
  const handler = createUriHandler({
    run: async (command, argument) => void done.push(`${command} ${argument}`),
    refuse: () => void done.push('refused'),
  });
  // Only these two parts are read.
  const uri = { path, query } as Parameters<typeof handler.handleUri>[0];
  await handler.handleUri(uri);
  return done;
}

describe('links', () => {
  it('X29 a link from outside opens a conversation or the walkthrough', async () => {
    assert.deepEqual(await follow('/open', 'conversation=0b9c-1'), ['svc.openConversation 0b9c-1']);
    assert.deepEqual(await follow('/walkthrough'), [
      'workbench.action.openWalkthrough svc.svc-assistant#svc.gettingStarted',
    ]);
  });

  it('X29 a link from outside does nothing else, whatever it holds', async () => {
    for (const [path, query] of [
      ['/open', ''],
      ['/open', 'conversation='],
      ['/open', 'conversation=../../secrets'],
      ['/open', 'conversation=a&prompt=Send%20this'],
      ['/open', 'conversation=a&conversation=b'],
      ['/walkthrough', 'prompt=x'],
      ['/ask', 'prompt=Send%20this'],
      ['/open/', 'conversation=a'],
      ['', ''],
    ] as const) {
      assert.deepEqual(await follow(path, query), ['refused'], `${path}?${query}`);
    }
  });

  it('X29 run no other command, for any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), fc.string(), async (path, query) => {
        const done = await follow(path, query);
        assert.equal(done.length, 1);
        assert.match(
          done[0] ?? '',
          /^(?:refused|svc\.openConversation [A-Za-z0-9-]{1,64}|workbench\.action\.openWalkthrough \S+)$/,
        );
      }),
    );
  });
});
