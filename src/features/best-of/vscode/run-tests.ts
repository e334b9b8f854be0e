import { randomUUID } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import * as vscode from 'vscode';
import { systemClock } from '../../../base/clock.ts';
import { startDeadline } from '../../../base/deadline.ts';
import { untilAborted } from '../../../base/until-aborted.ts';
import type { CommandPorts } from '../../../tools/command/command-ports.ts';
import { createGrantQuestions } from '../../../tools/command/grant-questions.ts';
import { createHeadTail } from '../../../tools/command/head-tail.ts';
import { createTerminalText } from '../../../tools/command/terminal-text.ts';
import type { WorktreePlaces } from '../../../vscode/workspace/worktree-places.ts';
import type { Contest, ContestPorts } from '../core/contest.ts';
import { failedIn } from '../core/test-result.ts';

const longestMs = 15 * 60_000;
const kept = { head: 2000, tail: 20_000, shown: 1500 };

/** Runs the user's tests in the sandbox, each time with a home of its own. What they may reach is asked once for all of them. */
export function createTestRunner(
  { commands, worktrees }: { commands: Pick<CommandPorts, 'shell'>; worktrees: Pick<WorktreePlaces, 'lend'> },
  { repository, roots }: Contest,
): ContestPorts['test'] {
  const answers = new Map<string, Thenable<string | undefined>>();
  return async (folder, line, signal) => {
    const conversationId = randomUUID();
    const takeBack = worktrees.lend(conversationId, { folder, repository, roots: [...roots], files: 0 });
    const deadline = startDeadline(systemClock, longestMs, signal);
    const clean = createTerminalText();
    const output = createHeadTail(kept.head, kept.tail);
    const ask = ({ text, options }: { text: string; options: readonly string[] }, until?: AbortSignal) => {
      const [allow = '', refuse = ''] = options;
      // Not modal: the tests may end without an answer, and what is said later holds for the next run.
      const asked = answers.get(text) ?? vscode.window.showWarningMessage(`${line}: ${text}`, allow, refuse);
      answers.set(text, asked);
      return untilAborted(Promise.resolve(asked), until ?? deadline.signal);
    };
    const questions = createGrantQuestions({ ask }, line, { clock: systemClock, pauseTimeout: () => () => undefined });
    try {
      const { exitCode } = await commands.shell.run(
        {
          commandLine: line,
          cwd: await realpath(path.join(folder, roots[0]?.path ?? '')),
          run: `tests/${conversationId}`,
          sandbox: { level: 'on', conversationId },
        },
        { started: () => undefined, ask: questions.ask, output: (chunk) => output.push(clean(chunk)) },
        deadline.signal,
      );
      const text = output.text();
      const failed = failedIn(text);
      return { exitCode, failed, said: text.slice(-kept.shown) };
    } finally {
      deadline.close();
      takeBack();
    }
  };
}
