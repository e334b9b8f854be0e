import type * as z from 'zod/mini';

/** R reads inside the workspace, W changes files, X executes. Approval belongs to `run-tool.ts`, never to a tool. */
export type ToolAccess = 'read' | 'write' | 'execute';

export interface ToolContext {
  signal: AbortSignal;
}

/** What a tool answers: one face for the model, one for the person. A tool throws `ToolError` when it cannot. */
export interface ToolOutput {
  forModel: string;
  forUser?: string;
}

/** A sentence that the model can act on. Anything else that a tool throws is a bug and reaches the log with its stack. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

export interface Tool<Args = unknown> {
  name: string;
  description: string;
  parameters: z.ZodMiniType<Args>;
  access: ToolAccess;
  /** One line for the card: `Read src/a.ts 1–120`. */
  title(args: Args): string;
  run(args: Args, context: ToolContext): Promise<ToolOutput>;
}

/** Ties the argument type to the schema and then forgets it, so that tools of all shapes fit in one list. */
export function defineTool<Args>(tool: Tool<Args>): Tool {
  return tool as unknown as Tool;
}
