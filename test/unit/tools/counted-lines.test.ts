import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withoutCounted } from '../../../src/tools/command/outputs.ts';

const many = (line: (at: number) => string, count = 14) => Array.from({ length: count }, (_, at) => line(at + 1));
const name = (at: number) => `rounds ${'abcdefghijklmnop'[at]} once`;
const run = { turnId: 't', callId: 'c1' };

describe('lines that the end of an output counts', () => {
  const counted: Record<string, string[]> = {
    mocha: ['  cart', ...many((at) => `    ✔ ${name(at)}`), '', '  14 passing (12ms)'],
    jest: [
      ...many((at) => `PASS src/${at}.test.ts (${at}.2 s)`),
      'Test Suites: 14 passed, 14 total',
      'Tests: 90 passed, 90 total',
    ],
    vitest: [
      ...many((at) => ` ✓ src/${at}.test.ts (${at} tests) ${at}ms`),
      ' Test Files  14 passed (14)',
      '   Duration  3.39s',
    ],
    pytest: [...many((at) => `tests/test_a.py::test_${at} PASSED   [ ${at}%]`), '====== 14 passed in 0.06s ======'],
    cargo: [
      'running 14 tests',
      ...many((at) => `test a::b${at} ... ok`),
      '',
      'test result: ok. 14 passed; 0 failed; 0 ignored',
    ],
    unittest: [...many((at) => `test_${at} (cart.Test.test_${at}) ... ok`), '', 'Ran 14 tests in 0.002s', '', 'OK'],
    TAP: ['TAP version 13', ...many((at) => `ok ${at} - ${name(at)}`), '1..14', '# pass 14'],
  };
  for (const [runner, lines] of Object.entries(counted)) {
    it(`F15 P12 of ${runner} one is shown, and where the others are`, async () => {
      const kept: string[] = [];
      const keep = async (_run: unknown, text: string) => `command-output/${kept.push(text)}.txt`;
      const text = await withoutCounted(lines.join('\n'), run, { keep, find: () => undefined });
      assert.equal(text.split('\n').length, lines.length - 12, text);
      assert.match(text, /\[… 13 lines like it left out; read_file command-output\/1\.txt has them …\]/);
      assert.deepEqual(kept, [lines.join('\n')]);
      assert.ok(text.endsWith(`\n${lines.at(-1)}`));
    });
  }

  const whole: Record<string, string[]> = {
    'a listing': ['total 56', ...many((at) => `-rw-r--r-- 1 me me ${at} Jan 1 10:00 ${name(at)}`)],
    'a log': many((at) => `a${at}b0c1d Round ${name(at)}`),
    'found lines': [...many((at) => `src/a.ts:${at}: const a = 1;`), 'src/b.ts:14: return 14;'],
    'objects and their numbers': [...many((at) => `row ${at}: ${name(at)}`), 'Results: [1, 2, 14]'],
    'a few tests': [...many((at) => `✔ ${name(at)}`, 9), '9 passing'],
    'few among other lines': [
      ...many((at) => `note${at}: ${name(at)} of ${at}x`, 40),
      ...many((at) => `✔ ${name(at)} and ${at}y`),
      '14 passing',
    ],
  };
  for (const [what, lines] of Object.entries(whole)) {
    it(`F15 P12 ${what} stay whole`, async () => {
      assert.equal(await withoutCounted(lines.join('\n'), run), lines.join('\n'));
    });
  }
});
