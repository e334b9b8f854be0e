import type { CommandHandlers } from './command-ids.ts';

/** A feature adds its commands to the extension; everything else about it stays in its folder. */
export interface Contribution {
  commands: Partial<CommandHandlers>;
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;

/** Joins the handlers of all contributions; where every command is required, a forgotten one does not compile. */
export function handlersOf<const All extends readonly Contribution[]>(all: All): Intersection<All[number]['commands']> {
  return Object.assign({}, ...all.map(({ commands }) => commands));
}
