import { randomUUID } from 'node:crypto';
import { homedir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { type Tool, ToolError } from '../../../agent/tool.ts';
import { readRegular } from '../../../base/read-regular.ts';
import type { ChatRequest } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import { formatMicroUsd } from '../../../shared/money.ts';
import { type Estimator, requestMicroUsd } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import { sumCost } from '../../../spend/price.ts';
import type { Git } from '../../../tools/git/git.ts';
import type { CommandHandlers } from '../../../vscode/host/command-ids.ts';
import { setContextKey } from '../../../vscode/host/context-keys.ts';
import { showMessage, showWarning } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import type { GitRepository } from '../../../vscode/workspace/git-extension.ts';
import { changesOfRepository, pickTrustedRepository } from '../../../vscode/workspace/repository-changes.ts';
import { cleanCommitMessage, commitRequestMessages, isFilledTemplate, typedPrefix } from '../core/commit-message.ts';
import { type ReadingDeps, readFirst } from '../core/read-first.ts';
import { askToReplace } from './ask-to-replace.ts';

export interface CommitDeps {
  metered: CreateMetered;
  estimator: Pick<Estimator, 'prompt'>;
  git: Git;
  model(): string;
  request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
  nameOf(model: string): string;
  ensureReady(): Promise<boolean>;
  reading: CommitReading;
}

export interface CommitReading extends Pick<ReadingDeps, 'clock' | 'log'> {
  /** Returns none where no file may be read, or where the repository is not in the workspace. */
  tools(model: string, repository: vscode.Uri): readonly Tool[];
}

export type CommitCommands = Pick<CommandHandlers, 'svc.generateCommitMessage' | 'svc.stopCommitMessage'>;

/** The commands write into the message box only on the user's request, and they never commit. */
export function createCommitCommands(deps: CommitDeps): CommitCommands {
  let running: AbortController | undefined;
  /**
   * The key is the repository root. The message written last is kept with the text that the user had typed, so that
   * asking again replaces the message.
   */
  const written: Written = new Map();
  const generate = async (argument: unknown): Promise<void> => {
    if (running !== undefined) return;
    const repository = await pickTrustedRepository(argument);
    if (repository === undefined || !(await deps.ensureReady()) || running !== undefined) return;
    const abort = new AbortController();
    running = abort;
    setContextKey('svc.isGeneratingCommit', true);
    try {
      await vscode.window.withProgress({ location: vscode.ProgressLocation.SourceControl }, () =>
        generateInto({ ...deps, written, retry: () => void generate(argument) }, repository, abort.signal),
      );
    } finally {
      running = undefined;
      setContextKey('svc.isGeneratingCommit', false);
    }
  };
  return {
    'svc.generateCommitMessage': generate,
    'svc.stopCommitMessage': () => running?.abort(),
  };
}

type Written = Map<string, { message: string; prefix: string }>;

async function generateInto(
  { written, retry, ...deps }: CommitDeps & { written: Written; retry(): void },
  repository: GitRepository,
  signal: AbortSignal,
): Promise<void> {
  const box = repository.inputBox;
  const atStart = box.value;
  const last = written.get(repository.rootUri.toString());
  const typed = last?.message === atStart ? last.prefix : typedPrefix(atStart);
  const isTemplate = typed !== '' && isFilledTemplate(await templateOf(repository), typed);
  const [form, prefix] = isTemplate ? [typed, ''] : ['', typed];
  const staged = repository.state.indexChanges.length > 0;
  const changes = await changesIn(deps.git, repository, staged, signal);
  if (changes === undefined || signal.aborted) return;
  const recent = await repository.log({ maxEntries: 12 }).catch(() => []);
  const messages = commitRequestMessages({ changes, recent: recent.map(({ message }) => message), prefix, form });
  const client = deps.metered({ surface: 'commit' });
  const model = deps.model();
  const request: ChatRequest = { ...deps.request(), model, messages, surface: 'commit', expects };
  const tools = cutNote.test(changes) ? deps.reading.tools(model, repository.rootUri) : [];
  const price = formatMicroUsd(requestMicroUsd(deps.estimator, request), true, vscode.env.language);
  const telling = vscode.window.setStatusBarMessage(vscode.l10n.t('Writing a commit message · {0}', price));
  const asked = { request, turnId: randomUUID(), signal, onEvent: () => undefined };
  const result = await readFirst({ ...deps.reading, client, tools }, asked).finally(() => telling.dispose());
  if (result.outcome === 'stopped') return;
  if (result.outcome === 'failed') {
    // The message stays until it is answered; Stop must not stay with it.
    void showFailure(result.failure, { nameOf: deps.nameOf, retry });
    return;
  }
  const { text, evidence, damagedEvents, finish } = result.reply;
  // A message of which a part may be missing is not written.
  if (evidence === 'none' || damagedEvents > 0 || finish === 'length') {
    return showWarning(vscode.l10n.t('The answer was cut off, so no commit message was written. Try again.'));
  }
  const message = cleanCommitMessage(text, prefix);
  if (message === '') return showWarning(vscode.l10n.t('The model answered without a message. Try again.'));
  if (box.value === atStart) {
    box.value = message;
    written.set(repository.rootUri.toString(), { message, prefix: typed });
  } else if (!(await askToReplace(changedMeanwhile(message), message))) return;
  else box.value = message;
  showDone(sumCost(result.attempts), { staged, cut: cutNote.test(changes) });
}

/** VS Code puts Git's template into the box, so what stands there need not be typed. Resolves with an empty text without one. */
async function templateOf(repository: GitRepository): Promise<string> {
  const key = 'commit.template';
  const own = await repository.getConfig?.(key).catch(() => '');
  const file = own || (await repository.getGlobalConfig?.(key).catch(() => ''));
  if (!file) return '';
  const template = path.resolve(repository.rootUri.fsPath, file.trim().replace(/^~(?=\/)/, homedir()));
  return readRegular(template).then(String, () => '');
}

const expects = { of: 'commit', tokens: 60 };
const cutNote = /^\[\d+ more (?:files\]|new files\]|lines of )/m;

function showDone(cost: ReturnType<typeof sumCost>, { staged, cut }: { staged: boolean; cut: boolean }): void {
  const price = chargeWords(cost, vscode.env.language);
  const done = staged
    ? vscode.l10n.t('Commit message written from what is staged · {0}', price)
    : vscode.l10n.t('Nothing is staged: commit message written from all changes · {0}', price);
  void vscode.window.setStatusBarMessage(done, 10_000);
  if (!cut) return;
  showMessage(vscode.l10n.t('The changes are long, so the message is based on the file list and parts of the diff.'));
}

const changedMeanwhile = (message: string) =>
  vscode.l10n.t('The commit message changed while a new one was being written. Replace it with: {0}', message);

async function changesIn(
  git: Git,
  repository: GitRepository,
  staged: boolean,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    const { text, count } = await changesOfRepository(git, repository, staged, signal);
    if (count > 0) return text;
    showMessage(vscode.l10n.t('There are no changes to write a commit message for.'));
  } catch (error) {
    if (signal.aborted) return undefined;
    if (!(error instanceof ToolError)) throw error;
    void vscode.window.showErrorMessage(error.message);
  }
  return undefined;
}
