import * as l10n from '@vscode/l10n';
import { type ApprovalNeed, SkippedCall, type ToolContext, ToolError } from '../../agent/tool.ts';
import type { NoSandbox } from '../../sandbox/launch.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { noSandboxText } from '../../sandbox/sandbox-words.ts';
import type { ExecutionTarget } from '../../shared/approval.ts';
import { judgeCommand } from './command-safety.ts';

export const sandboxModes = ['ask', 'on', 'off'] as const;
export type SandboxMode = (typeof sandboxModes)[number];

export const commandGrants = ['network', 'outside_sandbox'] as const;
export type CommandGrant = (typeof commandGrants)[number];

export interface CommandSandbox extends Pick<Sandbox, 'unusable'> {
  /** Only the user sets the mode; no workspace can. */
  mode(): SandboxMode;
  choose(mode: SandboxMode): Promise<void>;
}

export interface CommandRequest {
  command: string;
  cwd: string;
  grant?: CommandGrant | undefined;
  reason?: string | undefined;
  background: boolean;
}

export interface PlacedCommand {
  place?: ExecutionTarget;
  approval?: ApprovalNeed;
}

export interface TargetDeps {
  sandbox?: CommandSandbox;
  shellName(place: ExecutionTarget): string;
}

/**
 * Chooses where a command runs and what has to be asked for it. In the sandbox only deleting is asked about. What
 * needs more asks each time, unless exactly this line, folder and grant was allowed before. Without a sandbox every
 * command asks.
 */
export async function chooseTarget(
  deps: TargetDeps,
  request: CommandRequest,
  context: Pick<ToolContext, 'ask'>,
): Promise<PlacedCommand> {
  const { sandbox } = deps;
  const judgement = judgeCommand(request.command);
  if (judgement.refusal !== undefined) throw new ToolError(judgement.refusal);
  const missing = sandbox === undefined || sandbox.mode() === 'off' ? 'off' : await sandbox.unusable();
  if (sandbox === undefined || missing !== undefined) return outside(deps, request, missing);
  if (sandbox.mode() === 'ask') {
    const chosen = await askOnce(sandbox, request, context);
    if (chosen === 'off') return outside(deps, request, 'off');
  }
  if (request.grant === 'outside_sandbox') return outside(deps, request);
  if (request.grant === 'network') return { place: 'network', approval: needOf(deps, request, 'network') };
  return judgement.deletes ? { place: 'sandbox', approval: needOf(deps, request, 'sandbox') } : { place: 'sandbox' };
}

async function askOnce(
  sandbox: CommandSandbox,
  { command }: CommandRequest,
  context: Pick<ToolContext, 'ask'>,
): Promise<'on' | 'off'> {
  const use = l10n.t('Use the Sandbox');
  const askEach = l10n.t('Ask Every Time');
  const skip = l10n.t('Skip');
  const text = l10n.t(
    "Run commands in a sandbox without asking? They can change files in this workspace, not Git's data, editor settings, or instruction files. They reach no network host that you haven't allowed, and your home folder is hidden. Anything else still asks.",
  );
  const answer = await context.ask({ text, command, options: [use, askEach, skip], recommends: true });
  if (answer === use || answer === askEach) {
    const mode = answer === use ? 'on' : 'off';
    await sandbox.choose(mode);
    return mode;
  }
  const reason = answer === undefined || answer === skip ? '' : ` Their answer: ${answer}`;
  throw new SkippedCall(`The user skipped this call. Nothing was run.${reason}`);
}

function outside(deps: TargetDeps, request: CommandRequest, missing?: NoSandbox | 'off'): PlacedCommand {
  const need = needOf(deps, request, 'outside');
  const { subject } = need;
  if (missing === undefined || subject.kind !== 'command') return { place: 'outside', approval: need };
  // Nothing has to be granted here: outside is the only execution target.
  const { place: _, reason: __, ...plain } = subject;
  const note = missing === 'off' ? {} : { noSandbox: noSandboxText(missing) };
  return { approval: { ...need, subject: { ...plain, ...note } } };
}

function needOf(deps: TargetDeps, request: CommandRequest, place: ExecutionTarget): ApprovalNeed {
  const { command, cwd, reason, background } = request;
  const { warnings, mayBeRemembered } = judgeCommand(command);
  const subject: ApprovalNeed['subject'] = {
    ...{ kind: 'command', command, cwd, shell: deps.shellName(place), place },
    ...(reason && place !== 'sandbox' && { reason }),
    ...(background && { background }),
  };
  // What deletes in the sandbox is a nuisance, and can be taken back; outside it is asked about each time.
  if (place === 'sandbox') return { subject, warnings, scopes: ['once', 'conversation'] };
  return { subject, warnings, scopes: mayBeRemembered ? ['once', 'conversation', 'always'] : ['once'] };
}
