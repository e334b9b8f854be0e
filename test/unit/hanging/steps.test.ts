import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import { someOf, times } from '../../support/effort.ts';
import { type StepCounter, startCounting } from './count-steps.ts';
import { parsers } from './parsers.ts';
import { begun, fillTo } from './signs.ts';

const letters = 32 * 1024;
/** Twice the text takes about twice the steps; a square would take four times as many. */
const maxTimes = 3;
/** A letter: with fewer it is no square, but something that is done only from some length on, as cutting. */
const fewSteps = 4;

/**
 * Exact and the same on any machine, but blind to what the engine does itself: a checker goes through the regular expressions,
 * and the processor's time is bounded beside this.
 */
describe('steps that text of others costs', () => {
  let steps: StepCounter;
  before(async function () {
    steps = await startCounting();
    // Its profiler counts nothing.
    if (process.version.startsWith('v22.')) this.skip();
  });
  after(() => steps.stop());

  const growth = async (work: (length: number) => unknown) => {
    await work(letters);
    const once = await steps.count(() => work(letters));
    const twice = await steps.count(() => work(2 * letters));
    return twice > fewSteps * 2 * letters && twice / once > maxTimes
      ? [`${once} steps, and ${twice} for twice the text`]
      : [];
  };

  it('are counted: a square is told from a line', async () => {
    const walk = (length: number) => {
      let sum = 0;
      for (let at = 0; at < length; at++) sum += at % 3 === 0 ? 1 : 2;
      return sum;
    };
    assert.deepEqual(await growth(walk), []);
    const square = await growth((length) => {
      for (let times = 0; times < length / 100; times++) walk(length);
    });
    assert.equal(square.length, 1);
  });

  for (const [at, [name, { parse }]] of Object.entries(parsers).entries()) {
    it(`X41 X49 X50 grow no faster than the text: ${name}`, async () => {
      // Unless everything runs every third, another third for the next reader.
      const third = begun.filter((_, index) => (index + at) % times(3, 1) === 0);
      const tried = someOf(third, 4);
      const faults: string[] = [];
      for (const sign of tried) {
        const found = await growth((length) => parse(fillTo(sign, length)));
        faults.push(...found.map((fault) => `${JSON.stringify(sign)}: ${fault}`));
      }
      assert.deepEqual(faults, []);
    });
  }
});
