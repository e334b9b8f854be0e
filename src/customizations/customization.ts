import type { Place } from '../files/workspace.ts';
import type { AgentSpec } from './agent-spec.ts';

/** One file of a place that is looked at, as it is on disk. */
export interface FoundFile {
  place: Place;
  /** As the model writes it; begins with `~` for the user's own. */
  path: string;
  text: string;
  /** With several workspace folders, the one that it comes from. */
  root?: string;
  /** It belongs to the user and not to a workspace. */
  isUsers: boolean;
}

/** Reasons for which a file is passed over although it lies where such files are read. */
export type Fault = 'name' | 'globs' | 'empty' | 'form' | 'not-for-models' | 'off';

/** When a text enters a request. */
export type Entry =
  | { when: 'always' }
  /** While the conversation has touched a path that matches; the path is without the name of its workspace folder. */
  | { when: 'touched'; globs: string; matches(path: string): boolean }
  /** A row names it, and the model loads it, into a subagent where it `forks`; also by `/name`, unless it is not `typed`. */
  | { when: 'loaded'; typed: boolean; forks?: true }
  /** By `/name` alone. */
  | { when: 'typed' }
  /** While the user has picked it. */
  | { when: 'picked'; agent: AgentSpec }
  /** With the mode of Roo Code of this name, while the user has picked that. */
  | { when: 'with'; mode: string }
  | { when: 'never'; fault: Fault };

/** A file that steers the model, or one of several that a file holds. */
export interface Customization {
  /** A name in `kinds`. */
  kind: string;
  path: string;
  place: Place;
  root?: string;
  isUsers: boolean;
  /** The folder that it speaks of, as the model writes it; empty for all of the workspace. */
  folder: string;
  /** Typed behind a slash and used to load it: `^[a-z0-9][a-z0-9._-]*$`; empty where none is needed. */
  name: string;
  /** One line; empty when the file gives none. */
  description: string;
  /** Without its header, and without what a person does not see. */
  text: string;
  entry: Entry;
  /** Settings of the file that run something or agree to something: they have no effect here. */
  ignored: readonly string[];
}
