import type * as z from 'zod/mini';
import type { ApprovalScope, ApprovalSubject, ExecutionTarget, PlanItem, Question } from '../shared/approval.ts';
import type { CommandEnd, Decided, ToolFinished } from '../shared/events.ts';
import type { Attempt, HistoryImage } from '../shared/messages.ts';
import type { ToolPresentation } from '../shared/tool-presentation.ts';
import type { ToolDialect } from './dialect/dialect.ts';

/**
 * `read` reads inside the workspace, `fetch` reads a web page, `write` changes files, `execute` runs a program or a
 * external tool, and `ask` asks the user. Reads run side by side; everything else runs alone and in order.
 */
export type ToolAccess = 'read' | 'fetch' | 'write' | 'execute' | 'ask';

/**
 * Decides what later requests keep of a call. Of an older `read` or `edit` only the path is kept, of `ask` the whole
 * answer, of all others the arguments and the beginning of the result. Some kinds decide more: a `command` adds the
 * prompt's lines about the shell, a `plan` is sent where something is done, an `outline` in Plan mode alone. A
 * `skill` result is sent until its turn ends. A `subagent` pays for requests of its own, and is never published to
 * other chats.
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
 * A tool is sent only where its need is met: a folder on this machine's disk, a repository, a page that the user
 * named, a text that the model may load, tools whose definitions it may load, a comment of the user to answer, or a
 * history long enough to keep things out of it.
 */
export type ToolNeed = 'disk' | 'repository' | 'page' | 'skill' | 'index' | 'comment' | 'length';

export interface ToolContext {
  signal: AbortSignal;
  turnId: string;
  callId: string;
  output(text: string): void;
  /**
   * Shows a question and waits. Resolves with undefined when the user stopped, the window was closed, or `until` came
   * first.
   */
  ask(question: Omit<Question, 'callId'>, until?: AbortSignal): Promise<string | undefined>;
  /**
   * Adds requests of the call to the price of the turn as each ends: whatever happens to the call, they were sent. It
   * is called once with none when the call is about to begin with them.
   */
  paid(price: CallPrice, attempts: readonly Attempt[]): void;
  /** Returns whether the request that led to this call had the whole result of that one, or both are of one reply. */
  isShown(callId: string): boolean;
}

export interface CallPrice {
  estimatedMicroUsd: number;
  maxMicroUsd: number;
}

export interface ToolOutput {
  forModel: string;
  forUser?: string;
  /** Is set where the tool did its work but what it ran failed or was stopped, so the card must not show success. */
  state?: 'failed' | 'cancelled';
  end?: CommandEnd;
  appeared?: readonly string[];
  loaded?: readonly string[];
  decided?: readonly Decided[];
  images?: readonly HistoryImage[];
  plan?: PlanItem[];
  sub?: NonNullable<ToolFinished['sub']>;
}

/**
 * The message must be a sentence that the model can act on. Anything else that a tool throws is a bug, and is logged
 * with its stack.
 */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export function ignoreToolError(error: unknown): undefined {
  if (error instanceof ToolError) return undefined;
  throw error;
}

export class SkippedCall extends ToolError {}

export interface ApprovalNeed {
  subject: ApprovalSubject;
  warnings: readonly string[];
  scopes: readonly ApprovalScope[];
}

/** Describes a call up to the point of acting. Making a plan has no side effect. */
export interface ToolPlan {
  approval?: ApprovalNeed;
  place?: ExecutionTarget;
  /** This is the path that is meant, where there is nothing under the one that was written. */
  meant?: string;
  /**
   * Acts, after checking again that what was agreed to is what happens. With `review` the user decides on the change
   * in the diff. With `seen` they allowed this very change on its card, which is a decision on it.
   */
  run(agreed?: { review: boolean; seen?: boolean }): Promise<ToolOutput>;
}

export interface ToolSpec<Args = unknown> {
  name: string;
  kind: ToolKind;
  needs?: ToolNeed;
  description: string;
  parameters: z.ZodMiniType<Args>;
  access: ToolAccess;
  title(args: Args): string;
  /**
   * Returns the position among the loaded tools, or undefined while the definition is not sent; the tool can be called
   * all the same. The method is absent for a tool whose definition is always sent.
   */
  loadedAt?(): number | undefined;
}

export interface Tool<Args = unknown> extends ToolSpec<Args> {
  plan(args: Args, context: ToolContext): Promise<ToolPlan>;
}

type Run<Args> = (args: Args, context: ToolContext) => Promise<ToolOutput>;

export interface ToolRecord<Deps> extends ToolSpec {
  /** Returns whether the definition is worth sending; it is always sent where this method is absent. */
  isOfUse?(deps: Deps): boolean;
  presentation(): Pick<ToolPresentation, 'words'> & Partial<ToolPresentation>;
  dialect: ToolDialect;
  create(deps: Deps): Tool;
}

export function toolRecord<Args, Deps>(
  record: ToolSpec<Args> &
    Pick<ToolRecord<Deps>, 'presentation' | 'dialect' | 'isOfUse'> &
    ({ plan(deps: Deps): Tool<Args>['plan'] } | { run(deps: Deps): Run<Args> }),
): ToolRecord<Deps> {
  const { plan, run, ...spec } = { plan: undefined, run: undefined, ...record };
  const create = (deps: Deps): Tool => {
    const { isOfUse, ...own } = spec;
    const sent = isOfUse && { loadedAt: () => (isOfUse(deps) ? 0 : undefined) };
    if (plan) return defineTool<Args>({ ...own, ...sent, plan: plan(deps) });
    return defineTool<Args>({ ...own, ...sent, run: run(deps) });
  };
  return { ...(spec as unknown as ToolSpec & Pick<ToolRecord<Deps>, 'presentation' | 'dialect' | 'isOfUse'>), create };
}

export function defineTool<Args>(tool: Tool<Args> | (ToolSpec<Args> & { run: Run<Args> })): Tool {
  if ('plan' in tool) return tool as unknown as Tool;
  const { run, ...spec } = tool;
  const planned: Tool<Args> = { ...spec, plan: async (args, context) => ({ run: () => run(args, context) }) };
  return planned as unknown as Tool;
}
