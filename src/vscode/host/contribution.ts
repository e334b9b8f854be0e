import type { CreateSection } from '../../chat/panel-sections.ts';
import type { CommandHandlers } from './command-ids.ts';

/** A feature adds this to the extension; everything else about it stays in its folder. */
export interface Contribution {
  /** The name of the feature's folder. */
  id: string;
  commands?: Partial<CommandHandlers>;
  /** The feature's part of the panel, made anew for each view. */
  section?: CreateSection;
}

type Intersection<Union> = (Union extends unknown ? (one: Union) => void : never) extends (all: infer All) => void
  ? All
  : never;
type HandlersIn<One> = One extends { commands: infer Handlers } ? Handlers : unknown;

/** The handlers of all contributions in one record; where every command is required, a forgotten one does not compile. */
export function handlersOf<const All extends readonly Contribution[]>(all: All): Intersection<HandlersIn<All[number]>> {
  return Object.assign({}, ...all.map(({ commands }) => commands ?? {}));
}
