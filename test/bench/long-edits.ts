import { setImmediate as turn } from 'node:timers/promises';
import { formatDiff } from '../../src/edits/apply/edit-diff.ts';
import { createTextWork } from '../../src/edits/apply/text-work.ts';
import { applyEdits } from '../../src/edits/match/apply-edits.ts';
import { putWritten } from '../../src/edits/pending/pending-files.ts';
import { toLines } from '../../src/edits/pending/pending-text.ts';
import type { Figure } from './figure.ts';
import { longestBlock } from './longest-block.ts';
import type { Part } from './part.ts';
import type { Round } from './statistics.ts';

const thread = new URL('../../src/edits/apply/text-thread.ts', import.meta.url);
const lines = Array.from({ length: 100_000 }, (_, at) => `  const value${at} = compute(${at % 977}, "line ${at}");`);
const text = `${lines.join('\n')}\n`;
const editAt = (at: number) => ({ search: lines[at] ?? '', replace: `  other(${at});`, replaceAll: false });

/** As a model writes it. */
const kinds: Record<string, ReturnType<typeof editAt>[]> = {
  'an edit at one place': [editAt(50_000)],
  'edits at two places far apart': [editAt(1000), editAt(99_000)],
  'an edit that finds nothing': [{ search: '  nowhere(1);\n  nowhere(2);', replace: '', replaceAll: false }],
};

/** P25: how long nobody else has the thread of the extension host while the model edits a file of 100,000 lines. */
export const longEdits: Part = {
  ids: ['P25'],
  measure: async ({ rounds, progress }) => {
    const figures: Figure[] = [];
    for (const [what, edits] of Object.entries(kinds)) {
      const all: Round[] = [];
      for (let index = 1; index <= rounds; index++) {
        progress(`P25: ${what}, round ${index} of ${rounds}`);
        all.push({
          ours: await longestBlock(() => byThread(edits)),
          'all in one go': await longestBlock(async () => inOneGo(edits)),
          'its lines, taken apart once': await longestBlock(async () => toLines(text).length),
        });
      }
      figures.push({
        id: 'P25',
        what: `the longest block of the extension host: ${what} of a file of ${(text.length / 1e6).toFixed(1)} MB`,
        unit: 'ms',
        rounds: all,
        ours: 'ours',
        comparisons: [
          { by: 'alone', goal: 30 },
          { by: 'ratio', anchor: 'all in one go' },
          { by: 'beside', anchor: 'its lines, taken apart once' },
        ],
      });
    }
    return figures;
  },
};

async function byThread(edits: (typeof kinds)[string]): Promise<void> {
  const work = createTextWork(thread);
  const applied = await work.applyEdits(text, edits, 'a.ts');
  if (!applied.ok) return;
  await work.showDiff(text, applied.text);
  await turn();
  review(applied.text);
}

function inOneGo(edits: (typeof kinds)[string]): void {
  const applied = applyEdits(text, edits, 'a.ts');
  if (!applied.ok) return;
  formatDiff(text, applied.text);
  review(applied.text);
}

/** The edit becomes undecided. */
function review(after: string): void {
  const by = { conversationId: 'c', turnId: 't', callId: 'k' };
  putWritten(new Map(), { uri: 'file:///a.ts', path: 'a.ts', before: text, after, by });
}
