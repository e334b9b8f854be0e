import * as l10n from '@vscode/l10n';
import { parseArguments } from '../../../agent/parse-arguments.ts';
import { prepareCall } from '../../../agent/run-tool.ts';
import { type Tool, type ToolContext, ToolError, type ToolPlan } from '../../../agent/tool.ts';
import type { ApprovalSubject } from '../../../shared/approval.ts';
import { writeOutInvisible } from '../../../shared/invisible-signs.ts';

/** Both methods reject with a sentence that the model can act on. */
export interface NativeTool {
  /** `title` is plain text for the chat. `question` is for the user, and VS Code reads it as Markdown. */
  prepare(input: object, signal: AbortSignal): Promise<{ title: string; question?: string }>;
  invoke(input: object, signal: AbortSignal): Promise<string>;
}

/** Each tool is created once, because it remembers what the user was asked about. */
export function createNativeTools(tools: readonly Tool[], newCallId: () => string): (name: string) => NativeTool {
  const byName = new Map(tools.map((tool) => [`svc_${tool.name}`, createNativeTool(tool, newCallId)]));
  return (name) => {
    const tool = byName.get(name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    return tool;
  };
}

/**
 * VS Code asks the user, but this tool decides when. What may hold secrets is never read this way, because VS Code
 * can be configured to ask about nothing. A file about which the user was not asked in `prepare` is not read.
 */
export function createNativeTool(tool: Tool, newCallId: () => string): NativeTool {
  const asked = new Map<string, number>();
  const planOf = async (input: object, signal: AbortSignal): Promise<ToolPlan> => {
    const parsed = parseArguments(tool, JSON.stringify(input));
    if (!parsed.ok) throw new ToolError(parsed.sentence);
    const plan = await tool.plan(parsed.value, contextOf(newCallId(), signal));
    if (plan.approval !== undefined && !mayBeAsked(plan.approval.subject)) {
      throw new ToolError(
        'Not read: the file may hold secrets. It can be read in the chat of svc Assistant, which asks.',
      );
    }
    return plan;
  };
  return {
    async prepare(input, signal) {
      const call = prepareCall([tool], { name: tool.name, arguments: JSON.stringify(input) });
      // Wrong arguments are reported by the call itself.
      if (!call.ok) return { title: tool.name };
      const { title } = call.prepared;
      const plan = await planOf(input, signal).catch(() => undefined);
      const subject = plan?.approval?.subject;
      if (subject?.kind !== 'read') return { title };
      asked.set(keyOf(subject), (asked.get(keyOf(subject)) ?? 0) + 1);
      return { title, question: questionOf(subject) };
    },
    async invoke(input, signal) {
      const { approval, run } = await planOf(input, signal);
      if (approval !== undefined) {
        const key = keyOf(approval.subject);
        const times = asked.get(key) ?? 0;
        if (times === 0) throw new ToolError('Not read: the user was not asked about this file.');
        // Agreed to once, for one call.
        asked.set(key, times - 1);
      }
      return (await run()).forModel;
    },
  };
}

function contextOf(callId: string, signal: AbortSignal): ToolContext {
  const nothing = { output: () => undefined, ask: async () => undefined, paid: () => undefined };
  return { ...nothing, signal, turnId: callId, callId, isShown: () => true };
}

function mayBeAsked(subject: ApprovalSubject): boolean {
  return subject.kind === 'read' && subject.reason !== 'secret';
}

function keyOf(subject: ApprovalSubject): string {
  return JSON.stringify(subject);
}

function questionOf({ path: real, reason, scope }: Extract<ApprovalSubject, { kind: 'read' }>): string {
  const path = asMarkdown(writeOutInvisible(real));
  if (scope === 'below')
    return l10n.t('Everything below {0} is searched. What is found goes to the model of this chat.', path);
  return reason === 'outside'
    ? l10n.t("{0} is outside the workspace. Its text will go to this chat's model.", path)
    : l10n.t("The workspace ignores {0}. Its text will go to this chat's model.", path);
}

function asMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!~<>&|:@]/g, '\\$&').replace(/ (?= )/g, '&nbsp;');
}
