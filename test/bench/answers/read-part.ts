import { readAnswer } from '../../../src/features/inline/core/read-answer.ts';
import type { AnswerCase } from './answer-case.ts';

/** Puts an answer to the product; undefined when it refuses. */
export function readPart({ edit: { lines, first, last, source }, answer }: AnswerCase): readonly string[] | undefined {
  const own = lines.at(-1) === '' ? lines.slice(0, -1) : lines;
  const holdsFences = /\.(?:md|rst)(?:\.txt)?$/.test(source);
  const result = readAnswer(answer, { lines: own, first, last, path: source, holdsFences });
  return 'lines' in result ? result.lines : undefined;
}
