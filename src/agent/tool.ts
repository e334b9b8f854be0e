import type * as z from 'zod/mini';
import type { ApprovalScope, ApprovalSubject, ExecutionTarget, PlanItem, Question } from '../shared/approval.ts';
import type { CommandEnd, ToolFinished } from '../shared/events.ts';
import type { Attempt, HistoryImage } from '../shared/messages.ts';
import type { ToolPresentation } from '../shared/tool-presentation.ts';
import type { ToolDialect } from './dialect/dialect.ts';

/**
 * `read` looks inside the workspace, `fetch` at a page of the web, `write` changes files, `execute` runs a program or a foreign
 * tool, `ask` talks to the user. Reads run side by side; everything else alone and in order.
 */
export type ToolAccess = 'read' | 'fetch' | 'write' | 'execute' | 'ask';

/**
 * Decides what later requests keep of a call. `read` and `edit`: of an older one only the path; `ask`: the whole
 * answer; all others: the arguments and the beginning of the result. Three kinds decide more: a `command` brings the
 * prompt's lines about the shell, a `plan` is offered where something is done, an `outline` in Plan mode alone. What a `skill`
 * brought is sent until its turn ends. A `subagent` pays for requests of its own, and is never published to other chats.
 */
export type ToolKind =
  | 'read'
  | 'search'
  | 'list'
  | 'command'
  | 'edit'
  | 'plan'
  | 'outline'
  | 'ask'
  | 'skill'
  | 'subagent'
  | 'other';

/**
 * A tool is offered only where this is there: a folder on this machine's disk, a repository, a page that the user named, a
 * text that the model may load, tools whose definitions it may load, a comment of the user's to answer, a history that is long
 * enough to be worth keeping things out of it.
 */
export type ToolNeed = 'disk' | 'repository' | 'page' | 'skill' | 'index' | 'comment' | 'length';

export interface ToolContext {
  signal: AbortSignal;
  turnId: string;
  callId: string;
  /** Live tail of what the tool prints, for the card. */
  output(text: string): void;
  /** Shows a question and waits; undefined when the user stopped, the window went away, or `until` came first. */
  ask(question: Omit<Question, 'callId'>, until?: AbortSignal): Promise<string | undefined>;
  /**
   * Enters requests of the call's own in the price of the turn, as each ends: whatever becomes of the call, they were sent. Called
   * once without any when the call is about to begin with them.
   */
  paid(price: CallPrice, attempts: readonly Attempt[]): void;
}

/** For all requests of one call, in micro-dollars. */
export interface CallPrice {
  estimatedMicroUsd: number;
  maxMicroUsd: number;
}

/** Two faces, one for the model and one for the person. A tool that cannot answer throws `ToolError`. */
export interface ToolOutput {
  forModel: string;
  forUser?: string;
  /** The tool did its work, but what it ran did not succeed or was stopped: the card must not look as if all were well. */
  state?: 'failed' | 'cancelled';
  /** How a command line ended, where its shell said so. */
  end?: CommandEnd;
  /** Paths of what a program made that git, the editor or assistants obey: the user sees them, and can remove them. */
  appeared?: readonly string[];
  /** Paths of what a program changed that programs of the editor load: the user sees them too. */
  loaded?: readonly string[];
  /** Stored already. The model gets them after all results of its reply. */
  images?: readonly HistoryImage[];
  /** The whole plan as it is from now on (`update_plan`). */
  plan?: PlanItem[];
  /** Only with a subagent that answered: how much it keeps out of the conversation. */
  sub?: NonNullable<ToolFinished['sub']>;
}

/** A sentence that the model can act on. Anything else that a tool throws is a bug and reaches the log with its stack. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** To be agreed to before a plan runs. `run-tool.ts` adds what it knows of the call and asks. */
export interface ApprovalNeed {
  subject: ApprovalSubject;
  warnings: readonly string[];
  /** Only `once`: asked about every time. Anything more is remembered as `rememberedAs` says. */
  scopes: readonly ApprovalScope[];
}

/** A call worked out up to the point of acting. Making it has no side effect. */
export interface ToolPlan {
  /** Absent: nothing has to be asked. */
  approval?: ApprovalNeed;
  /** Only for a command, where there is a choice. */
  place?: ExecutionTarget;
  /**
   * Acts. Checks again that what was agreed to is what happens. `review`: the user wants to see the change in the
   * diff and decide there.
   */
  run(agreed?: { review: boolean }): Promise<ToolOutput>;
}

/** The record of a tool, for the model, the card of a call, and the history. */
export interface ToolSpec<Args = unknown> {
  name: string;
  kind: ToolKind;
  needs?: ToolNeed;
  description: string;
  parameters: z.ZodMiniType<Args>;
  access: ToolAccess;
  /** One line for the card: `Read src/a.ts 1–120`. */
  title(args: Args): string;
  /**
   * Only with a tool whose definition is sent once it was loaded: its place among those, undefined while it is not sent. It can be
   * called all the same.
   */
  loadedAt?(): number | undefined;
}

export interface Tool<Args = unknown> extends ToolSpec<Args> {
  plan(args: Args, context: ToolContext): Promise<ToolPlan>;
}

type Run<Args> = (args: Args, context: ToolContext) => Promise<ToolOutput>;

/** Everything about a tool of ours, in one file; `create` ties it to what it works on. */
export interface ToolRecord<Deps> extends ToolSpec {
  presentation(): ToolPresentation;
  dialect: ToolDialect;
  create(deps: Deps): Tool;
}

/** `run` in place of `plan`: a tool that never needs consent. */
export function toolRecord<Args, Deps>(
  record: ToolSpec<Args> &
    Pick<ToolRecord<Deps>, 'presentation' | 'dialect'> &
    ({ plan(deps: Deps): Tool<Args>['plan'] } | { run(deps: Deps): Run<Args> }),
): ToolRecord<Deps> {
  const { plan, run, ...spec } = { plan: undefined, run: undefined, ...record };
  const create = (deps: Deps): Tool => {
    if (plan) return defineTool<Args>({ ...spec, plan: plan(deps) });
    return defineTool<Args>({ ...spec, run: run(deps) });
  };
  return { ...(spec as unknown as ToolSpec & Pick<ToolRecord<Deps>, 'presentation' | 'dialect'>), create };
}

/** Ties the argument type to the schema and then forgets it, so that tools of all shapes fit in one list. */
export function defineTool<Args>(tool: Tool<Args> | (ToolSpec<Args> & { run: Run<Args> })): Tool {
  if ('plan' in tool) return tool as unknown as Tool;
  const { run, ...spec } = tool;
  const planned: Tool<Args> = { ...spec, plan: async (args, context) => ({ run: () => run(args, context) }) };
  return planned as unknown as Tool;
}
