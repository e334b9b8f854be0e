import { parseArgs } from 'node:util';
import { cleanCompletion } from '../../../src/inline/completion/clean-completion.ts';
import { textSent } from '../../../src/inline/completion/completion-request.ts';
import { createRandom } from '../seeded-random.ts';
import { type DamagedAnswer, damaged, refusals } from './damages.ts';
import { cutPlaces, readSources } from './places.ts';

type Verdict = 'right' | 'wrong' | 'refused';

/** Blanks at the ends of lines are nobody's. */
const plain = (text: string): string => text.replace(/[ \t]+$/gm, '').trimEnd();

export function judge({ place, answer }: DamagedAnswer): { verdict: Verdict; got: string } {
  const cleaned = cleanCompletion(answer, { ...place, isCut: false });
  if ('problem' in cleaned) return { verdict: 'refused', got: cleaned.problem };
  const isRight = plain(cleaned.text) === plain(place.original);
  return { verdict: isRight ? 'right' : 'wrong', got: cleaned.text };
}

/** `npm run bench -- completion --repository FOLDER[@COMMIT] …`: texts cut from real files, and answers as models damage them. */
function main(): void {
  const { values } = parseArgs({
    options: {
      repository: { type: 'string', multiple: true, default: [] },
      seed: { type: 'string', default: '1' },
      count: { type: 'string', default: '3000' },
      show: { type: 'string' },
    },
  });
  const random = createRandom(Number(values.seed));
  const share = Math.ceil(Number(values.count) / values.repository.length);
  const places = values.repository.flatMap((range) => cutPlaces(random, readSources(range), share));
  const totals: Record<Verdict, number> = { right: 0, wrong: 0, refused: 0 };
  const rows = new Map<string, Record<Verdict, number>>();
  let slowestMs = 0;
  for (const one of damaged(random, places)) {
    const from = performance.now();
    textSent(one.place);
    const { verdict, got } = judge(one);
    slowestMs = Math.max(slowestMs, performance.now() - from);
    totals[verdict]++;
    const key = one.damage.split(', ')[0] ?? '';
    const row = rows.get(key) ?? { right: 0, wrong: 0, refused: 0 };
    rows.set(key, row);
    row[verdict]++;
    if (verdict !== 'right' && values.show !== undefined && `${verdict} ${one.damage}`.includes(values.show)) {
      console.log(`\n=== ${verdict}: ${one.damage} · ${one.place.kind} · ${one.place.source}`);
      console.log(`${one.place.before.slice(-300)}⟦⟧${one.place.after.slice(0, 160)}`);
      console.log('--- answer', JSON.stringify(one.answer));
      console.log('--- wanted', JSON.stringify(one.place.original));
      console.log('--- got   ', JSON.stringify(got));
    }
  }
  const refused = places.flatMap((place) =>
    Object.entries(refusals).flatMap(([name, make]) => {
      const answer = make(random, place.original, place);
      return answer === undefined ? [] : [{ name, place, answer }];
    }),
  );
  const shownAnyway = refused.filter(
    ({ place, answer }) => 'text' in cleanCompletion(answer, { ...place, isCut: false }),
  );
  for (const [damage, row] of rows) console.log(damage, row);
  console.log(`${places.length} places, seed ${values.seed}:`, totals);
  console.log(
    `slowest ${slowestMs.toFixed(1)} ms; of ${refused.length} that complete nothing, shown: ${shownAnyway.length}`,
  );
  const byName = Object.groupBy(shownAnyway, ({ name }) => name);
  for (const [name, some] of Object.entries(byName)) console.log(' shown', name, some?.length, some?.[0]?.place.source);
}

if (process.argv[1] === import.meta.filename) main();
