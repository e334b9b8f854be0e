import { hunksOf, linesOf, type PendingText } from '../../src/edits/pending/hunks.ts';
import { lineChangeOf } from '../../src/edits/pending/line-change.ts';
import { settledText, toLines, withTyped, withTypedText, withWritten } from '../../src/edits/pending/pending-text.ts';
import { createTextHistory } from '../../src/edits/pending/text-history.ts';
import type { Figure } from './figure.ts';
import type { Part } from './part.ts';
import { median, type Round } from './statistics.ts';

const warmUps = 20;
const measured = 60;
const hunksInText = 50;

/** P26: a key between undecided edits of a long file, beside a look at all of its text. */
export const keys: Part = {
  ids: ['P26'],
  measure: async ({ rounds, progress }) => {
    const all: Round[] = [];
    for (let index = 1; index <= rounds; index++) {
      progress(`P26: round ${index} of ${rounds}`);
      all.push({
        ours: keyIn(100_000, byEvent),
        'of 10,000 lines': keyIn(10_000, byEvent),
        'two bare copies of such a list': copiesOf(100_000),
        'all of it compared': keyIn(100_000, byText),
      });
    }
    const comparisons: Figure['comparisons'] = [
      { by: 'alone', goal: 2 },
      { by: 'beside', anchor: 'of 10,000 lines' },
      { by: 'ratio', anchor: 'two bare copies of such a list' },
      { by: 'ratio', anchor: 'all of it compared' },
    ];
    return [
      {
        id: 'P26',
        what: 'a key in a file of 100,000 lines with 50 hunks',
        unit: 'ms',
        rounds: all,
        ours: 'ours',
        comparisons,
      },
    ];
  },
};

/** Milliseconds: the memory for a list this long is what a key costs at least, as it leaves the earlier text whole. */
function copiesOf(count: number): number {
  const list: readonly string[] = Array.from({ length: count }, (_, at) => `  line ${at}`);
  const kept: (readonly string[])[] = [];
  const spent: number[] = [];
  for (let index = 0; index < warmUps + measured; index++) {
    const from = performance.now();
    kept.push(list.slice(), list.slice());
    kept.splice(0, kept.length - 10);
    if (index >= warmUps) spent.push(performance.now() - from);
  }
  return median(spent);
}

type Follow = (text: PendingText, at: number, whole: () => string) => PendingText;

const byEvent: Follow = (text, at) => {
  const place = { line: at, character: 0 };
  return withTyped(text, [lineChangeOf(linesOf(text), { range: { start: place, end: place }, text: 'x' })]);
};
const byText: Follow = (text, _, whole) => withTypedText(text, toLines(whole()).join('\n'));

/** Milliseconds of the middle one. */
function keyIn(count: number, follow: Follow): number {
  const lines = Array.from({ length: count }, (_, at) => `  const value${at} = compute(${at % 977}, "line ${at}");`);
  const step = count / hunksInText;
  const written = lines.map((line, at) => (at % step === 0 ? `  other(${at});` : line));
  let text = withWritten(settledText(lines.join('\n')), written.join('\n'), { conversationId: 'c', callId: 'k' });
  const history = createTextHistory(text);
  const at = Math.floor(count / 2 + step / 2);
  const now = [...linesOf(text)];
  const spent: number[] = [];
  for (let index = 0; index < warmUps + measured; index++) {
    now[at] = `x${now[at]}`;
    const from = performance.now();
    text = follow(text, at, () => now.join('\n'));
    hunksOf(text);
    history.add(text);
    if (index >= warmUps) spent.push(performance.now() - from);
  }
  return median(spent);
}
