import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ToolContext, ToolError, type ToolOutput, toolRecord } from '../agent/tool.ts';
import { judgeCommand } from './command/command-safety.ts';
import { type Outputs, reportOutput } from './command/outputs.ts';
import type { Processes, ProcessInfo } from './command/processes.ts';
import { aftermathNote } from './command/run-line.ts';
import { processDialect } from './dialect/runs.ts';

export interface ProcessDeps {
  processes?: Processes;
  outputs?: Outputs;
  conversationOf?(turnId: string): string;
}

const actions = ['list', 'read', 'send', 'stop'] as const;

interface ProcessArguments {
  action: (typeof actions)[number];
  id?: string | undefined;
  text?: string | undefined;
  until?: string | undefined;
  waitSeconds?: number | undefined;
}

/**
 * `process` controls what `run_command` started in the background. Input to a program outside of the sandbox needs an
 * approval.
 */
export const processTool = toolRecord({
  name: 'process',
  description:
    'Background processes: list; read what is new (waits up to waitSeconds for the text until, or the end); send text to stdin (with \\n); stop.',
  parameters: z.object({
    action: z.enum(actions),
    id: z.optional(z.string()),
    text: z.optional(z.string()),
    until: z.optional(z.string()),
    waitSeconds: z.optional(z.number()),
  }),
  needs: 'disk',
  isOfUse: ({ processes }) => processes?.any() === true,
  dialect: processDialect,
  kind: 'other',
  access: 'execute',
  presentation: () => ({
    words: l10n.t('Background process'),
    icon: 'terminal',
    card: 'input',
  }),
  title: ({ action, id = '' }) => titles[action](id),
  plan:
    ({ processes, outputs, conversationOf }: ProcessDeps) =>
    async (args, context) => {
      if (processes === undefined) throw new ToolError('Nothing runs in the background.');
      const conversationId = conversationOf?.(context.turnId) ?? '';
      if (args.action === 'list') return { run: async () => ({ forModel: listOf(processes.list(conversationId)) }) };
      const info = processes.find(conversationId, args.id ?? '');
      const run = () => act({ processes, outputs }, info, args, context);
      if (args.action !== 'send' || info.place !== 'outside') return { run };
      const text = args.text ?? '';
      const { refusal, warnings } = judgeCommand((text.endsWith('\n') ? text.slice(0, -1) : text) || '.');
      if (refusal !== undefined) throw new ToolError(refusal);
      const to = l10n.t('Input of: {0}', info.commandLine);
      return {
        approval: { subject: { kind: 'command', command: text, cwd: to, shell: info.id }, warnings, scopes: ['once'] },
        run,
      };
    },
});

const titles: Readonly<Record<ProcessArguments['action'], (id: string) => string>> = {
  list: () => l10n.t('Background processes'),
  read: (id) => l10n.t('Read process {0}', id),
  send: (id) => l10n.t('Answer process {0}', id),
  stop: (id) => l10n.t('Stop process {0}', id),
};

async function act(
  { processes, outputs }: { processes: Processes; outputs: Outputs | undefined },
  { id, conversationId }: ProcessInfo,
  { action, text = '', until, waitSeconds }: ProcessArguments,
  { signal, turnId, callId }: ToolContext,
): Promise<ToolOutput> {
  if (action === 'stop') await processes.stop(conversationId, id);
  if (action === 'send') processes.send(conversationId, id, text);
  const wait = { until, waitSeconds: waitSeconds ?? (action === 'send' ? 1 : 0) };
  const printed = await processes.read(conversationId, id, action === 'stop' ? {} : wait, signal);
  const info = processes.find(conversationId, id);
  const { appeared, loaded } = info;
  const report = await reportOutput(printed, { turnId, callId }, outputs);
  const lines = [stateLine(info), report || '[nothing new]', ...aftermathNote(info)];
  return { forModel: lines.join('\n'), appeared, loaded };
}

export function stateLine({ id, commandLine, state, exitCode }: ProcessInfo): string {
  const line = commandLine.split('\n', 1)[0]?.slice(0, 120) ?? '';
  const ended = `has ended with exit code ${exitCode ?? 'unknown'}`;
  return `${id} ${{ running: 'is running', ended, stopped: 'was stopped' }[state]}: ${line}`;
}

function listOf(list: readonly ProcessInfo[]): string {
  return list.length === 0 ? 'Nothing runs in the background.' : list.map(stateLine).join('\n');
}
