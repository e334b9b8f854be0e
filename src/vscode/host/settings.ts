import path from 'node:path';
import * as vscode from 'vscode';
import type { AutoApproveRule } from '../../agent/consent.ts';
import type { EditMode } from '../../edits/apply/edit-ports.ts';
import { type Severity, severities } from '../../features/review-comments/core/findings.ts';
import { normaliseBaseUrl } from '../../service/base-url.ts';
import { type ChatMode, chatModes } from '../../shared/approval.ts';
import { type SandboxMode, sandboxModes } from '../../tools/command/execution-target.ts';
import { createUserValues, section } from './user-values.ts';

/** The only place that reads `svc.*` settings, but for those of the shim. Values are read when asked for, so a change needs no restart. */
export interface Settings {
  baseUrl(): ReturnType<typeof normaliseBaseUrl>;
  dashboardUrl(): string;
  supportEmail(): string;
  model(): string;
  /** In the workspace's settings when they have one, else in the user's. */
  setModel(id: string): Thenable<void>;
  fallback(): { enabled: boolean; order: readonly string[] };
  /** Only what the user set. */
  request(): RequestSettings;
  maxSteps(): number;
  limits(): { dailyLimitUsd?: number; conversationLimitUsd?: number; confirmAboveUsd?: number };
  /** Most tokens of a request; when unset, the learned limit counts. */
  contextTokens(): number | undefined;
  /** `svc.models.limits`: what a request to this model may carry, as the user said. */
  modelContextTokens(model: string): number | undefined;
  editMode(): EditMode;
  protectedFiles(): readonly string[];
  /** Kinds of reads that need not be asked about. */
  autoApprove(): readonly AutoApproveRule[];
  /** Tools of others for conversations in which none were picked. */
  foreignTools(): readonly string[];
  /** With more tokens of their definitions than this, only their names are sent. */
  loadToolsAbove(): number;
  sendKey(): 'enter' | 'ctrlEnter';
  whileBusy(): 'queue' | 'nextStep';
  /** Whether a message tells of what ends or asks out of sight; `always`: also of ends in sight. */
  onCompletion(): 'never' | 'unseen' | 'always';
  /** With the scope `application`: a workspace must not let the model do more. */
  chatMode(): ChatMode;
  /** New problems after edits are told to the model with their results. */
  verifyAfterEdits(): boolean;
  codeActions(): boolean;
  /** The edit at the cursor is seen while it is written. */
  inlineEditStream(): boolean;
  /** An inline edit may be told of other files than those that the user adds. */
  inlineEditReadFiles(): boolean;
  /** Empty: the quickest. */
  completionModel(): string;
  /** One review ends before it costs more. */
  reviewMaxUsd(): number;
  /** One subagent ends before it costs more. */
  subagentMaxUsd(): number;
  /** Milder findings are left out. */
  reviewMinSeverity(): Severity;
  statusBarContent(): 'model' | 'modelAndSpend' | 'hidden';
  /** Undefined: conversations are kept for ever. */
  retentionDays(): number | undefined;
  ripgrepPath(): string;
  /** Exact command lines with their folder that may run unasked. */
  allowedCommands: { isAllowed(remembered: string): boolean; remember(remembered: string): void };
  /** With the scope `application`: only the user decides which commands run unasked. */
  sandbox: {
    mode(): SandboxMode;
    choose(mode: SandboxMode): Promise<void>;
    /** Absolute folders. */
    readable(): readonly string[];
    writable(): readonly string[];
  };
  onDidChange: vscode.Event<vscode.ConfigurationChangeEvent>;
}

export interface RequestSettings {
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stop?: readonly string[];
}

const completionNotices = ['never', 'unseen', 'always'] as const;

export function createSettings(): Settings & vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.ConfigurationChangeEvent>();
  const { readUserValue, readUserOrDefault, forget } = createUserValues();
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    forget();
    if (event.affectsConfiguration(section) || event.affectsConfiguration('http')) changed.fire(event);
  });
  const read = <T>(key: string): T | undefined => vscode.workspace.getConfiguration(section).get<T>(key) ?? undefined;
  return {
    baseUrl: () => normaliseBaseUrl(readUserValue<string>('baseUrl')?.trim() ?? ''),
    dashboardUrl: () => readUserValue<string>('dashboardUrl')?.trim() ?? '',
    supportEmail: () => readUserValue<string>('supportEmail')?.trim() ?? '',
    model: () => read<string>('model')?.trim() ?? '',
    setModel: (id) => {
      const target = vscode.workspace.getConfiguration(section).inspect('model')?.workspaceValue
        ? vscode.ConfigurationTarget.Workspace
        : vscode.ConfigurationTarget.Global;
      return vscode.workspace.getConfiguration(section).update('model', id, target);
    },
    fallback: () => ({
      enabled: read<boolean>('fallback.enabled') ?? true,
      order: read<string[]>('fallback.models') ?? [],
    }),
    request: () => readRequest(read, readUserValue),
    maxSteps: () => readUserValue<number>('tools.maxSteps') ?? 50,
    limits: () => ({
      dailyLimitUsd: readUserValue<number>('spend.dailyLimitUsd'),
      conversationLimitUsd: readUserValue<number>('spend.conversationLimitUsd'),
      confirmAboveUsd: readUserOrDefault<number>('spend.confirmAboveUsd'),
    }),
    contextTokens: () => readUserValue<number>('context.maxTokens'),
    modelContextTokens: (model) => {
      const context = readUserValue<Record<string, { context?: unknown }>>('models.limits')?.[model]?.context;
      return typeof context === 'number' ? context : undefined;
    },
    editMode: () => readUserValue<EditMode>('edits.mode') ?? 'ask',
    protectedFiles: () => readUserValue<string[]>('edits.protectedFiles') ?? [],
    autoApprove: () => readUserValue<AutoApproveRule[]>('tools.autoApprove') ?? [],
    foreignTools: () => readUserValue<string[]>('tools.foreign') ?? [],
    loadToolsAbove: () => readUserValue<number>('tools.loadAbove') ?? 2000,
    chatMode: () => chatModes.find((mode) => mode === readUserValue<string>('chat.mode')) ?? 'agent',
    sendKey: () => (read<string>('chat.sendKey') === 'ctrlEnter' ? 'ctrlEnter' : 'enter'),
    whileBusy: () => (read<string>('chat.whileBusy') === 'nextStep' ? 'nextStep' : 'queue'),
    onCompletion: () => completionNotices.find((how) => how === read<string>('notifications.onCompletion')) ?? 'unseen',
    verifyAfterEdits: () => read<boolean>('verify.afterEdits') ?? true,
    codeActions: () => read<boolean>('codeActions.enabled') ?? true,
    inlineEditStream: () => read<boolean>('inlineEdit.stream') ?? false,
    inlineEditReadFiles: () => read<string>('inlineEdit.readFiles') !== 'never',
    completionModel: () => read<string>('completion.model')?.trim() ?? '',
    subagentMaxUsd: () => readUserOrDefault<number>('subagents.maxUsd') ?? 0.02,
    reviewMaxUsd: () => readUserOrDefault<number>('review.maxUsd') ?? 0.03,
    reviewMinSeverity: () => severities.find((one) => one === read<string>('review.minSeverity')) ?? 'note',
    statusBarContent: () => read<'model' | 'modelAndSpend' | 'hidden'>('statusBar.content') ?? 'modelAndSpend',
    retentionDays: () => readUserValue<number>('history.retentionDays'),
    ripgrepPath: () => readUserValue<string>('search.ripgrepPath')?.trim() ?? '',
    allowedCommands: {
      isAllowed: (remembered) => readUserValue<string[]>('tools.allowedCommands')?.includes(remembered) ?? false,
      remember: (remembered) => {
        const allowed = readUserValue<string[]>('tools.allowedCommands') ?? [];
        if (allowed.includes(remembered)) return;
        void vscode.workspace
          .getConfiguration(section)
          .update('tools.allowedCommands', [...allowed, remembered], vscode.ConfigurationTarget.Global);
      },
    },
    sandbox: {
      mode: () => sandboxModes.find((mode) => mode === readUserValue<string>('tools.sandbox.mode')) ?? 'ask',
      choose: async (mode) =>
        vscode.workspace
          .getConfiguration(section)
          .update('tools.sandbox.mode', mode, vscode.ConfigurationTarget.Global),
      readable: () => absolute(readUserValue<string[]>('tools.sandbox.readable')),
      writable: () => absolute(readUserValue<string[]>('tools.sandbox.writable')),
    },
    onDidChange: changed.event,
    dispose: () => {
      subscription.dispose();
      changed.dispose();
    },
  };
}

function absolute(folders: readonly string[] | undefined): string[] {
  return (folders ?? []).filter((folder) => typeof folder === 'string' && path.isAbsolute(folder) && folder !== '/');
}

type Read = <T>(key: string) => T | undefined;

function readRequest(read: Read, readUserValue: Read): RequestSettings {
  const stop = read<string[]>('request.stop');
  return {
    maxTokens: readUserValue<number>('request.maxTokens'),
    temperature: read<number>('request.temperature'),
    topP: read<number>('request.topP'),
    seed: read<number>('request.seed'),
    stop: stop && stop.length > 0 ? stop : undefined,
  };
}

export async function openSetting(key: string): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openSettings', `@id:${section}.${key}`);
}
