import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as z from 'zod/mini';
import { type ToolContext, ToolError, type ToolOutput, toolRecord } from '../agent/tool.ts';
import type { Clock } from '../base/clock.ts';
import { judgeCommand, rememberedCommand } from './command/command-safety.ts';
import { createHeadTail } from './command/head-tail.ts';
import { createLiveTail } from './command/live-tail.ts';
import { runName, type Shell, type ShellCommand, type ShellListener, type ShellResult } from './command/shell.ts';
import { createLineFolder, createTerminalText } from './command/terminal-text.ts';
import { resolvePlace } from './files/path-guard.ts';
import { displayPath, type Files, type Workspace } from './files/workspace.ts';

export interface RunCommandDeps {
  workspace: Workspace;
  files: Files;
  shell: Shell;
  clock: Clock;
}

/** How long is waited when the model does not say. */
const defaultTimeoutSeconds = 120;
const maxTimeoutSeconds = 3600;
/** The answer to Stop comes within a second, also when a process needs longer to die. */
const stopAnswerMs = 800;
/** Everything here is sent again with every later step; failures stand at the end of what programs print. */
const forModel = { head: 3000, tail: 9000 };
const forUser = { head: 8000, tail: 20_000 };

/**
 * `run_command`. Every run is asked about; only exactly the same line in the same folder can be remembered.
 * Between asking and running, folder and trust are looked at again.
 */
export const runCommand = toolRecord({
  name: 'run_command',
  description: `Runs a shell command in the workspace once the user agrees. Every call starts a fresh shell without input. Ends after timeoutSeconds (${defaultTimeoutSeconds}).`,
  parameters: z.object({
    command: z.string(),
    cwd: z.optional(z.string()),
    timeoutSeconds: z.optional(z.int()),
  }),
  kind: 'command',
  needs: 'disk',
  access: 'execute',
  title: ({ command }) => l10n.t('Run {0}', command),
  plan:
    (deps: RunCommandDeps) =>
    async ({ command, cwd = '', timeoutSeconds = defaultTimeoutSeconds }, context) => {
      const judgement = judgeCommand(command);
      if (judgement.refusal !== undefined) throw new ToolError(judgement.refusal);
      const folder = await resolveFolder(deps, cwd);
      return {
        approval: {
          subject: { kind: 'command', command, cwd: folder.real, shell: deps.shell.name(command) },
          warnings: judgement.warnings,
          ...(judgement.mayBeRemembered
            ? { scopes: ['once', 'conversation', 'always'], rememberAs: rememberedCommand(command, folder.real) }
            : { scopes: ['once'] }),
        },
        async run() {
          const now = await resolveFolder(deps, cwd);
          if (now.real !== folder.real)
            throw new ToolError('The folder changed while the user was asked. Nothing was run.');
          return runIn(
            deps,
            { commandLine: command, cwd: folder.real, run: runName(context) },
            folder.shown,
            clampTimeout(timeoutSeconds),
            context,
          );
        },
      };
    },
});

/** Inside the workspace, whatever links say (the folder is chosen by the model). */
async function resolveFolder(
  { workspace, files }: RunCommandDeps,
  cwd: string,
): Promise<{ real: string; shown: string }> {
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
  return { real: await realpath(path.join(place.root.fsPath, place.path)), shown };
}

/** Bounds in the schema would be paid for with every request. */
function clampTimeout(seconds: number): number {
  return Math.min(Math.max(seconds, 1), maxTimeoutSeconds);
}

type Ending = 'exited' | 'timed-out' | 'stopped';

async function runIn(
  { shell, clock }: RunCommandDeps,
  command: ShellCommand,
  shownFolder: string,
  timeoutSeconds: number,
  context: Pick<ToolContext, 'signal' | 'output'>,
): Promise<ToolOutput> {
  context.signal.throwIfAborted();
  const clean = createTerminalText();
  const model = createHeadTail(forModel.head, forModel.tail);
  const user = createHeadTail(forUser.head, forUser.tail);
  const lines = createLineFolder((text) => {
    model.push(text);
    user.push(text);
  });
  const live = createLiveTail(context.output, clock);
  const timeout = new AbortController();
  let callOff = () => {};
  let startedAt = clock.now();
  const listener: ShellListener = {
    started() {
      startedAt = clock.now();
      callOff = clock.after(timeoutSeconds * 1000, () => timeout.abort());
    },
    output(chunk) {
      const text = clean(chunk);
      lines.push(text);
      live.push(text);
    },
  };
  try {
    const running = shell.run(command, listener, AbortSignal.any([context.signal, timeout.signal]));
    const result = await orStopped(running, context.signal, clock);
    lines.end();
    const ending: Ending = context.signal.aborted ? 'stopped' : timeout.signal.aborted ? 'timed-out' : 'exited';
    const seconds = Math.round((clock.now() - startedAt) / 100) / 10;
    const header = headerOf(ending, result, seconds, shownFolder);
    const answer = `${header}\n${model.text().trimEnd() || '[no output]'}`;
    const full = `${headerForUser(ending, result, seconds)}\n${user.text().trimEnd() || l10n.t('[no output]')}`;
    const state = stateOf(ending, result);
    return { forModel: answer, ...(full !== answer && { forUser: full }), ...(state && { state }) };
  } finally {
    callOff();
    live.end();
  }
}

/** An end without an exit code says nothing against the command: some shells do not tell it. */
function stateOf(ending: Ending, result: ShellResult | undefined): ToolOutput['state'] {
  if (ending === 'stopped') return 'cancelled';
  return ending === 'timed-out' || (result?.exitCode ?? 0) !== 0 ? 'failed' : undefined;
}

/** Waits for the end, but after Stop not for long: what is left of the tree dies without anybody waiting. */
async function orStopped(
  running: Promise<ShellResult>,
  signal: AbortSignal,
  clock: Clock,
): Promise<ShellResult | undefined> {
  const waited = Promise.withResolvers<undefined>();
  let callOff = () => {};
  const onAbort = () => {
    callOff = clock.after(stopAnswerMs, () => waited.resolve(undefined));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([running, waited.promise]);
  } finally {
    callOff();
    signal.removeEventListener('abort', onAbort);
  }
}

function headerOf(ending: Ending, result: ShellResult | undefined, seconds: number, folder: string): string {
  const where = folder === '.' ? '' : ` in ${folder}`;
  const how = result?.via === 'process' ? ', without a terminal' : '';
  switch (ending) {
    case 'stopped':
      return `Stopped by the user after ${seconds} s${where}; the command and what it started were ended.`;
    case 'timed-out':
      return `Timed out after ${seconds} s${where}; the command and what it started were ended. Ask for a longer timeoutSeconds or do less.`;
    case 'exited':
      return result?.exitCode === undefined
        ? `Ended without an exit code after ${seconds} s${where}${how}.`
        : `Exit code ${result.exitCode} after ${seconds} s${where}${how}.`;
  }
}

/** The folder stands in the card already. */
function headerForUser(ending: Ending, result: ShellResult | undefined, seconds: number): string {
  switch (ending) {
    case 'stopped':
      return l10n.t('Stopped by you after {0} s; the command and what it started were ended.', seconds);
    case 'timed-out':
      return l10n.t('Timed out after {0} s; the command and what it started were ended.', seconds);
    case 'exited': {
      const code = result?.exitCode;
      if (result?.via === 'process') {
        return code === undefined
          ? l10n.t('Ended without an exit code after {0} s, without a terminal.', seconds)
          : l10n.t('Exit code {0} after {1} s, without a terminal.', code, seconds);
      }
      return code === undefined
        ? l10n.t('Ended without an exit code after {0} s.', seconds)
        : l10n.t('Exit code {0} after {1} s.', code, seconds);
    }
  }
}
