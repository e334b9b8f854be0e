import path from 'node:path';
import type { Recipe } from './record-session.ts';

const peers = path.join(import.meta.dirname, '../peers/node_modules');

/** Six sessions on six packages that the bench's lock file pins; one is a single long task, the others are several. */
export function recipes(seed: number): Recipe[] {
  const of = (name: string, steps: number, stepsPerTask: number, index: number): Recipe => {
    return { name, source: path.join(peers, `edits-${name}-after`), steps, stepsPerTask, seed: seed * 1000 + index };
  };
  return [
    of('luxon', 100, 100, 1),
    of('rxjs', 100, 34, 2),
    of('undici', 80, 27, 3),
    of('zod', 60, 20, 4),
    of('commander', 40, 14, 5),
    of('svelte', 100, 50, 6),
  ];
}
