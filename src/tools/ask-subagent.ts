import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import type { SubagentAsk, SubagentResult } from '../agent/subagent.ts';
import { type CallPrice, SkippedCall, type ToolContext, type ToolOutput, toolRecord } from '../agent/tool.ts';
import { cutText } from '../base/cut-text.ts';
import { formatMicroUsd } from '../shared/money.ts';
import { readNamed } from './dialect/named-arguments.ts';

export interface SubagentArguments {
  task: string;
  agent?: string;
  model?: string;
}

/** One of the places for subagents and a share of the budget are reserved until `end` is called, which must happen. */
export interface AdmittedSubagent {
  price: CallPrice;
  asksFirst: boolean;
  run(
    ask: Pick<SubagentAsk, 'signal' | 'onRead' | 'onPaid'>,
  ): Promise<{ result: SubagentResult; saved: NonNullable<ToolOutput['sub']> }>;
  end(): void;
}

export interface SubagentPort {
  /** Waits for a free slot; resolves undefined if the signal aborts first. Throws `ToolError` where none can be had. */
  admit(
    args: SubagentArguments,
    context: Pick<ToolContext, 'turnId' | 'signal'>,
  ): Promise<AdmittedSubagent | undefined>;
  /** Returns the user's message that a turn answers, or undefined where the turn can ask no subagent. */
  messageOf(turnId: string): string | undefined;
  price(): CallPrice;
}

const plainKinds = /^(?:general[-_ ]?purpose|explore|plan|default|task|agent)$/i;

/**
 * `ask_subagent` reads in a history of its own and answers with its findings. Its access is that of a read tool, but
 * its kind sets it apart, because it costs money.
 */
export const askSubagent = toolRecord({
  name: 'ask_subagent',
  description:
    'Has a question about the code looked into by a reader who knows nothing of this conversation, and gives its findings with `path:line`. For what takes many looks whose text you will not need; not for files that you will edit.',
  parameters: z.object({
    task: z.string().check(z.minLength(1), z.maxLength(8000)),
    agent: z.optional(z.string()),
    model: z.optional(z.string()),
  }),
  dialect: {
    names: 'task agent newtask subagent dispatchagent runsubagent delegate spawnagent',
    translate(args) {
      const given = readNamed(args);
      const task = given.text('task prompt message instructions description');
      if (task === undefined) return 'Not run: ask_subagent needs a task.';
      const kind = given.text('agent agentname subagenttype agenttype');
      const agent = kind === undefined || plainKinds.test(kind) ? {} : { agent: kind };
      const model = given.text('model');
      return [{ name: 'ask_subagent', arguments: { task, ...agent, ...(model !== undefined && { model }) } }];
    },
  },
  kind: 'subagent',
  needs: 'length',
  access: 'read',
  presentation: () => ({
    words: l10n.t('Subagent'),
    subject: ['task'],
    card: 'subagent',
  }),
  title: ({ task }) => l10n.t('Subagent: {0}', task),
  run: (port: SubagentPort) => (args, context) => askOne(port, args, context, args.task),
});

/**
 * Runs a subagent as one call of a tool. `shown` names the task on the card where its price needs the user's consent;
 * `{ agreed: true }` means that the user was asked for exactly this.
 */
export async function askOne(
  port: SubagentPort,
  args: SubagentArguments,
  context: ToolContext,
  shown: string | { agreed: true },
): Promise<ToolOutput> {
  const subagent = await port.admit(args, context);
  if (subagent === undefined) return stopped('');
  try {
    if (typeof shown === 'string' && subagent.asksFirst && !(await isWanted(subagent.price, shown, context))) {
      if (context.signal.aborted) return stopped('');
      throw new SkippedCall('The user did not want a subagent asked. Go on without it.');
    }
    context.paid(subagent.price, []);
    const { result, saved } = await subagent.run({
      signal: context.signal,
      onRead: (title) => context.output(`${title}\n`),
      onPaid: (attempt) => context.paid(subagent.price, [attempt]),
    });
    return outputOf(result, saved);
  } finally {
    subagent.end();
  }
}

const shownTask = 300;

async function isWanted({ estimatedMicroUsd, maxMicroUsd }: CallPrice, task: string, { ask }: ToolContext) {
  const [yes, no] = [l10n.t('Ask Subagent'), l10n.t('Skip')];
  const shown = cutText(task, shownTask);
  const text = l10n.t(
    'Ask a subagent? It usually costs {0} and at most {1}. Its task: {2}',
    formatMicroUsd(estimatedMicroUsd, false),
    formatMicroUsd(maxMicroUsd, false),
    shown,
  );
  return (await ask({ text, options: [yes, no] })) === yes;
}

function outputOf(result: SubagentResult, saved: NonNullable<ToolOutput['sub']>): ToolOutput {
  const { outcome, failure, text } = result;
  switch (outcome) {
    case 'finished':
      // Calls of other agents' tools are answered as well, and there a subagent may write.
      return { forModel: `${text}\n[A subagent only reads: it changed nothing.]`, forUser: text, sub: saved };
    case 'stopped':
    case 'interrupted':
      return stopped(leftOf(result));
    case 'limit':
    case 'failed': {
      const limit = failure?.kind === 'over-budget' || outcome === 'limit';
      const why = limit ? 'it reached its limit' : `its request failed (${failure?.kind ?? 'internal'})`;
      return {
        state: 'failed',
        forModel: `The subagent ended before it had answered: ${why}. ${leftOf(result)}Go on without it.`,
        ...(limit && { forUser: l10n.t('The subagent reached its limit before it had answered.') }),
      };
    }
  }
}

function stopped(left: string): ToolOutput {
  return { state: 'cancelled', forModel: `The user stopped the subagent. ${left}`.trim() };
}

function leftOf({ text, reads }: SubagentResult): string {
  const seen = reads.length === 0 ? '' : `It had looked at: ${reads.join('; ')}. `;
  return text === '' ? seen : `${seen}Its last words: ${text}\n`;
}
