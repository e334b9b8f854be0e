import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { callsOnFirstUse, commandsOnFirstUse, onFirstUse } from '../../../src/base/on-first-use.ts';

describe('what is made on first use', () => {
  it('P10 is made once, however many ask at the same time', async () => {
    let made = 0;
    const get = onFirstUse(async () => ++made);
    assert.equal(made, 0);
    assert.deepEqual(await Promise.all([get(), get()]), [1, 1]);
    assert.equal(await get(), 1);
  });

  it('is tried again after it failed', async () => {
    let tries = 0;
    const get = onFirstUse(async () => {
      tries += 1;
      if (tries === 1) throw new Error('the disk was full');
      return 'there';
    });
    await assert.rejects(get(), { message: 'the disk was full' });
    assert.equal(await get(), 'there');
  });

  it('P10 gives commands their arguments and results, and loads them together', async () => {
    let loads = 0;
    const commands = commandsOnFirstUse({ add: true, name: true }, async () => {
      loads += 1;
      return { add: (...args) => args.map(Number).reduce((sum, each) => sum + each, 0), name: () => 'svc' };
    });
    assert.equal(loads, 0);
    assert.equal(await commands.add(1, 2, 3), 6);
    assert.equal(await commands.name(), 'svc');
    assert.equal(loads, 1);
  });

  it('P10 a port of asynchronous calls is what it would be at once, failures included', async () => {
    let loads = 0;
    const files = callsOnFirstUse({ read: true, write: true }, async () => {
      loads += 1;
      return { read: async (name: string) => `text of ${name}`, write: () => Promise.reject(new Error('full')) };
    });
    assert.equal(await files.read('a.ts'), 'text of a.ts');
    await assert.rejects(files.write(), { message: 'full' });
    assert.equal(loads, 1);
  });
});
