import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { type ColorWorker, createColorWorker } from '../../../src/colors/color-worker.ts';
import { makeTempDir, type TempDir } from '../../support/temp-dir.ts';
import { readSample, sampleSetup, thread, wasm } from './samples.ts';

describe('thread that colours code', () => {
  let temp: TempDir;
  let worker: ColorWorker;
  let errors: string[];
  const start = (maxRequestMs?: number) => {
    errors = [];
    worker = createColorWorker({
      thread,
      wasm,
      setup: () => sampleSetup(`${temp.path}/`),
      log: { error: (line, error) => errors.push(`${line}: ${error}`) },
      maxRequestMs,
    });
  };
  const color = (language: string, text: string, from = 0) =>
    worker.color({ block: language, language, theme: 'Dark', from, text });
  before(async () => {
    temp = await makeTempDir('svc-colors-');
    for (const name of ['toy.json', 'hostile.json', 'dark.json', 'base.json']) {
      await writeFile(path.join(temp.path, name), await readSample(`/${name}`));
    }
  });
  after(() => temp.remove());
  afterEach(() => worker.dispose());

  it('colours lines, and starts a block again after it was restarted', async () => {
    start();
    assert.equal((await color('toy', 'let'))?.lines[0]?.length, 2);
    assert.equal((await color('toy', 'let', 1))?.from, 1);
    worker.restart();
    assert.deepEqual((await color('toy', 'let', 2))?.lines, []);
    assert.deepEqual(errors, []);
  });

  it('P6 a grammar that never comes to an end is ended, and other languages go on', async () => {
    start(1500);
    assert.equal(await color('hostile', 'a'.repeat(3000)), undefined);
    assert.match(errors.join(), /aborted/);
    assert.equal((await color('toy', 'let'))?.lines[0]?.length, 2);
    assert.equal(await color('hostile', 'a'), undefined);
    assert.equal(errors.length, 1);
  });

  it('a grammar that cannot be read is told once and leaves the code as it is', async () => {
    start();
    assert.equal(await color('gone', 'x'), undefined);
    assert.equal(await color('gone', 'x'), undefined);
    assert.equal(errors.length, 1);
    assert.equal((await color('toy', 'let'))?.from, 0);
  });

  it('answers what waits when it is restarted in the middle', async () => {
    start();
    const waiting = [color('toy', 'let'), color('toy', 'let', 1)];
    worker.restart();
    await Promise.all(waiting);
    assert.equal((await color('toy', 'let'))?.lines.length, 1);
    assert.deepEqual(errors, []);
  });
});
