import path from 'node:path';
import * as vscode from 'vscode';
import type { CallPrice, Tool } from '../../agent/tool.ts';
import { systemClock } from '../../base/clock.ts';
import { environmentPerConversation, type TurnEnvironment } from '../../chat/environments.ts';
import { watchOutsideChanges } from '../../chat/meanwhile/outside-changes.ts';
import { createTurnRunner, type TurnRunner, type TurnRunnerDeps } from '../../chat/run-turn.ts';
import { createTurnContext, type TurnContext, type TurnContextDeps } from '../../chat/turn-context.ts';
import type { ChatWindow } from '../../chat/window.ts';
import { createPlans, type Plans } from '../../conversation/store/plans.ts';
import { unsavedPlan } from '../../features/plan/vscode/plan-documents.ts';
import { type CommentStore, createCommentStore } from '../../features/review-comments/core/comment-store.ts';
import { createSubagents, type Subagents } from '../../features/subagents/core/subagents.ts';
import type { Files, Search, Workspace } from '../../files/workspace.ts';
import {
  createCommentTools,
  createPlanTools,
  createSkillTools,
  createSubagentTools,
  createWindowTools,
  toolDialect,
  withoutLanguage,
} from '../../tools/all-tools.ts';
import { type CommandPorts, createCommandPorts } from '../../tools/command/command-ports.ts';
import { shellName } from '../../tools/command/process-shell.ts';
import { runName } from '../../tools/command/shell.ts';
import { createEditChecks } from '../../tools/edit-checks.ts';
import { createExternalTools, type ExternalTools } from '../../tools/external-tools.ts';
import type { Git } from '../../tools/git/git.ts';
import type { Language } from '../../tools/language/language.ts';
import type { Service } from '../account/create-service.ts';
import { createReview, type Review } from '../edits/create-review.ts';
import { setContextKey } from '../host/context-keys.ts';
import type { Register } from '../host/disposable-store.ts';
import { type Customizations, createCustomizations } from '../workspace/customizations-adapter.ts';
import { createGit } from '../workspace/git-adapter.ts';
import { createLanguage } from '../workspace/language-adapter.ts';
import { createLmTools } from '../workspace/lm-tools-adapter.ts';
import { createEditorReach } from '../workspace/reach-adapter.ts';
import { createSearch } from '../workspace/search-adapter.ts';
import { createShell, type TerminalShell } from '../workspace/shell-adapter.ts';
import { createWeb } from '../workspace/web-adapter.ts';
import { createWorkspace } from '../workspace/workspace-adapter.ts';
import { createWorktreePlaces, type WorktreePlace, type WorktreePlaces } from '../workspace/worktree-places.ts';

export interface Tools {
  review: Review;
  customizations: Customizations;
  external: ExternalTools;
  ports: { workspace: Workspace; files: Files; search: Search; language: Language; git: Git };
  showTerminal(call: { turnId: string; callId: string }): Promise<void>;
  commands: CommandPorts<TerminalShell>;
  readTools: readonly Tool[];
  turnContext: Pick<TurnContext, 'toSent' | 'overhead'>;
  turns: TurnRunner;
  worktrees: WorktreePlaces;
  plans: Plans;
  comments: CommentStore;
  subagentPrice(): CallPrice;
}

type EnvironmentDeps = Pick<TurnContextDeps, 'workspace' | 'windowTools' | 'external'> & Pick<TurnRunnerDeps, 'checks'>;

export function worktreesDir({ globalStorageUri }: vscode.ExtensionContext): string {
  return vscode.Uri.joinPath(globalStorageUri, 'worktrees').fsPath;
}

export async function createTools(service: Service, register: Register, window: ChatWindow): Promise<Tools> {
  const { context, settings, learned, estimator, log } = service;
  const { workspace, files } = createWorkspace();
  const regexThread = vscode.Uri.joinPath(context.extensionUri, 'dist', 'regex-thread.js').fsPath;
  const search = createSearch({
    workspace,
    files,
    regexThread,
    ripgrepPath: settings.ripgrepPath,
    log: log.info,
  });
  const language = register(createLanguage({ workspace, clock: systemClock }));
  const git = createGit();
  const ports = { workspace, files, search, language, git, settings };
  const customizations = register(
    createCustomizations({
      ...ports,
      regexThread,
      memento: context.workspaceState,
      editorFolder: vscode.Uri.joinPath(context.globalStorageUri, '..', '..', 'prompts').fsPath,
      onError: (error) => log.error('The instruction files could not be read', error),
    }),
  );
  const worktrees = createWorktreePlaces({
    dir: worktreesDir(context),
    worktreeOf: (id) => window.live.get(id)?.state().worktree,
    conversationIds: () => window.live.keys(),
    regexThread,
    ripgrepPath: settings.ripgrepPath,
    log: log.info,
  });
  const review = register(await openReview(service, { workspace, files, search, worktrees }, window));
  const commands = register(
    createCommandPorts({
      ...{ workspace, files, worktrees, settings, log },
      dir: context.globalStorageUri.fsPath,
      // The folder of this extension's data lies in that of the editor's user.
      editorData: [vscode.Uri.joinPath(context.globalStorageUri, '..', '..').fsPath],
      network: {
        keeperFile: context.asAbsolutePath(path.join('dist', 'namespace-keeper.js')),
        reach: createEditorReach(),
      },
      createShell: (sandbox) => register(createShell({ clock: systemClock, log: log.info, sandbox })),
      protection: review.protection,
      isStored: async (id) => worktrees.of(id) !== undefined || window.live.has(id) || (await window.store.has(id)),
    }),
  );
  const lmTools = createLmTools();
  const comments = createCommentStore(context.workspaceState.get('svc.comments'), (stored) => {
    void context.workspaceState.update('svc.comments', stored);
    // The shim reads this after a reload, to know that there is something to show.
    void context.workspaceState.update('svc.hasComments', stored.comments.length > 0 || undefined);
  });
  const plans = createPlans({ dir: context.globalStorageUri.fsPath, unsaved: unsavedPlan });
  const web = createWeb();
  const windowTools = createWindowTools({ ...ports, ...commands.ports, web });
  const subagents = openSubagents(service, customizations);
  const watch = watchOutsideChanges({
    roots: (id) => (worktrees.of(id) ?? ports).workspace.roots(),
    isTrusted: workspace.isTrusted,
    // A folder that cannot be checked is not gone.
    exists: (root) =>
      files.stat({ root, path: '' }).then(
        (stat) => stat !== undefined,
        () => true,
      ),
    processes: (id) => commands.processes.list(id).map((process) => process.id),
  });
  const openEnvironment = (place: EnvironmentDeps): TurnEnvironment => {
    const turnContext = createTurnContext({
      ...place,
      isRepository: git.isRepository,
      settings,
      editToolsFor: (id, others) => [
        ...review.toolsFor(id, others),
        ...createPlanTools({ write: (text) => plans.write(id, text) }),
        ...createSkillTools({ skills: customizations.skills, subagents }),
        ...createCommentTools({ answer: (comment, text) => comments.answer(id, comment, text) }),
        ...createSubagentTools(subagents),
      ],
      isSandboxed: commands.isSandboxed,
      steering: customizations,
      learned,
      machine: () => `${systems[process.platform] ?? process.platform}, ${shellName(vscode.env.shell) || 'sh'}`,
      today: () => new Date().toISOString().slice(0, 10),
    });
    const turns = createTurnRunner({
      turnContext,
      refreshRules: customizations.refresh,
      edits: review,
      outsideChanges: watch,
      commands,
      subagents,
      size: (request) => estimator.prompt(request).tokens,
      settings,
      checks: place.checks,
      clock: systemClock,
      log: log.info,
    });
    return { turnContext, turns };
  };
  const here = openEnvironment({
    workspace,
    windowTools,
    external: createExternalTools({
      workspace,
      external: lmTools,
      picked: (id) => window.live.get(id)?.state().pickedTools ?? settings.externalTools(),
      loadAbove: settings.loadToolsAbove,
      keepImage: service.images.add,
      outputs: commands.ports.outputs,
    }),
    checks: () => (settings.verifyAfterEdits() ? createEditChecks({ workspace, language }) : undefined),
  });
  const elsewhere = new WeakMap<WorktreePlace, TurnEnvironment>();
  const environmentOf = (id: string): TurnEnvironment | undefined => {
    const place = worktrees.of(id);
    if (place === undefined) return undefined;
    const known = elsewhere.get(place);
    if (known !== undefined) return known;
    const ours = createWindowTools({ ...ports, ...place, ...commands.portsIn(place), web });
    // Tools of other extensions, and the language features, work in the folders of the window.
    const opened = openEnvironment({
      workspace: place.workspace,
      windowTools: withoutLanguage(ours),
      external: () => [],
      checks: () => undefined,
    });
    elsewhere.set(place, opened);
    return opened;
  };
  return {
    review,
    customizations,
    external: lmTools,
    ports,
    showTerminal: async (call) => commands.shell.show(runName(call)),
    commands,
    readTools: windowTools.filter(({ access }) => access === 'read'),
    ...environmentPerConversation(here, environmentOf),
    worktrees,
    plans,
    comments,
    subagentPrice: subagents.price,
  };
}

function openSubagents({ settings, models, estimator, log }: Service, { askedAgents }: Customizations): Subagents {
  return createSubagents({
    agents: askedAgents,
    modelIds: models.ids,
    maxMicroUsd: () => Math.round(settings.subagentMaxUsd() * 1e6),
    model: settings.model,
    confirmAboveMicroUsd: () => {
      const usd = settings.limits().confirmAboveUsd;
      return usd === undefined ? undefined : usd * 1e6;
    },
    estimator,
    dialect: toolDialect,
    clock: systemClock,
    log: log.info,
  });
}

function openReview(
  { context, settings, log }: Service,
  {
    workspace,
    files,
    search,
    worktrees,
  }: Pick<Tools['ports'], 'workspace' | 'files' | 'search'> & Pick<Tools, 'worktrees'>,
  { stateOf, conversationAtHand, titleOf }: ChatWindow,
): Promise<Review> {
  const keptIn = (name: string) => context.storageUri && vscode.Uri.joinPath(context.storageUri, name).fsPath;
  const [pending, proposals, outcomes] = ['undecided-edits.json', 'proposals.json', 'edit-outcomes.json'].map(keptIn);
  return createReview({
    workspace,
    files,
    search,
    worktrees,
    settings,
    globalDir: context.globalStorageUri.fsPath,
    textThread: vscode.Uri.joinPath(context.extensionUri, 'dist', 'text-thread.js').fsPath,
    ...(pending && proposals && outcomes && { kept: { pending, proposals, outcomes } }),
    setContext(key, value) {
      setContextKey(key, value);
      // The shim reads this after a reload, to know that there is something to show before anything is used.
      if (key === 'svc.hasUndecidedEdits') void context.workspaceState.update(key, value || undefined);
    },
    state: stateOf,
    conversationAtHand,
    titleOf,
    log,
  });
}

const systems: Readonly<Partial<Record<NodeJS.Platform, string>>> = {
  darwin: 'macOS',
  linux: 'Linux',
  win32: 'Windows',
};
