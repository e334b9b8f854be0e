import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { EventEmitter, person, reset } from '../../../support/fake-vscode.ts';
import { importWithVscodeStub } from '../../../support/vscode-stub.ts';

const { createDisposableStore } = await importWithVscodeStub<
  typeof import('../../../../src/vscode/host/disposable-store.ts')
>(new URL('../../../../src/vscode/host/disposable-store.ts', import.meta.url));
const { setContextKey } = await importWithVscodeStub<typeof import('../../../../src/vscode/host/context-keys.ts')>(
  new URL('../../../../src/vscode/host/context-keys.ts', import.meta.url),
);
const { withSignal } = await importWithVscodeStub<typeof import('../../../../src/vscode/host/with-signal.ts')>(
  new URL('../../../../src/vscode/host/with-signal.ts', import.meta.url),
);

describe('small parts of the host', () => {
  beforeEach(reset);

  it('what one window made is taken down together, the first first', () => {
    const ended: string[] = [];
    const { register, dispose } = createDisposableStore();
    const part = { dispose: () => void ended.push('a') };
    assert.equal(register(part), part);
    register({ dispose: () => void ended.push('b') });
    dispose();
    assert.deepEqual(ended, ['a', 'b']);
  });

  it('a context key is told only when it changes', () => {
    setContextKey('svc.isGeneratingCommit', true);
    setContextKey('svc.isGeneratingCommit', true);
    setContextKey('svc.isGeneratingCommit', false);
    assert.deepEqual(
      person.ran.map(([, , value]) => value),
      [true, false],
    );
  });

  it('a signal ends with its token, also one that was cancelled before, and nothing listens afterwards', async () => {
    const cancelled = new EventEmitter<void>();
    let listening = 0;
    const token = (isCancellationRequested: boolean) =>
      ({
        isCancellationRequested,
        onCancellationRequested(listener: () => void) {
          listening++;
          const subscription = cancelled.event(listener);
          return {
            dispose() {
              listening--;
              subscription.dispose();
            },
          };
        },
      }) as unknown as Parameters<typeof withSignal>[0];
    assert.equal(await withSignal(token(true), async (signal) => signal.aborted), true);
    const during = await withSignal(token(false), async (signal) => {
      const before = signal.aborted;
      cancelled.fire();
      return [before, signal.aborted];
    });
    assert.deepEqual(during, [false, true]);
    await assert.rejects(
      withSignal(token(false), () => Promise.reject(new Error('broken'))),
      /broken/,
    );
    assert.equal(listening, 0);
  });
});
