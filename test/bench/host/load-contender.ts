import type { Contender } from '../contenders/contender.ts';

/** Loads a contender's bundle. The call is left to Node: the path is known only when the bench runs. */
export function loadContender(file: string): Contender {
  const { createContender } = require(file) as { createContender(): Contender };
  return createContender();
}
