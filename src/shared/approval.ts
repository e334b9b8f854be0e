/**
 * What a person is asked before a tool acts, and what they answer. Facts only: nothing in a request was put into words
 * by the model except where the field says so.
 */
export interface ApprovalRequest {
  callId: string;
  /** The tool's name, `edit_file`. */
  tool: string;
  /** One line: `Edit src/a.ts`. */
  title: string;
  subject: ApprovalSubject;
  /** Why to look closely, one short sentence each. */
  warnings: readonly string[];
  /** What may be chosen besides "once"; never `always` for protected files or dangerous commands. */
  scopes: readonly ApprovalScope[];
}

/**
 * `conversation`: until it is left. `always`: remembered for exactly this command line in this folder. `review`: this edit and all
 * later ones of the conversation are opened in the diff, and nothing is written before the user keeps it there.
 */
export const approvalScopes = ['once', 'conversation', 'always', 'review'] as const;
export type ApprovalScope = (typeof approvalScopes)[number];

/** How much of a place is looked at: one file, the names in one folder, or the text of everything below a folder. */
export const readScopes = ['file', 'folder', 'below'] as const;
export type ReadScope = (typeof readScopes)[number];

/** Where a command runs: in the sandbox, in the sandbox with network, or as the user's own programs do. */
export const commandPlaces = ['sandbox', 'network', 'outside'] as const;
export type CommandPlace = (typeof commandPlaces)[number];

/** What a card shows and what is remembered are both read from here, so that neither can say less than the other. */
export type ApprovalSubject =
  /** `scope` is absent in conversations of older versions. */
  | { kind: 'read'; path: string; reason: 'outside' | 'ignored' | 'secret'; scope?: ReadScope }
  | { kind: 'edit'; path: string; diff: string; added: number; removed: number; isNew: boolean; isProtected: boolean }
  | { kind: 'delete'; path: string; isProtected: boolean }
  | { kind: 'rename'; path: string; to: string; isProtected: boolean }
  | {
      kind: 'command';
      command: string;
      cwd: string;
      shell: string;
      /** Absent where there is no sandbox to choose. */
      place?: CommandPlace;
      /** Why it needs more than the sandbox gives, in the model's words. */
      reason?: string;
      /** It goes on until it ends or is stopped, and the turn does not wait for it. */
      background?: boolean;
      /** Why there is no sandbox here. */
      noSandbox?: string;
    }
  /** A tool of another extension or of an MCP server; VS Code asks for its own consent as well. */
  | {
      kind: 'foreign';
      tool: string;
      arguments: string;
      /** A hash of what the tool said of itself; absent in stored conversations. */
      definition?: string;
    };

/** `deny` ends with a reason that reaches the model; `skip` says only that the user skipped it. */
export type ApprovalAnswer =
  | { decision: 'allow'; scope: ApprovalScope }
  | { decision: 'skip' }
  | { decision: 'deny'; reason: string }
  /** The window was reloaded or closed before an answer; never runs by itself afterwards. */
  | { decision: 'expired' };

/** One line of the plan that the model keeps (`update_plan`). */
export interface PlanItem {
  text: string;
  state: 'pending' | 'active' | 'done';
}

/** What `ask_user` asks. Options are suggestions; a free answer is always possible. */
export interface Question {
  callId: string;
  text: string;
  options: readonly string[];
  /** What will run, shown below the text letter by letter. */
  command?: string;
}

/** What a turn may do, from the least to the most: look, also edit files, also run commands and foreign tools. */
export const chatModes = ['ask', 'edit', 'agent'] as const;
export type ChatMode = (typeof chatModes)[number];
