import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'mocha';
import { createRepetitionGuard } from '../../../src/service/wire/repetition.ts';
import { createRandom } from '../../bench/seeded-random.ts';

/** Characters received when the guard speaks; undefined when it never does. */
function tripsAt(text: string, { isCode = false, cut = 7 } = {}): number | undefined {
  const guard = createRepetitionGuard({ isCode });
  for (let at = 0; at < text.length; at += cut) {
    if (guard.push(text.slice(at, at + cut))) return at + cut;
  }
  return undefined;
}

/** Words that do not repeat. */
const prose = (length: number, seed = 1): string => {
  let state = seed;
  let text = '';
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += `${state.toString(36).replace(/\d/g, 'e')} `;
  }
  return text.slice(0, length);
};
/** Of any length, without a period of its own. */
const varied = (length: number, seed: number): string => {
  const random = createRandom(seed);
  let text = '';
  while (text.length < length)
    text += `${Math.floor(random() * 36 ** 5)
      .toString(36)
      .replace(/\d/g, 'e')} `;
  return text.slice(0, length);
};
const beginning = `${prose(900, 7)}\n`;
const sentence = 'I will now look at the file to find out what is wrong. ';

describe('the repetition guard', () => {
  const loops: [string, string, number][] = [
    ['signs', '!', 1200],
    ['one word', 'the ', 2000],
    ['a word with a comma and a mark', 'Wait! ', 2000],
    ['a sentence', sentence, 2200],
    ['a paragraph', prose(390, 3), 3000],
    ['two sentences of Chinese', '我现在来看一下这个文件。让我再检查一次。', 2200],
    ['a line of a list', '- Check the imports of the module\n', 2200],
  ];
  for (const [what, unit, latest] of loops) {
    it(`W64 W85 stops ${what} early, wherever it begins and however it is cut`, () => {
      const text = beginning + unit.repeat(Math.ceil(9000 / unit.length));
      for (const cut of [1, 4, 400, 10_000]) {
        const at = tripsAt(text, { cut });
        assert.ok(at !== undefined && (cut === 10_000 || at <= beginning.length + latest), `${cut}: ${at}`);
      }
    });
  }

  it('W85 stops any loop of words with a period of up to 400 characters', () => {
    fc.assert(
      fc.property(fc.integer({ min: 12, max: 400 }), fc.integer({ min: 1, max: 1e6 }), (period, seed) => {
        const unit = `${prose(period - 1, seed)} `;
        const at = tripsAt(beginning + unit.repeat(Math.ceil(8000 / period)));
        assert.ok(at !== undefined && at <= beginning.length + 3000, `${at}`);
      }),
      { numRuns: 200 },
    );
  });

  it('W85 stops a page that comes again and again, wherever it begins and however it is cut', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 401, max: 4000 }),
        fc.integer({ min: 1, max: 1e6 }),
        fc.integer({ min: 1, max: 5000 }),
        (period, seed, cut) => {
          const page = `${varied(period - 1, seed)}\n`;
          const text = beginning + page.repeat(Math.ceil(60_000 / period));
          const at = tripsAt(text, { cut });
          assert.ok(at !== undefined && at <= beginning.length + 5 * period + 4000 + cut, `${at} of ${period}`);
          assert.equal(tripsAt(`${beginning}${page.repeat(3)}${varied(20_000, seed + 1)}`), undefined);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('W85 lets blocks of settings be that are alike, and pages of code', () => {
    const block =
      '- name: service\n  image: registry/app:latest\n  ports:\n    - 8080\n  restart: always\n  env:\n    LEVEL: info\n';
    for (const blocks of [
      block.repeat(40),
      `${block}${'  # a longer comment of this block here\n'.repeat(8)}`.repeat(8),
    ]) {
      assert.equal(tripsAt(`${beginning}\`\`\`yaml\n${blocks}\`\`\`\n${beginning}`), undefined);
      assert.equal(tripsAt(`{"content":"${blocks}"}`, { isCode: true }), undefined);
    }
    assert.ok(tripsAt(`\`\`\`yaml\n${block.repeat(800)}`) !== undefined, 'not without end');
  });

  it('W85 stops a loop in code and in arguments a little later', () => {
    const line = '    result = compute(result, value)\n';
    const block = `Here:\n\`\`\`py\n${line.repeat(400)}`;
    const at = tripsAt(block);
    assert.ok(at !== undefined && at > 2500 && at < 5000, `${at}`);
    const inArguments = tripsAt(`{"content":"${line.repeat(400)}`, { isCode: true });
    assert.ok(inArguments !== undefined && inArguments > 2500 && inArguments < 5000, `${inArguments}`);
    assert.equal(tripsAt(`\`\`\`py\n${line.repeat(60)}\`\`\`\n${beginning}`), undefined);
  });

  const runs: [string, string][] = [
    ['a column of zeros', '0\n'.repeat(8000)],
    ['a row of zeros', '0,'.repeat(8000)],
    ['a row of floats', '0.0, '.repeat(4000)],
    ['a list of null', 'null,'.repeat(4000)],
    ['a list of null, one a line', '  null,\n'.repeat(3000)],
    ['strings that are alike', '"", '.repeat(4000)],
    ['base64 of zeros', 'A'.repeat(20_000)],
    ['hex of zeros', '0x00, '.repeat(4000)],
    ['a ruler', '-'.repeat(10_000)],
    ['blank space', '    \n'.repeat(2000)],
    ['a grid of false', 'false, '.repeat(2000)],
  ];
  for (const [what, run] of runs) {
    it(`W85 lets ${what} be`, () => {
      assert.equal(tripsAt(`${beginning}\`\`\`\n${run}\n\`\`\`\n${beginning}`), undefined);
      assert.equal(tripsAt(`${beginning}${run}\n${beginning}`), undefined);
      assert.equal(tripsAt(`{"content":"${run}"}`, { isCode: true }), undefined);
    });
  }

  const counted: [string, (n: number) => string, number][] = [
    ['a step', (n) => `Step ${n}: I will now check the file and run the tests again.\n`, 6000],
    ['a retry in a sentence', (n) => `The call failed ${n} times, so let me try it once more. `, 6000],
    ['two numbers', (n) => `Attempt ${n} of 500. Let me read the file once more and compare it. `, 6000],
    [
      'a number that does not rise',
      (n) => `Waiting ${(n * 7919) % 1000} ms before the next try of the same request. `,
      6000,
    ],
    ['a paragraph', (n) => `${prose(190, 3)} (${n}) ${prose(120, 4)}.\n\n`, 8000],
    ['Chinese', (n) => `第${n}步：我现在再检查一次这个文件。\n`, 6000],
    ['a label', (n) => `retry ${n}\n`, 60_000],
  ];
  for (const [what, unit, latest] of counted) {
    it(`W85 stops ${what} that differs in its numbers alone, wherever it begins and however it is cut`, () => {
      const text = beginning + Array.from({ length: 6000 }, (_, n) => unit(n + 1)).join('');
      for (const cut of [1, 7, 400]) {
        const at = tripsAt(text, { cut });
        assert.ok(at !== undefined && at <= beginning.length + latest, `${cut}: ${at}`);
        assert.ok(at > beginning.length + 3000, `${cut}: ${at}`);
      }
    });
  }

  it('W85 takes a loop for one at the same place however it is cut', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...counted),
        fc.array(fc.integer({ min: 1, max: 900 }), { minLength: 1 }),
        (loop, cuts) => {
          const text = beginning + Array.from({ length: 6000 }, (_, n) => loop[1](n + 1)).join('');
          const guard = createRepetitionGuard();
          let at = 0;
          for (let index = 0; at < text.length; index++) {
            const next = at + (cuts[index % cuts.length] ?? 1);
            const stops = guard.push(text.slice(at, next));
            at = next;
            if (stops) break;
          }
          const whole = tripsAt(text, { cut: 1 }) ?? 0;
          assert.ok(at >= whole && at < whole + 900, `${at} ${whole}`);
        },
      ),
      { numRuns: 40 },
    );
  });

  const series: [string, (n: number) => string][] = [
    ['a numbered list', (n) => `${n}. ${prose(40, n)}\n`],
    ['steps that differ', (n) => `Step ${n}: ${prose(60, n)}.\n`],
    ['rows of CSV', (n) => `${n},John,Smith,active,US\n`],
    ['rows with a blank', (n) => `${n}; John Smith; active user; United States\n`],
    [
      'lines of a log',
      (n) => `2026-11-20 10:${n % 60}:03.120 INFO [worker-1] accepted a connection from 10.0.0.1:${n}\n`,
    ],
    ['a table', (n) => `| ${n} | the test passed in the first run | yes |\n`],
    ['statements', (n) => `INSERT INTO users VALUES (${n}, 'name', 'active user of the system');\n`],
    ['names of tests', (n) => `  test_case_${n} ... ok\n`],
    ['an array', (n) => `  { "id": ${n}, "name": "a new user of it" },\n`],
    ['assertions', (n) => `assert.equal(table.get(${n}), 'not found in the table');\n`],
  ];
  for (const [what, row] of series) {
    it(`W85 lets ${what} be, in code, in prose and in arguments`, () => {
      const rows = Array.from({ length: 3000 }, (_, n) => row(n + 1)).join('');
      assert.equal(tripsAt(`${beginning}\`\`\`\n${rows}\n\`\`\`\n${beginning}`), undefined);
      assert.equal(tripsAt(`${beginning}${rows}\n${beginning}`), undefined);
      assert.equal(tripsAt(`{"content":"${rows}"}`, { isCode: true }), undefined);
    });
  }

  it('W85 lets a short series of sentences and a long one of names be', () => {
    const sentences = Array.from(
      { length: 40 },
      (_, n) => `Test ${n + 1}: the user signs in and sees the page.\n`,
    ).join('');
    const names = Array.from({ length: 2000 }, (_, n) => `- Item number ${n + 1}\n`).join('');
    const numbers = Array.from({ length: 20_000 }, (_, n) => `${n + 1}, `).join('');
    for (const text of [sentences, names, numbers])
      assert.equal(tripsAt(`${beginning}${text}\n${beginning}`), undefined);
  });

  it('W64 ends a run of data that does not end', () => {
    assert.ok(tripsAt('0,'.repeat(100_000)) !== undefined);
  });

  it('W64 lets long ordinary text, lists and tables be', () => {
    assert.equal(tripsAt(prose(60_000)), undefined);
    const rows = Array.from({ length: 2000 }, (_, row) => `| item ${row} | yes | no |\n`).join('');
    assert.equal(tripsAt(rows), undefined);
    assert.equal(tripsAt(`${sentence.repeat(6)}${beginning}`), undefined);
  });
});
