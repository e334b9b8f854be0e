import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type Tool, type ToolContext, ToolError, type ToolOutput, toolRecord } from '../agent/tool.ts';
import type { Clock } from '../base/clock.ts';
import type { ChangedFile, CommandJournal } from '../edits/apply/edit-ports.ts';
import { noteMove } from '../files/near-paths.ts';
import { resolvePlace } from '../files/path-guard.ts';
import { displayPath, type Files, type Place, type Workspace } from '../files/workspace.ts';
import type { CommandSnapshots } from './command/command-snapshots.ts';
import { type CommandSandbox, chooseTarget, commandGrants } from './command/execution-target.ts';
import { type Outputs, reportOutput } from './command/outputs.ts';
import type { Processes } from './command/processes.ts';
import { aftermathNote, listNote, type RunLineDeps, runLine } from './command/run-line.ts';
import { runName, type Shell, type ShellCommand } from './command/shell.ts';
import { commandDialect } from './dialect/runs.ts';
import { stateLine } from './process.ts';

export interface RunCommandDeps {
  workspace: Workspace;
  files: Files;
  shell: Shell;
  clock: Clock;
  conversationOf?(turnId: string): string;
  sandbox?: CommandSandbox;
  undo?: { snapshots: CommandSnapshots; journalOf(turnId: string): CommandJournal };
  processes?: Processes;
  outputs?: Outputs;
  grants?: RunLineDeps['grants'];
}

const defaultTimeoutSeconds = 120;
const maxTimeoutSeconds = 3600;

const always = `Every call is a fresh shell without input. Ends after timeoutSeconds (${defaultTimeoutSeconds}); background: goes on (servers, watchers).`;

const plainParameters = z.object({
  command: z.string(),
  cwd: z.optional(z.string()),
  timeoutSeconds: z.optional(z.int()),
  background: z.optional(z.boolean()),
});

/** Describes `run_command` to models where there is no sandbox; other tools stay as they are. */
export function withoutSandbox(tool: Tool): Tool {
  if (tool.name !== runCommand.name) return tool;
  return {
    ...tool,
    description: `Runs a shell command in the workspace once the user agrees. ${always}`,
    parameters: plainParameters,
  };
}

/**
 * Runs `run_command`. In the sandbox only deleting is asked about; outside every run is, and only exactly the same
 * line in the same folder can be remembered. Folder and trust are checked again between asking and running.
 */
export const runCommand = toolRecord({
  name: 'run_command',
  description: `Runs a shell command in the workspace. ${always} Runs in a sandbox, unasked: workspace writable; .git, editor settings, rules read-only; each network host asks while it waits; empty home; secrets hidden. lift asks the user and needs reason.`,
  parameters: z.extend(plainParameters, {
    lift: z.optional(z.enum(commandGrants)),
    reason: z.optional(z.string()),
  }),
  dialect: commandDialect,
  kind: 'command',
  needs: 'disk',
  access: 'execute',
  presentation: () => ({
    words: l10n.t('Run command'),
    icon: 'terminal',
    subject: ['command'],
    gathers: 'commands',
    card: 'command',
  }),
  title: ({ command }) => l10n.t('Run {0}', command),
  plan:
    (deps: RunCommandDeps) =>
    async ({ command, cwd = '', timeoutSeconds = defaultTimeoutSeconds, lift: grant, reason, background }, context) => {
      const { shell, processes } = deps;
      const folder = await resolveFolder(deps, cwd);
      const inBackground = background === true && processes !== undefined;
      if (!inBackground && processes !== undefined && leavesBehind.test(command)) throw new ToolError(useBackground);
      const { place, approval } = await chooseTarget(
        { sandbox: deps.sandbox, shellName: (where) => shell.name(command, where !== 'outside' || inBackground) },
        { command, cwd: folder.real, grant, reason, background: inBackground },
        context,
      );
      const conversationId = deps.conversationOf?.(context.turnId) ?? '';
      const line: ShellCommand = {
        commandLine: command,
        cwd: startFolder(folder),
        run: runName(context),
        ...(place !== undefined &&
          place !== 'outside' && { sandbox: { level: place === 'network' ? 'network' : 'on', conversationId } }),
      };
      return {
        approval,
        place,
        async run() {
          const now = await resolveFolder(deps, cwd);
          if (now.real !== folder.real)
            throw new ToolError('The folder changed while the user was asked. Nothing was run.');
          if (inBackground) return startIn({ ...deps, processes }, conversationId, line, context);
          const bounds = { shownFolder: folder.shown, timeoutSeconds: clampTimeout(timeoutSeconds) };
          return undoable(deps, context, () => runLine(deps, line, bounds, context));
        },
      };
    },
});

const leavesBehind = /[^&>]&\s*$|\bnohup\s[^\n]{0,2000}[^&>]&(?![&>\d])/;
const useBackground =
  'Not run: what a call leaves running ends with it. Start it with background: true, without nohup and &, then use process.';

async function startIn(
  { processes, outputs }: Pick<RunCommandDeps, 'outputs'> & { processes: Processes },
  conversationId: string,
  line: ShellCommand,
  context: ToolContext,
): Promise<ToolOutput> {
  const { info, text } = await processes.start(conversationId, { ...line, background: true }, context.signal);
  const { appeared, loaded } = info;
  const report = await reportOutput(text, context, outputs);
  const lines = [stateLine(info), report || '[no output yet]', ...aftermathNote(info)];
  const failed = info.state === 'ended' && info.exitCode !== 0;
  return { forModel: lines.join('\n'), ...(failed && { state: 'failed' as const }), appeared, loaded };
}

async function undoable(
  { undo, workspace }: RunCommandDeps,
  { turnId, callId, signal }: Pick<ToolContext, 'turnId' | 'callId' | 'signal'>,
  run: () => Promise<ToolOutput>,
): Promise<ToolOutput> {
  if (undo === undefined) return run();
  // After Stop the turn may be over before the command is.
  const journal = undo.journalOf(turnId);
  const snapshot = await undo.snapshots.before(signal);
  const review = journal.watch?.();
  const ran = run();
  await ran.catch(() => undefined);
  const changes = await undo.snapshots.after(snapshot, turnId, journal);
  await review?.(changes, { turnId, callId });
  for (const move of movesIn(changes)) noteMove(workspace, move);
  const output = await ran;
  const named = changes.map(([place, before, after]) => {
    const how = after === undefined ? ' (gone)' : before === undefined ? ' (new)' : '';
    return displayPath(workspace, place) + how;
  });
  const told = listNote('Files changed', named.sort());
  if (told.length === 0) return output;
  return { ...output, forModel: [output.forModel, ...told].join('\n'), forUser: output.forUser ?? output.forModel };
}

function movesIn(changes: readonly ChangedFile[]): { from: Place; to: Place }[] {
  const nameOf = ({ path: whole }: Place) => path.posix.basename(whole);
  return changes.flatMap(([from, before, after]) => {
    if (before === undefined || after !== undefined || before.length === 0) return [];
    const same = changes.flatMap(([to, was, is]) =>
      was === undefined && is !== undefined && Buffer.compare(before, is) === 0 ? [to] : [],
    );
    const to = same.find((place) => nameOf(place) === nameOf(from)) ?? same[0];
    return to === undefined ? [] : [{ from, to }];
  });
}

/** Resolves the folder that the model chose. It must be inside the workspace, whatever links say. */
async function resolveFolder(
  { workspace, files }: RunCommandDeps,
  cwd: string,
): Promise<{ real: string; opened: string; shown: string }> {
  if (!workspace.isTrusted()) throw new ToolError('The workspace is in Restricted Mode: no command runs.');
  const [first] = workspace.roots();
  if (first === undefined) throw new ToolError('No folder is open, so no command can run.');
  const isDefault = ['', '.', './'].includes(cwd);
  const place = isDefault ? { root: first, path: '' } : await resolvePlace(workspace, cwd);
  const shown = displayPath(workspace, place);
  if (place.root.fsPath === undefined)
    throw new ToolError(`${shown} is not on this machine's disk, so no command can run there.`);
  const stat = await files.stat(place);
  if (stat?.kind !== 'directory') throw new ToolError(`There is no folder ${shown}.`);
  const opened = path.join(place.root.fsPath, place.path);
  // A folder of another machine that was read as this one.
  const isOther = place.path === '' && !isDefault && path.resolve(opened, cwd) !== path.resolve(opened);
  return { real: await realpath(opened), opened, shown: isOther ? 'the workspace folder' : shown };
}

/**
 * Returns the folder to start a command in. A mapped drive leads to a share, where cmd does not start: it would take
 * its own folder instead.
 */
export function startFolder({ real, opened }: { real: string; opened: string }): string {
  return isShare(real) && !isShare(opened) ? opened : real;
}

function isShare(folder: string): boolean {
  return folder.startsWith('\\\\');
}

/**
 * Keeps a time limit within its bounds, which the schema does not say, because they would be paid for with every
 * request. What is beyond them counts milliseconds.
 */
function clampTimeout(given: number): number {
  const seconds = given > maxTimeoutSeconds ? Math.ceil(given / 1000) : given;
  return Math.min(Math.max(seconds, 1), maxTimeoutSeconds);
}
