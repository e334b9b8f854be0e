export interface ToolPresentation {
  words: string;
  icon: 'edit' | 'file' | 'folder' | 'globe' | 'search' | 'terminal' | 'tool';
  subject: readonly string[];
  gathers: 'files' | 'searches' | 'edits' | 'commands' | 'nothing';
  /**
   * A `diff` may be decided on in the editor, a `command` has a terminal, `input` is for a running command, and a
   * `subagent` has its own price and can be stopped by itself.
   */
  card: 'line' | 'diff' | 'command' | 'input' | 'subagent';
  opens: boolean;
}

export type ToolPresentations = Readonly<Record<string, ToolPresentation>>;

export const presentationDefaults: Omit<ToolPresentation, 'words'> = {
  icon: 'tool',
  subject: [],
  gathers: 'nothing',
  card: 'line',
  opens: false,
};
