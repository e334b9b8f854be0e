import type { Random } from './case.ts';
import { diffDamages } from './diff-damages.ts';
import type { Draft } from './draft.ts';
import { elisionDamages } from './elision-damages.ts';
import { layoutDamages } from './layout-damages.ts';
import { reportedDamages } from './reported-damages.ts';
import { spellingDamages } from './spelling-damages.ts';
import { wrappingDamages } from './wrapping-damages.ts';

/** One way in which models get a block wrong, or files make a right block hard to find. */
export interface Damage {
  kind: string;
  /** Separate edits in one call; 1 when not given. */
  parts?: number;
  /** Lines of context that it needs on both sides. */
  context?: number;
  /** May stand together with another one. */
  combines?: boolean;
  /** False: this draft has nothing that could be damaged so. */
  apply(draft: Draft, random: Random): boolean;
}

export const damages: readonly Damage[] = [
  { kind: 'none', apply: () => true },
  ...layoutDamages,
  ...spellingDamages,
  ...wrappingDamages,
  ...elisionDamages,
  ...diffDamages,
  ...reportedDamages,
];
