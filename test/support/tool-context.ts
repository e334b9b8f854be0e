import type { Tool, ToolContext, ToolOutput } from '../../src/agent/tool.ts';

/** A context for a tool under test; nobody answers its questions. */
export function toolContext(context: Partial<ToolContext> = {}): ToolContext {
  return {
    signal: new AbortController().signal,
    turnId: 'turn',
    callId: 'c1',
    output: () => undefined,
    ask: async () => undefined,
    paid: () => undefined,
    isShown: () => true,
    ...context,
  };
}

/** Plans and runs a call that needs no consent; throws when it does need it. */
export async function runTool(tool: Tool, args: unknown, context?: Partial<ToolContext>): Promise<ToolOutput> {
  const plan = await tool.plan(args, toolContext(context));
  if (plan.approval) throw new Error(`${tool.name} needs consent: ${plan.approval.subject.kind}`);
  return plan.run();
}
