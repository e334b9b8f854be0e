import { createRandom } from '../seeded-random.ts';
import { type Case, pick, type Random } from './case.ts';
import type { Revision } from './corpus.ts';
import { type Damage, damages } from './damages.ts';
import { createDraft, finish } from './draft.ts';
import { createIntent, type Intent, occurrences } from './intent.ts';
import { refusals, toCase } from './refusals.ts';

export interface Amounts {
  /** Cases of each single kind of damage. */
  perDamage: number;
  /** Cases with two damages at once. */
  pairs: number;
  /** Cases of each kind that must be refused. */
  perRefusal: number;
  /** Tries at one case, on average, before a kind is given up: most files have no tabs, no entities, no … 400 when not given. */
  tries?: number;
}

/** The same cases for the same seed and corpus. */
export function generate(seed: number, corpus: readonly Revision[], amounts: Amounts): Case[] {
  const random = createRandom(seed);
  const cases: Case[] = [];
  const collect = (amount: number, next: () => Case | undefined) =>
    collected(amount, amount * (amounts.tries ?? 400), next);
  for (const damage of damages) cases.push(...collect(amounts.perDamage, () => meant(random, corpus, [damage])));
  const partners = damages.filter(({ combines }) => combines);
  cases.push(
    ...collect(amounts.pairs, () => meant(random, corpus, inOrder([pick(random, partners), pick(random, partners)]))),
  );
  for (const { kind, make } of refusals) {
    const revision = () => pick(random, corpus);
    cases.push(
      ...collect(amounts.perRefusal, () => {
        const drawn = revision();
        return toCase(kind, drawn, make(random, drawn, corpus));
      }),
    );
  }
  return cases;
}

/** What is put before or around lines comes after what happens within them. */
function inOrder(wanted: readonly Damage[]): Damage[] {
  return [...wanted].sort((a, b) => damages.indexOf(a) - damages.indexOf(b));
}

/** From one file not more than a tenth: some kinds of damage need what few files have. */
function collected(amount: number, tries: number, next: () => Case | undefined): Case[] {
  const cases: Case[] = [];
  const perSource = new Map<string, number>();
  for (let left = tries; left > 0 && cases.length < amount; left--) {
    const made = next();
    if (made === undefined) continue;
    const count = perSource.get(made.source) ?? 0;
    if (count >= Math.max(1, amount / 10)) continue;
    perSource.set(made.source, count + 1);
    cases.push(made);
  }
  return cases;
}

function meant(random: Random, corpus: readonly Revision[], wanted: readonly Damage[]): Case | undefined {
  const [first, second] = wanted;
  if (first === undefined || first === second) return undefined;
  const revision = pick(random, corpus);
  const parts = Math.max(...wanted.map((damage) => damage.parts ?? 1));
  const context = wanted.map((damage) => damage.context).find((lines) => lines !== undefined);
  const isPlain = first.kind === 'none';
  const intent = createIntent(random, revision, { parts, context, exactlyUnique: isPlain });
  if (intent === undefined) return undefined;
  if (wanted.some(({ kind }) => kind.startsWith('indent:')) && isReindent(intent)) return undefined;
  const draft = createDraft(intent, random() < 0.4);
  const applied = wanted.every((damage) => damage.apply(draft, random));
  const kind = second === undefined ? first.kind : 'two damages';
  const made = applied ? finish(kind, draft) : undefined;
  if (made === undefined || !isPlain) return made;
  return occurrences(made.text, made.blocks[0]?.search ?? '') === 1 ? made : undefined;
}

/** The edit moves lines to the right or left: with the indentation wrong nobody could say by how much. */
function isReindent({ parts }: Intent): boolean {
  return parts.some(({ pieces }) => {
    const before = new Set(pieces.filter(({ role }) => role === 'old').map(({ text }) => text.trim()));
    return pieces.some(({ role, text }) => role === 'new' && text.trim() !== '' && before.has(text.trim()));
  });
}
