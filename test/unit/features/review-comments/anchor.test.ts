import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, it } from 'mocha';
import { lineChangesOf } from '../../../../src/edits/pending/line-change.ts';
import {
  type Anchor,
  anchorAt,
  foundAnchor,
  isUnchanged,
  movedAnchor,
} from '../../../../src/features/review-comments/core/anchor.ts';
import { times } from '../../../support/effort.ts';
import { gitIn } from '../../../support/git-in.ts';
import { createRandom, type Random } from '../../../support/random.ts';
import { withTempDir } from '../../../support/temp-dir.ts';

const text = 'a\nb\nc\nd\ne\nf\ng'.split('\n');
const anchored = anchorAt(text, 2, 2);
const after = (change: { start: number; count: number; lines: readonly string[] }): string[] =>
  text.toSpliced(change.start, change.count, ...change.lines);

describe('anchors of remarks', () => {
  const cases: Record<string, { change: Parameters<typeof movedAnchor>[2]; left: string[] }> = {
    'lines put in above': { change: { start: 0, count: 0, lines: ['x', 'y'] }, left: ['c', 'd'] },
    'lines put in right above': { change: { start: 2, count: 0, lines: ['x'] }, left: ['c', 'd'] },
    'lines put in right below': { change: { start: 4, count: 0, lines: ['x'] }, left: ['c', 'd'] },
    'a line put in between': { change: { start: 3, count: 0, lines: ['x'] }, left: ['c', 'x', 'd'] },
    'one of them typed in': { change: { start: 2, count: 1, lines: ['cc'] }, left: ['cc', 'd'] },
    'both rewritten': { change: { start: 2, count: 2, lines: ['x'] }, left: ['x'] },
    'the first and what is above it gone': { change: { start: 1, count: 2, lines: [] }, left: ['d'] },
    'the last and what is below it rewritten': { change: { start: 3, count: 2, lines: ['x'] }, left: ['c'] },
    'more than them gone': { change: { start: 1, count: 4, lines: [] }, left: [] },
    'the whole text written anew with one line more': {
      change: { start: 0, count: 7, lines: ['x', ...text] },
      left: ['c', 'd'],
    },
  };
  for (const [what, { change, left }] of Object.entries(cases)) {
    it(`F33 follow their lines through ${what}`, () => {
      const { first, count } = movedAnchor(anchored, text, change);
      assert.deepEqual(after(change).slice(first, first + count), left);
    });
  }

  it('F33 are found in a text that was not followed: alone, else by the lines around, else the nearest, else not', () => {
    assert.equal(foundAnchor(anchored, ['x', ...text])?.first, 3);
    const twice = ['c', 'd', 'x', 'x', 'x', 'x', 'a', 'b', 'c', 'd', 'e'];
    assert.equal(foundAnchor(anchored, twice)?.first, 8);
    assert.equal(foundAnchor(anchored, ['c', 'd', 'x', 'c', 'd', 'x', 'x', 'x', 'c', 'd'])?.first, 3);
    assert.equal(foundAnchor(anchored, ['c', 'x', 'd']), undefined);
    assert.ok(isUnchanged(anchored, text));
    assert.ok(!isUnchanged(anchored, ['x', ...text]));
  });

  it('F33 are where git blame finds their lines after 5,000 random edits', async function () {
    this.timeout(120_000);
    await withTempDir(async (folder) => {
      const git = gitIn(folder);
      await mkdir(path.join(folder, 'src'));
      await git('init', '-q');
      const random = createRandom(33);
      const files = Array.from({ length: times(40, 250) }, (_, number) => createFile(random, number));
      const write = (one: (typeof files)[number], lines: readonly string[]) =>
        writeFile(path.join(folder, one.name), `${lines.join('\n')}\n`);
      for (const file of files) await write(file, file.begun);
      await git('add', '.');
      await git('commit', '-qm', 'before');
      for (const file of files) {
        for (let edit = 0; edit < 20; edit++) editOnce(random, file);
        await write(file, file.now);
      }
      await git('add', '.');
      await git('commit', '-qm', 'after');
      let survived = 0;
      for (const { name, begun, anchor, now } of files) {
        const { stdout } = await git('blame', '--porcelain', 'HEAD', '--', name);
        // `commit original-line final-line`.
        const rows = [...stdout.matchAll(/^[0-9a-f]{40} (\d+) (\d+)/gm)].map(([, was, is]) => [
          Number(was),
          Number(is),
        ]);
        const old = new Set(begun);
        const isOld = (is: number) => old.has(now[is - 1] ?? '');
        for (const [was = 0, is = 0] of rows.filter(([, is = 0]) => isOld(is))) {
          const wasIn = was - 1 >= anchor.was.first && was - 1 < anchor.was.first + anchor.was.count;
          const isIn = is - 1 >= anchor.is.first && is - 1 < anchor.is.first + anchor.is.count;
          assert.equal(isIn, wasIn, `${name}: line ${was} became ${is}`);
          if (isIn) survived += 1;
        }
      }
      assert.ok(survived > files.length, 'lines survive');
    });
  });
});

interface Edited {
  name: string;
  begun: readonly string[];
  now: string[];
  anchor: { was: Anchor; is: Anchor };
}

let words = 0;

function createFile(random: Random, number: number): Edited {
  const begun = Array.from({ length: random.between(20, 90) }, () => `line ${++words}`);
  const first = random.between(0, begun.length - 1);
  const was = anchorAt(begun, first, random.between(1, Math.min(8, begun.length - first)));
  return { name: `src/${number}.txt`, begun, now: [...begun], anchor: { was, is: was } };
}

/** As an editor tells of it, with characters: whole lines in and out, lines typed in, several places in one event. */
function editOnce(random: Random, file: Edited): void {
  const line = random.between(0, file.now.length - 1);
  const end = Math.min(file.now.length - 1, line + random.between(0, 3));
  const fresh = Array.from({ length: random.between(1, 3) }, () => `line ${++words}`);
  const changes = {
    insert: { range: { start: { line, character: 0 }, end: { line, character: 0 } }, text: `${fresh.join('\n')}\n` },
    remove: { range: { start: { line, character: 0 }, end: { line: end, character: 0 } }, text: '' },
    rewrite: {
      range: { start: { line, character: 0 }, end: { line: end, character: file.now[end]?.length ?? 0 } },
      text: fresh.join('\n'),
    },
    break: {
      range: {
        start: { line, character: file.now[line]?.length ?? 0 },
        end: { line, character: file.now[line]?.length ?? 0 },
      },
      text: `\n${fresh.join('\n')}`,
    },
  };
  for (const change of lineChangesOf(file.now, [
    changes[random.pick(['insert', 'remove', 'rewrite', 'break'] as const)],
  ])) {
    if (file.now.length - change.count + change.lines.length < 2) continue;
    file.anchor.is = movedAnchor(file.anchor.is, file.now, change);
    file.now = file.now.toSpliced(change.start, change.count, ...change.lines);
  }
}
