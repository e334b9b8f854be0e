import path from 'node:path';
import { parseArgs } from 'node:util';
import { cleanCompletion } from '../../../src/features/completion/core/clean-completion.ts';
import { isInText } from '../../../src/features/completion/core/completion-body.ts';
import { textSent } from '../../../src/features/completion/core/completion-request.ts';
import { peersFolder } from '../bundle.ts';
import { createRandom } from '../seeded-random.ts';
import { type DamagedAnswer, damaged, refusals } from './damages.ts';
import { type CutPlace, cutPlaces, readFolder, readSources } from './places.ts';

type Verdict = 'right' | 'wrong' | 'refused';

/** Blanks at the ends of lines are nobody's. */
const plain = (text: string): string => text.replace(/[ \t]+$/gm, '').trimEnd();

export function judge({ place, answer }: DamagedAnswer): { verdict: Verdict; got: string } {
  const cleaned = cleanCompletion(answer, { ...place, isCut: false });
  if ('problem' in cleaned) return { verdict: 'refused', got: cleaned.problem };
  const isRight = plain(cleaned.text) === plain(place.original);
  return { verdict: isRight ? 'right' : 'wrong', got: cleaned.text };
}

interface Options {
  seed: number;
  /** Each as `folder@commit`; the packages of the bench where there are none. */
  repositories?: readonly string[];
  count?: number;
  /** Cases to print: words of their verdict and damage. */
  show?: string | undefined;
}

/** Releases that the bench has installed, in several languages. */
const packages = [
  'bootstrap',
  'commander',
  'jquery',
  'luxon',
  'node-addon-api',
  'node-gyp',
  'rxjs',
  'svelte',
  'undici',
  'zod',
];

/** Texts cut from real files, and answers as models damage them. */
export function report({ seed, repositories = [], count = 3000, show }: Options): string {
  const random = createRandom(seed);
  const sources =
    repositories.length > 0
      ? repositories.map(readSources)
      : packages.map((name) => readFolder(path.join(peersFolder, 'node_modules', `edits-${name}-after`)));
  const share = Math.ceil(count / sources.length);
  const places = sources.flatMap((files) => cutPlaces(random, files, share));
  const rows = new Map<string, Record<Verdict, number>>();
  const totals: Record<Verdict, number> = { right: 0, wrong: 0, refused: 0 };
  const times: number[] = [];
  const shown: string[] = [];
  for (const one of damaged(random, places)) {
    const from = performance.now();
    textSent(one.place);
    const { verdict, got } = judge(one);
    times.push(performance.now() - from);
    const kind = one.damage.split(', ')[0] ?? '';
    const row = rows.get(kind) ?? { right: 0, wrong: 0, refused: 0 };
    rows.set(kind, row);
    row[verdict]++;
    totals[verdict]++;
    if (verdict !== 'right' && show !== undefined && `${verdict} ${one.damage}`.includes(show))
      shown.push(told(one, verdict, got));
  }
  const nothing = places.flatMap((place) =>
    Object.entries(refusals).flatMap(([name, make]) => {
      // Words belong where a text or a comment is written.
      if (name === 'only words' && isInText(lineOf(place), place.languageId)) return [];
      const answer = make(random, place.original, place);
      return answer === undefined ? [] : [{ name, place, answer }];
    }),
  );
  const shownAnyway = nothing.filter(
    ({ answer, place }) => 'text' in cleanCompletion(answer, { ...place, isCut: false }),
  );
  if (show === 'shown') shown.push(...shownAnyway.map(({ name, place }) => `=== shown: ${name} · ${place.source}`));
  const percent = (part: number) => `${((100 * part) / places.length).toFixed(2)} %`;
  const slowest = times.toSorted((a, b) => b - a);
  return [
    ...shown,
    `Seed ${seed}, ${places.length} places; median ${slowest[slowest.length >> 1]?.toFixed(2)} ms, slowest ${slowest[0]?.toFixed(1)} ms.`,
    `Right ${percent(totals.right)}, wrong ${percent(totals.wrong)}, refused ${percent(totals.refused)}.`,
    `Of ${nothing.length} answers that complete nothing, ${shownAnyway.length} are shown.`,
    '',
    '| damage | right | wrong | refused |',
    '|---|---|---|---|',
    ...[...rows].map(([damage, { right, wrong, refused }]) => `| ${damage} | ${right} | ${wrong} | ${refused} |`),
  ].join('\n');
}

const lineOf = ({ before }: CutPlace): string => before.slice(before.lastIndexOf('\n') + 1);

function told({ place, damage, answer }: DamagedAnswer, verdict: Verdict, got: string): string {
  return [
    `=== ${verdict}: ${damage} · ${place.kind} · ${place.source}`,
    `${place.before.slice(-300)}⟦⟧${place.after.slice(0, 160)}`,
    `--- answer ${JSON.stringify(answer)}`,
    `--- wanted ${JSON.stringify(place.original)}`,
    `--- got    ${JSON.stringify(got)}`,
    '',
  ].join('\n');
}

if (process.argv[1] === import.meta.filename) {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      repository: { type: 'string', multiple: true },
      count: { type: 'string', default: '3000' },
      show: { type: 'string' },
    },
  });
  const { seed, repository, count, show } = values;
  console.log(report({ seed: Number(seed), repositories: repository ?? [], count: Number(count), show }));
}
