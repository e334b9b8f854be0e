import * as vscode from 'vscode';
import { explainCommandPrompt, fixTestPrompt } from '../../features/inline/core/prompts.ts';
import { describeTestFailure, type TestFailure } from '../../features/inline/core/test-failure.ts';
import type { Attachment } from '../../shared/messages.ts';
import { cutAttachment } from '../composer/attachments.ts';
import { NothingToAttach, type PickedImage, type ReadContext } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { copiedFromTerminal } from '../workspace/terminal-clipboard.ts';
import { type AskAboutDeps, askAbout, type Collected, readEach } from './ask-about.ts';

export interface OutputCommandDeps extends AskAboutDeps {
  read: ReadContext;
  knowsTerminal(terminal: vscode.Terminal): boolean;
}

export function createOutputCommands(
  deps: OutputCommandDeps,
): Pick<CommandHandlers, 'svc.explainTerminal' | 'svc.fixTestFailure'> {
  return {
    'svc.explainTerminal': () =>
      askAbout(deps, explainCommandPrompt, () => readEach([vscode.window.activeTerminal], lastCommand(deps))),
    'svc.fixTestFailure': (argument) => askAbout(deps, fixTestPrompt, () => failureIn(deps, argument)),
  };
}

/** Reads the active terminal and no other; where the shell does not report its commands, the screen is read. */
const lastCommand =
  ({ read, knowsTerminal }: OutputCommandDeps) =>
  (terminal: vscode.Terminal | undefined): Promise<Attachment | PickedImage | undefined> =>
    terminal === undefined || knowsTerminal(terminal)
      ? read({ kind: 'terminal' })
      : attachmentOfTerminal(terminal.name);

async function failureIn({ read }: OutputCommandDeps, argument: unknown): Promise<Collected> {
  if (!vscode.workspace.isTrusted) {
    throw new NothingToAttach(
      vscode.l10n.t('This folder is in Restricted Mode, so its tests are not read. Trust it first.'),
    );
  }
  const test = testIn(argument);
  if (test === undefined) {
    throw new NothingToAttach(vscode.l10n.t('Choose Fix Failing Test from the menu of a failed test or its message.'));
  }
  const { failure, uri, range } = test;
  if (!saysSomething(failure) && !(await agreesToAskWithout(failure.label))) return [];
  const label = vscode.l10n.t('Failure of {0}', failure.label);
  const report = cutAttachment('problems', label, describeTestFailure(failure));
  if (uri === undefined) return [report];
  const lines = range && { startLine: range.start.line + 1, endLine: range.end.line + 1 };
  const code = await read({ kind: 'file', uri: uri.toString(), ...lines });
  return code === undefined ? [] : [report, code];
}

function saysSomething({ message, expected, actual, stack }: TestFailure): boolean {
  return message.trim() !== '' || expected !== undefined || actual !== undefined || stack.length > 0;
}

/** The menu of a test passes only the test, and no stable API gives its results. */
async function agreesToAskWithout(label: string): Promise<boolean> {
  const ask = vscode.l10n.t('Ask Anyway');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'svc can\'t see what "{0}" reported. Open its failure in the Test Results view and choose Fix Failing Test there. Otherwise, the model has to run the test first.',
      label,
    ),
    ask,
  );
  return answer === ask;
}

interface FailedTest {
  failure: TestFailure;
  uri?: vscode.Uri;
  range?: vscode.Range;
}

/** Accepts `{ test, message }` from a message's menu or a test from its own. Anybody may pass arguments. */
function testIn(argument: unknown): FailedTest | undefined {
  const given = recordOf(argument);
  const test = recordOf(given?.test) ?? given;
  const message = recordOf(given?.message);
  if (test === undefined || typeof test.label !== 'string') return undefined;
  const uri = test.uri instanceof vscode.Uri ? test.uri : undefined;
  const range = test.range instanceof vscode.Range ? test.range : undefined;
  const location = message?.location instanceof vscode.Location ? message.location : undefined;
  const at = location ?? (uri && range && { uri, range });
  const failure: TestFailure = {
    label: test.label,
    ...(at && { path: vscode.workspace.asRelativePath(at.uri), line: at.range.start.line + 1 }),
    message: textOf(message?.message),
    ...(typeof message?.expectedOutput === 'string' && { expected: message.expectedOutput }),
    ...(typeof message?.actualOutput === 'string' && { actual: message.actualOutput }),
    stack: Array.isArray(message?.stackTrace) ? message.stackTrace.flatMap(frameOf).slice(0, 20) : [],
  };
  return { failure, uri, range };
}

function frameOf(frame: unknown): string[] {
  const { label, uri, position } = recordOf(frame) ?? {};
  if (typeof label !== 'string') return [];
  if (!(uri instanceof vscode.Uri)) return [label];
  const line = position instanceof vscode.Position ? `:${position.line + 1}` : '';
  return [`${label} (${vscode.workspace.asRelativePath(uri)}${line})`];
}

function textOf(message: unknown): string {
  if (typeof message === 'string') return message;
  const { value } = recordOf(message) ?? {};
  return typeof value === 'string' ? value : '';
}

function recordOf(value: unknown): Record<string, unknown> | undefined {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

const maxLines = 200;
const maxLineLength = 500;

const copyCommands = [
  // Known to the editor when the shell marks its commands, also those from before we were there.
  ['workbench.action.terminal.copyLastCommandAndLastCommandOutput'],
  [
    'workbench.action.terminal.selectAll',
    'workbench.action.terminal.copySelection',
    'workbench.action.terminal.clearSelection',
  ],
];

/**
 * Reads the end of the active terminal from its screen, for shells that do not report their commands. Undefined when
 * the user does not want their clipboard used.
 */
export async function attachmentOfTerminal(name: string): Promise<Attachment | undefined> {
  const text = await copiedFromTerminal(copyCommands);
  if (text === undefined) return undefined;
  const lines = text.trimEnd().split(/\r?\n/);
  if (text.trim() === '') throw new NothingToAttach(vscode.l10n.t('The active terminal is empty.'));
  const shown = lines
    .slice(-maxLines)
    .map((line) => (line.length > maxLineLength ? `${line.slice(0, maxLineLength).toWellFormed()}…` : line.trimEnd()));
  const omitted = lines.length - shown.length;
  const head = omitted > 0 ? [vscode.l10n.t('[{0} earlier lines omitted]', omitted)] : [];
  return cutAttachment('terminal', vscode.l10n.t('Terminal {0}', name).trim(), [...head, ...shown].join('\n'));
}
