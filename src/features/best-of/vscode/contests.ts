import { existsSync } from 'node:fs';
import path from 'node:path';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { ToolError } from '../../../agent/tool.ts';
import type { OpenConversations } from '../../../chat/open-conversations.ts';
import type { ChatViewModel } from '../../../chat/view-model.ts';
import type { Conversation } from '../../../conversation/conversation.ts';
import type { ChatRequest } from '../../../service/contract.ts';
import { chargeWords } from '../../../shared/charge-words.ts';
import type { Estimator } from '../../../spend/estimate.ts';
import type { CreateMetered } from '../../../spend/metered-client.ts';
import { sumCost } from '../../../spend/price.ts';
import type { CommandPorts } from '../../../tools/command/command-ports.ts';
import { cancellable } from '../../../vscode/host/cancellable.ts';
import type { Pages } from '../../../vscode/host/pages.ts';
import { showMessage, showWarning } from '../../../vscode/host/show-message.ts';
import { showFailure } from '../../../vscode/reports/show-failure.ts';
import type { WorktreePlaces } from '../../../vscode/workspace/worktree-places.ts';
import type { WorktreeTasks } from '../../worktrees/vscode/create-worktrees.ts';
import {
  type Contest,
  type ContestPorts,
  createRunningContest,
  type Ended,
  type Entry,
  isDone,
} from '../core/contest.ts';
import type { ContestStore } from '../core/contest-store.ts';
import { contestMarkdown } from '../core/contest-words.ts';
import { endedOf } from '../core/figures.ts';
import type { ModelRecord } from '../core/model-record.ts';
import { letterOf, opinionMessages, opinionReply } from '../core/opinion.ts';
import { verdictOf } from '../core/test-result.ts';
import { askContest } from './ask-contest.ts';
import { seenNow } from './contest-section.ts';
import { createTestRunner } from './run-tests.ts';

export interface ContestsDeps {
  contests: ContestStore;
  conversations: OpenConversations;
  tasks: Pick<WorktreeTasks, 'prepared' | 'repositories' | 'removeAll'>;
  worktrees: WorktreePlaces;
  worktreesDir: string;
  commands: Pick<CommandPorts, 'shell' | 'ready' | 'isSandboxed'>;
  metered: CreateMetered;
  estimator: Estimator;
  left(conversationId: string): Promise<number>;
  request(): Omit<ChatRequest, 'model' | 'messages' | 'surface'>;
  model(): string;
  modelIds(): readonly string[];
  nameOf(model: string): string;
  ensureReady(): Promise<boolean>;
  setAgentMode(): Promise<void>;
  viewModel(): ChatViewModel;
  pages: Pick<Pages, 'showMarkdown'>;
  record: Pick<ModelRecord, 'tested'>;
  log: { error(line: string, error?: unknown): void };
}

const argumentSchema = z.object({
  task: z.optional(z.string()),
  contest: z.optional(z.string()),
  action: z.optional(z.string()),
});

/** Anybody may call the command: without a contest it begins one, with one it does what a button of its strip says. */
export async function runContestCommand(deps: ContestsDeps, argument: unknown): Promise<void> {
  const { data } = argumentSchema.safeParse(argument ?? {});
  try {
    const contest = data?.contest === undefined ? undefined : deps.contests.get(data.contest);
    if (contest === undefined) return await begin(deps, data?.task);
    const { action = '' } = data ?? {};
    if (Object.hasOwn(actions, action)) await actions[action]?.(deps, contest);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    showWarning(error.message);
  }
}

const actions: Readonly<Record<string, (deps: ContestsDeps, contest: Contest) => unknown>> = {
  goOn: async (deps, contest) => {
    if (await deps.ensureReady()) await run(deps, contest);
  },
  stop: ({ contests }, { id }) => contests.running.get(id)?.stop(),
  table: (deps, contest) =>
    deps.pages.showMarkdown(vscode.l10n.t('Several Models'), contestMarkdown(contest, seenNow(deps, contest))),
  compare,
  opinion,
  removeOthers,
  dismiss({ contests, viewModel }, contest) {
    if (contest.entries.every(({ conversationId }) => conversationId === undefined))
      viewModel().draft.append(contest.task);
    contests.remove(contest.id);
  },
};

async function begin(deps: ContestsDeps, task: string | undefined): Promise<void> {
  const viewModel = deps.viewModel();
  const contest = await askContest(deps, viewModel, task);
  if (contest === undefined) return;
  await deps.setAgentMode();
  await deps.contests.save(contest);
  // From here on the task is stored with it.
  const draft = viewModel.draft.text();
  if (draft.trim() !== '') {
    viewModel.draft.clear(draft);
    for (const { id } of contest.attachments) viewModel.draft.detach(id);
  }
  await run(deps, contest);
}

async function run(deps: ContestsDeps, contest: Contest): Promise<void> {
  const { contests, conversations } = deps;
  if (contests.running.has(contest.id)) return;
  const worktrees = await deps.tasks.prepared();
  await deps.commands.ready();
  const stopping = new AbortController();
  const shown = Promise.withResolvers<void>();
  const test = createTestRunner(deps, contest);
  const ports: ContestPorts = {
    dir: deps.worktreesDir,
    worktrees,
    test,
    changed: contests.changed,
    save: () => contests.save(contest),
    work: (entry, begins, signal) => {
      const begun = async (id: string) => {
        await begins(id);
        shown.resolve();
      };
      return work(deps, contest, { entry, begins: begun, signal });
    },
    async withoutTests({ said, exitCode }) {
      const go = vscode.l10n.t('Continue without Tests');
      const detail = said.trim().slice(-maxDetail) || String(exitCode);
      const text = vscode.l10n.t("The tests can't run: {0}", contest.test ?? '');
      return (await vscode.window.showWarningMessage(text, { modal: true, detail }, go)) === go;
    },
  };
  const running = createRunningContest(contest, ports);
  contests.running.set(contest.id, Object.assign(running, { stop: () => stopping.abort() }));
  contests.changed();
  const caps = contest.entries.reduce((sum, { capMicroUsd }) => sum + capMicroUsd, 0);
  const atOnce = (await deps.left('')) >= caps ? 2 : 1;
  const untested = contest.entries.filter(({ own }) => own === undefined);
  const done = running.run(stopping.signal, atOnce).finally(() => {
    for (const entry of untested) count(deps, contest, entry);
    contests.running.delete(contest.id);
    contests.changed();
    shown.resolve();
  });
  if (contest.test !== undefined && contest.base === undefined) void showBase(contest.test, shown.promise, stopping);
  await Promise.race([shown.promise, done]);
  const first = contest.entries.find(({ conversationId }) => conversationId !== undefined)?.conversationId;
  const here = deps.viewModel().conversation().id;
  if (first !== undefined && contests.at(here) !== contest) await deps.viewModel().open(first);
  await done;
  if (isDone(contest) || stopping.signal.aborted || conversations.all().length === 0) return;
  const problem = contest.entries.find((entry) => entry.problem)?.problem;
  if (problem !== undefined) showWarning(problem);
}

const maxDetail = 500;

function count({ record }: ContestsDeps, { base }: Contest, { model, own, held, ended }: Entry): void {
  const verdict = verdictOf(base, held ?? own);
  if (ended && ended.others.length === 0 && (verdict === 'green' || verdict === 'red'))
    record.tested(model, verdict === 'green', ended);
}

function showBase(line: string, until: Promise<void>, stopping: AbortController): Thenable<void> {
  const title = vscode.l10n.t('Testing before the task: {0}', line);
  const location = vscode.ProgressLocation.Notification;
  return vscode.window.withProgress({ location, title, cancellable: true }, (_progress, token) => {
    token.onCancellationRequested(() => stopping.abort());
    return until;
  });
}

interface Work {
  entry: Entry;
  begins(conversationId: string): Promise<void>;
  signal: AbortSignal;
}

async function work({ conversations }: ContestsDeps, contest: Contest, asked: Work): Promise<Ended> {
  const { entry, begins, signal } = asked;
  const { model, folder = '', capMicroUsd, conversationId } = entry;
  const known = conversationId === undefined ? undefined : await conversations.acquire(conversationId);
  const conversation = known ?? conversations.create();
  const stop = () => conversation.stop();
  signal.addEventListener('abort', stop, { once: true });
  try {
    if (known === undefined) {
      const { repository, roots, task, attachments } = contest;
      conversation.setBudget(capMicroUsd, { ...entry.run });
      conversation.setWorktree({ folder, repository, roots, files: 0, compared: true });
      await begins(conversation.id);
      await conversation.send({ text: task, attachments, model });
    } else await goOn(conversation, model);
    const ended = endedOf(conversation.state(), model);
    if (ended === undefined) throw new Error('The turn of a model has no end.');
    return ended;
  } finally {
    signal.removeEventListener('abort', stop);
    conversations.release(conversation);
  }
}

/** A window may have been closed after the end and before it was noted. */
async function goOn(conversation: Conversation, model: string): Promise<void> {
  if (endedOf(conversation.state(), model)?.outcome === 'finished') return;
  await conversation.continueTurn();
}

async function compare({ nameOf }: ContestsDeps, { entries }: Contest): Promise<void> {
  const there = entries.flatMap(({ model, folder, changes }) =>
    folder !== undefined && changes !== undefined && existsSync(folder)
      ? [{ name: nameOf(model), folder, changes }]
      : [],
  );
  const pairs = there.flatMap((one, at) =>
    there.slice(at + 1).map((other) => ({ label: `${one.name} ↔ ${other.name}`, one, other })),
  );
  const pair =
    pairs.length > 1 ? await vscode.window.showQuickPick(pairs, { placeHolder: vscode.l10n.t('Compare') }) : pairs[0];
  if (pair === undefined) {
    if (pairs.length === 0) showMessage(vscode.l10n.t('The worktrees of two models are needed.'));
    return;
  }
  const { one, other, label } = pair;
  const names = [...new Set([...one.changes.paths, ...other.changes.paths])].toSorted();
  if (names.length === 0) return showMessage(vscode.l10n.t('Nothing is changed in the worktree.'));
  const sides = names.map((name) => {
    const [left, right] = [one, other].map(({ folder }) => vscode.Uri.file(path.join(folder, name)));
    const isThere = (uri: vscode.Uri | undefined) => uri && (existsSync(uri.fsPath) ? uri : undefined);
    return [right, isThere(left), isThere(right)];
  });
  await vscode.commands.executeCommand('vscode.changes', label, sides);
}

/** Asks one model, which does not know whose change is which. Its word is shown as an opinion. */
async function opinion(deps: ContestsDeps, contest: Contest): Promise<void> {
  if (!(await deps.ensureReady())) return;
  const worktrees = await deps.tasks.prepared();
  const never = new AbortController().signal;
  const there = contest.entries.filter(({ folder }) => folder !== undefined && existsSync(folder));
  if (there.length < 2) return showMessage(vscode.l10n.t('The worktrees of two models are needed.'));
  const patches: string[] = [];
  for (const { folder = '' } of there) {
    const { tree } = await worktrees.inspect(folder, never);
    patches.push(Buffer.from(await worktrees.patch(folder, tree, never), 'latin1').toString());
  }
  const model = deps.model();
  const messages = opinionMessages(contest.task, patches);
  const request: ChatRequest = { ...deps.request(), model, messages, surface: 'side-by-side', expects: opinionReply };
  const title = vscode.l10n.t('Asking {0} which is better', deps.nameOf(model));
  const result = await cancellable(title, (signal) =>
    deps.metered({ surface: 'side-by-side' }).stream(request, () => undefined, signal),
  );
  if (result.outcome === 'stopped') return;
  if (result.outcome === 'failed') return void showFailure(result.failure, { nameOf: deps.nameOf, retry: undefined });
  const price = chargeWords(sumCost(result.attempts), vscode.env.language);
  const names = there.map((one, at) => `${letterOf(at)}: ${deps.nameOf(one.model)}`).join(' · ');
  const what = vscode.l10n.t('Opinion of {0}, without running tests. {1}', deps.nameOf(model), price);
  const page = [`# ${vscode.l10n.t('Which Is Better')}`, what, names, result.reply.text];
  await deps.pages.showMarkdown(vscode.l10n.t('Which Is Better'), page.join('\n\n'));
}

async function removeOthers({ conversations, tasks, viewModel }: ContestsDeps, { entries }: Contest): Promise<void> {
  const shown = viewModel().conversation().id;
  const others: Conversation[] = [];
  for (const { conversationId } of entries) {
    const one = conversationId === undefined ? undefined : await conversations.acquire(conversationId);
    if (one?.state().worktree !== undefined && one.id !== shown) others.push(one);
    else if (one !== undefined) conversations.release(one);
  }
  await tasks.removeAll(others);
  for (const one of others) conversations.release(one);
}
