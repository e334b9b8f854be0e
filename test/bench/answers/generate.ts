import { pick } from '../edits/case.ts';
import type { Revision } from '../edits/corpus.ts';
import { createRandom } from '../seeded-random.ts';
import { type AnswerCase, createPartEdit, resultOf } from './answer-case.ts';
import { answerForms } from './answer-forms.ts';

/** The same cases for the same seed and corpus: up to `perForm` answers in each form, from one file not more than a tenth. */
export function generateAnswers(seed: number, corpus: readonly Revision[], perForm: number): AnswerCase[] {
  const random = createRandom(seed);
  return answerForms.flatMap(({ kind, write }) => {
    const cases: AnswerCase[] = [];
    const perSource = new Map<string, number>();
    const max = Math.max(2, perForm / Math.min(10, corpus.length));
    for (let left = perForm * 60; left > 0 && cases.length < perForm; left--) {
      const edit = createPartEdit(random, pick(random, corpus));
      const count = perSource.get(edit?.source ?? '') ?? 0;
      if (edit === undefined || count >= max) continue;
      const answer = write(edit, random);
      if (answer === undefined) continue;
      perSource.set(edit.source, count + 1);
      cases.push({ kind, edit, answer });
    }
    return cases;
  });
}

export type Verdict = 'right' | 'blanks' | 'wrong' | 'refused';

/** `blanks`: all that is wrong are blank lines and blanks at the ends of lines. */
export function judge({ edit }: AnswerCase, got: readonly string[] | undefined): Verdict {
  if (got === undefined) return 'refused';
  const all = { ...edit, fresh: got };
  const [one, other] = [resultOf(edit), resultOf(all)];
  if (one.join('\n') === other.join('\n')) return 'right';
  const visible = (lines: readonly string[]) =>
    lines
      .map((line) => line.trimEnd())
      .filter((line) => line !== '')
      .join('\n');
  return visible(one) === visible(other) ? 'blanks' : 'wrong';
}
