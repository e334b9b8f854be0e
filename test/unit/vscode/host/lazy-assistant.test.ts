import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Assistant } from '../../../../src/assistant.ts';
import type { Features } from '../../../../src/features/features.ts';
import { createLazyAssistant } from '../../../../src/vscode/host/lazy-assistant.ts';

describe('the assistant on first use', () => {
  it('P17 loads once, what is seen first, and the features by themselves', async () => {
    const { lazy, log } = opened();
    const [one, other] = await Promise.all([lazy.load(), lazy.load()]);
    assert.equal(one, other);
    await lazy.features();
    await lazy.features();
    assert.deepEqual(log, ['assistant', 'features', 'told of features']);
  });

  it('P17 a page that loads is shown before the features load', async () => {
    const { lazy, log } = opened();
    const page = lazy.pageBegins();
    await lazy.load();
    const features = lazy.features();
    log.push('shown');
    page.shown();
    await features;
    assert.deepEqual(log, ['assistant', 'shown', 'features', 'told of features']);
  });

  it('tells once that it could not start, and tries again with the next use', async () => {
    const { lazy, log, faults } = opened();
    faults.push('assistant');
    const uses = await Promise.allSettled([lazy.load(), lazy.features(), lazy.features()]);
    assert.deepEqual(new Set(uses.map(({ status }) => status)), new Set(['rejected']));
    assert.deepEqual(log, ['failed: no assistant']);
    assert.equal(lazy.isAtRest(), true);
    await lazy.features();
    assert.deepEqual(log.slice(1), ['assistant', 'features', 'told of features']);
  });

  it('keeps the chat where the features fail, and tries those again', async () => {
    const { lazy, log, faults } = opened();
    faults.push('features');
    const seen = await lazy.load();
    await assert.rejects(lazy.features(), /no features/);
    assert.equal(await lazy.load(), seen);
    await lazy.features();
    assert.deepEqual(log, ['assistant', 'failed: no features', 'features', 'told of features']);
  });
});

/** `faults`: what fails next. */
function opened() {
  const log: string[] = [];
  const faults: string[] = [];
  const make = async (name: string) => {
    if (faults[0] === name) throw new Error(`no ${faults.shift()}`);
    log.push(name);
  };
  const lazy = createLazyAssistant<Assistant, Features>({
    async create() {
      await make('assistant');
      return {
        async createFeatures() {
          await make('features');
          return {} as Features;
        },
      } as Assistant;
    },
    onFailure: (error) => void log.push(`failed: ${error instanceof Error ? error.message : error}`),
  });
  lazy.onFeatures(() => void log.push('told of features'));
  return { lazy, log, faults };
}
