import type { Place } from '../files/workspace.ts';
import type { AgentSpec } from './agent-spec.ts';

export interface FoundFile {
  place: Place;
  /** The path is as the model writes it, and begins with `~` for the user's own files. */
  path: string;
  text: string;
  root?: string;
  isUsers: boolean;
  fault?: Fault;
}

export type Fault = 'large' | 'closed' | 'name' | 'globs' | 'empty' | 'form' | 'not-for-models' | 'off';

export type Entry =
  | { when: 'always' }
  /**
   * The text is sent while the conversation has touched a path that matches. The path has no name of its workspace
   * folder.
   */
  | { when: 'touched'; globs: string; matches(path: string): boolean }
  /**
   * A row names the text, and the model loads it, into a subagent if it `forks`. The user can also type `/name` if it
   * is `typed`.
   */
  | { when: 'loaded'; typed: boolean; forks?: true }
  | { when: 'typed' }
  | { when: 'picked'; agent: AgentSpec }
  | { when: 'with'; mode: string }
  | { when: 'never'; fault: Fault };

export interface Customization {
  kind: string;
  path: string;
  place: Place;
  root?: string;
  isUsers: boolean;
  folder: string;
  /** The name matches `^[a-z0-9][a-z0-9._-]*$`, or is empty where none is needed. */
  name: string;
  description: string;
  text: string;
  entry: Entry;
  /** These settings of the file would run something or agree to something, so they have no effect here. */
  ignored: readonly string[];
}
