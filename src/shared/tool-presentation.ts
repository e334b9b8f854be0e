/** How the calls of a tool look in the panel. */
export interface ToolPresentation {
  /** Name of a call until the host has told its title, in the user's language. */
  words: string;
  icon: 'edit' | 'file' | 'folder' | 'globe' | 'search' | 'terminal' | 'tool';
  /** Arguments that say what a call is about; of several the one that is written first. */
  subject: readonly string[];
  /**
   * As what the line that stands for an answer's calls counts them; `nothing` is counted with all others of the kind. A change
   * of files (`edits`) is counted there and has its own card besides.
   */
  gathers: 'files' | 'searches' | 'edits' | 'commands' | 'nothing';
  /**
   * `diff`: a change, which may be decided on in the editor. `command`: it has a terminal. `input`: for a command that runs.
   * `subagent`: it has a price of its own, and can be stopped for itself.
   */
  card: 'line' | 'diff' | 'command' | 'input' | 'subagent';
  /** The file at its `path` can be opened afterwards. */
  opens: boolean;
}

/** By the name of the tool. */
export type ToolPresentations = Readonly<Record<string, ToolPresentation>>;
