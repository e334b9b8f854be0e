import { constants } from 'node:os';
import path from 'node:path';
import * as l10n from '@vscode/l10n';
import type { ToolContext, ToolOutput } from '../../agent/tool.ts';
import type { Clock } from '../../base/clock.ts';
import { untilAborted } from '../../base/until-aborted.ts';
import { type Blocked, blockedText, type Grant } from '../../sandbox/blocked.ts';
import type { SandboxLevel } from '../../sandbox/launch.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import { blockedReport, lostReport, refusalIn, sentReport, subjectOfBlocked } from '../../sandbox/sandbox-words.ts';
import type { Decided } from '../../shared/events.ts';
import { createGrantQuestions } from './grant-questions.ts';
import { createHeadTail } from './head-tail.ts';
import { createLiveTail } from './live-tail.ts';
import { type Outputs, reportOutput, withoutCounted } from './outputs.ts';
import type { Shell, ShellCommand, ShellListener, ShellResult } from './shell.ts';
import { createLineJoiner, createTerminalText } from './terminal-text.ts';
import { createTimeout } from './timeout.ts';

export interface RunLineDeps {
  shell: Shell;
  clock: Clock;
  outputs?: Outputs;
  grants?: Pick<Sandbox, 'granted' | 'grant'>;
}

export interface LineBounds {
  shownFolder: string;
  timeoutSeconds: number;
}

/** After Stop the call answers within a second, even when a process needs longer to end. */
const stopAnswerMs = 800;
const keptLength = 1_000_000;
const forUser = { head: 8000, tail: 20_000 };

type CommandEnd = 'exited' | 'timed-out' | 'stopped';

type RunContext = Pick<ToolContext, 'signal' | 'output' | 'turnId' | 'callId' | 'ask'>;

const maxGrants = 3;
/** These commands read everything there is. That the sandbox kept a secret from them is no reason to reveal it. */
const looksAround = /^\s*(?:\w+=\S* )*(?:e?grep|rg|ag|ack|find|fd|ls|tree|du|wc|file|tar|zip|rsync|cp|git)\b/;

/**
 * Runs one line to its end, its time limit or Stop. The line runs again when the sandbox blocked something that one
 * click can allow, and the user allows exactly that.
 */
export async function runLine(
  deps: RunLineDeps,
  command: ShellCommand,
  bounds: LineBounds,
  context: RunContext,
): Promise<ToolOutput> {
  const { grants, clock } = deps;
  const decided: Decided[] = [];
  let run = await runOnce(deps, command, bounds, context);
  decided.push(...run.decided);
  for (let count = 0; count < maxGrants && !context.signal.aborted; count++) {
    const { sandbox } = command;
    const { output, blocked } = run;
    const found = sandbox && grants && blocked.find((each) => canGrant(each, command, grants));
    const grant = found && 'grant' in found ? found.grant : undefined;
    if (!found || !grant || !sandbox || !grants) break;
    const questions = createGrantQuestions(context, command.commandLine, { clock, pauseTimeout: () => () => {} });
    const question = { kind: grant.kind, what: shownGrant(grant, found), blocked: blockedText(found) };
    const answer = await questions.ask(question, context.signal);
    decided.push(...questions.decided());
    if (answer !== undefined) grants.grant(sandbox.conversationId, grant, answer === 'allow');
    if (answer !== 'allow') {
      const refused = answer === 'refuse' ? [`The user refused: ${question.blocked}.`] : [];
      run = { ...run, output: { ...output, forModel: [output.forModel, ...refused, ...questions.notes()].join('\n') } };
      break;
    }
    if (grant.kind === 'file')
      command = { ...command, sandbox: { ...sandbox, uncovered: [...(sandbox.uncovered ?? []), grant.place] } };
    run = await runOnce(deps, command, bounds, context);
    decided.push(...run.decided);
  }
  return { ...run.output, decided: withBlocked(decided, run.blocked, command, grants) };
}

/** Adds what was kept from the command though nobody was asked now: it may have been denied before. */
function withBlocked(
  decided: readonly Decided[],
  blocked: readonly Blocked[],
  { sandbox }: ShellCommand,
  grants: RunLineDeps['grants'],
): Decided[] {
  const all = [...decided];
  for (const each of blocked) {
    const what = subjectOfBlocked(each);
    if (all.some((one) => one.what.split(', ').includes(what))) continue;
    const grant = 'grant' in each ? each.grant : undefined;
    const isRefused = grant && sandbox && grants?.granted(sandbox.conversationId, grant) === false;
    const isDenied = isRefused || (each.kind === 'network' && each.refused);
    all.push({ word: isDenied ? 'denied' : 'blocked', what });
  }
  return all;
}

function canGrant(
  blocked: Blocked,
  { sandbox, commandLine }: ShellCommand,
  grants: NonNullable<RunLineDeps['grants']>,
) {
  if (!('grant' in blocked) || blocked.grant === undefined || sandbox === undefined) return false;
  const isAside = blocked.grant.kind === 'file' && blocked.kind === 'read' && looksAround.test(commandLine);
  return !isAside && grants.granted(sandbox.conversationId, blocked.grant) === undefined;
}

function shownGrant(grant: Grant, blocked: Blocked): string {
  if (grant.kind === 'git') {
    // Of a repository without files of its own, the data is the folder.
    const top = path.basename(grant.place) === '.git' ? path.dirname(grant.place) : grant.place;
    return 'path' in blocked && path.isAbsolute(blocked.path) ? top : path.basename(top);
  }
  if (grant.kind === 'folder') return grant.place;
  if (grant.kind === 'port' || !('path' in blocked)) return blockedText(blocked);
  const names = blocked.path.split('/');
  const last = names.lastIndexOf(path.basename(grant.place));
  return last < 0 ? blocked.path : names.slice(0, last + 1).join('/');
}

async function runOnce(
  { shell, clock, outputs }: RunLineDeps,
  command: ShellCommand,
  { shownFolder, timeoutSeconds }: LineBounds,
  context: RunContext,
): Promise<{ output: ToolOutput; blocked: readonly Blocked[]; decided: readonly Decided[] }> {
  context.signal.throwIfAborted();
  const clean = createTerminalText();
  const printed = createHeadTail(keptLength, keptLength);
  const lines = createLineJoiner(printed.push);
  const live = createLiveTail(context.output, clock);
  const timeout = new AbortController();
  const limit = createTimeout(clock, timeoutSeconds * 1000, () => timeout.abort());
  const grants = createGrantQuestions(context, command.commandLine, { clock, pauseTimeout: limit.pauseTimeout });
  const listener: ShellListener = {
    ask: grants.ask,
    started: limit.start,
    output(chunk) {
      const text = clean(chunk);
      lines.push(text);
      live.push(text);
    },
  };
  try {
    const running = shell.run(command, listener, AbortSignal.any([context.signal, timeout.signal]));
    const result = await untilAborted(running, context.signal, { clock, ms: stopAnswerMs });
    lines.flush();
    const commandEnd: CommandEnd = context.signal.aborted ? 'stopped' : timeout.signal.aborted ? 'timed-out' : 'exited';
    const seconds = Math.round(limit.ranMs() / 100) / 10;
    const level = command.sandbox?.level;
    const header =
      headerOf({ commandEnd, result, seconds, level }, shownFolder) + pipeNote(result, command.commandLine);
    const state = stateOf(commandEnd, result);
    const text = printed.text();
    const told = await withoutCounted(text, context, outputs, state !== undefined);
    const forModel = await reportOutput(told, context, outputs);
    const refusal =
      blockedReport(result?.blocked ?? []) ??
      (state === 'failed' && level !== undefined ? refusalIn(forModel, level === 'network') : undefined);
    const { appeared, loaded } = result ?? {};
    const report = [
      ...(refusal === undefined ? [] : [refusal.forModel]),
      ...grants.notes(),
      ...(result?.left === undefined
        ? []
        : [`Still running after it: pid ${result.left.join(', ')}. Nothing here ends it but kill.`]),
      ...aftermathNote({ appeared, loaded }),
      ...(result?.lost === undefined
        ? []
        : [`The user is told of branches that led elsewhere before: ${result.lost.join(', ')}`]),
    ];
    const answer = [header, forModel || '[no output]', ...report].join('\n');
    const shown = createHeadTail(forUser.head, forUser.tail);
    shown.push(text);
    const full = [
      headerForUser({ commandEnd, result, seconds, level }),
      shown.text().trimEnd() || l10n.t('[no output]'),
      ...(refusal === undefined ? [] : [refusal.forUser]),
      ...(result?.left === undefined ? [] : [l10n.t('Still running after it: process {0}.', result.left.join(', '))]),
      ...sentReport(result?.sent),
      ...lostReport(result?.lost),
    ].join('\n');
    const end = commandEnd === 'exited' ? endOf(result) : undefined;
    const output = {
      forModel: answer,
      ...(full !== answer && { forUser: full }),
      ...(state && { state }),
      ...(end && { end }),
      ...{ appeared, loaded },
    };
    return {
      output,
      blocked: result?.blocked ?? [],
      decided: grants.decided(),
    };
  } finally {
    limit.stop();
    live.end();
  }
}

function endOf(result: ShellResult | undefined): ToolOutput['end'] {
  const { exitCode, pipe } = result ?? {};
  return exitCode === undefined ? undefined : { exitCode, ...(pipe && { pipe: [...pipe] }) };
}

/**
 * Returns how the card shows the end of a command. An end without an exit code is no failure, because some shells do
 * not report one.
 */
function stateOf(commandEnd: CommandEnd, result: ShellResult | undefined): ToolOutput['state'] {
  if (commandEnd === 'stopped') return 'cancelled';
  return commandEnd === 'timed-out' || (result?.exitCode ?? 0) !== 0 ? 'failed' : undefined;
}

const maxListed = 10;

export function listNote(what: string, paths: readonly string[]): string[] {
  const more = paths.length - maxListed;
  const named = [...paths.slice(0, maxListed), ...(more > 0 ? [`+${more}`] : [])].join(', ');
  return paths.length === 0 ? [] : [`${what}: ${named}`];
}

export function aftermathNote({ appeared = [], loaded = [] }: Pick<ShellResult, 'appeared' | 'loaded'>): string[] {
  return [
    ...listNote('The user is told of what is new and obeyed by git, editors or assistants', appeared),
    ...listNote('The user is told of what changed and is loaded by programs of the editor', loaded),
  ];
}

interface Outcome {
  commandEnd: CommandEnd;
  result: ShellResult | undefined;
  seconds: number;
  level: SandboxLevel | undefined;
}

function headerOf({ commandEnd, result, seconds, level }: Outcome, folder: string): string {
  const where = folder === '.' ? '' : ` in ${folder}`;
  const inSandbox = level === 'network' ? ', in the sandbox with network' : ', in the sandbox';
  const how = level !== undefined ? inSandbox : result?.via === 'process' ? ', without a terminal' : '';
  switch (commandEnd) {
    case 'stopped':
      return `Stopped by the user after ${seconds} s${where}; the command and what it started were ended.`;
    case 'timed-out':
      return `Timed out after ${seconds} s${where}; the command and what it started were ended. Ask for a longer timeoutSeconds or do less.`;
    case 'exited':
      return result?.exitCode === undefined
        ? `Ended without an exit code after ${seconds} s${where}${how}.`
        : `Exit code ${codeText(result.exitCode)} after ${seconds} s${where}${how}.`;
  }
}

/**
 * Names an exit code, with the signal that it stands for: a shell adds 128 to the number of the signal that ended a
 * command.
 */
function codeText(code: number): string {
  const name = Object.entries(constants.signals).find(([, number]) => number + 128 === code)?.[0];
  return name === undefined ? String(code) : `${code} (${name})`;
}

const brokenPipe = 141;

/**
 * Reports failures before the last part of a pipe, or that they are unknown: the exit code is that of the last part
 * alone.
 */
function pipeNote(result: ShellResult | undefined, commandLine: string): string {
  if (result?.exitCode !== 0) return '';
  const { pipe } = result;
  if (pipe !== undefined) {
    return pipe.some((code) => code !== 0 && code !== brokenPipe) ? ` Parts of the pipe: ${pipe.join(', ')}.` : '';
  }
  const lastLine =
    commandLine
      .replaceAll(/'[^']*'|"[^"]*"/g, '')
      .split(/[;\n]|&&|\|\|/)
      .at(-1) ?? '';
  return lastLine.includes('|') ? ' That is the last part of the pipe; the others are not known.' : '';
}

function headerForUser({ commandEnd, result, seconds, level }: Outcome): string {
  switch (commandEnd) {
    case 'stopped':
      return l10n.t('You stopped it after {0} s. The command and everything it started were ended.', seconds);
    case 'timed-out':
      return l10n.t('Timed out after {0} s. The command and everything it started were ended.', seconds);
    case 'exited': {
      const code = result?.exitCode === undefined ? undefined : codeText(result.exitCode);
      if (level !== undefined && code !== undefined) {
        return level === 'network'
          ? l10n.t('Exit code {0} after {1} s, in the sandbox with network.', code, seconds)
          : l10n.t('Exit code {0} after {1} s, in the sandbox.', code, seconds);
      }
      if (result?.via === 'process') {
        return code === undefined
          ? l10n.t('Ended without an exit code after {0} s (ran without a terminal).', seconds)
          : l10n.t('Exit code {0} after {1} s (ran without a terminal).', code, seconds);
      }
      return code === undefined
        ? l10n.t('Ended without an exit code after {0} s.', seconds)
        : l10n.t('Exit code {0} after {1} s.', code, seconds);
    }
  }
}
