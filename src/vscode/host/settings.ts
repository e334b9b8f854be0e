import path from 'node:path';
import * as vscode from 'vscode';
import type { AutoApproveRule } from '../../agent/consent.ts';
import type { EditMode } from '../../edits/apply/edit-ports.ts';
import { type Severity, severities } from '../../features/review-comments/core/findings.ts';
import { normaliseBaseUrl } from '../../service/base-url.ts';
import { type ChatMode, chatModes } from '../../shared/approval.ts';
import { type SandboxMode, sandboxModes } from '../../tools/command/execution-target.ts';
import { createUserValues, section } from './user-values.ts';

/** Only this module and the shim read `svc.*` settings, whenever asked for, so a change needs no restart. */
export interface Settings {
  baseUrl(): ReturnType<typeof normaliseBaseUrl>;
  dashboardUrl(): string;
  supportEmail(): string;
  model(): string;
  setModel(id: string): Thenable<void>;
  fallback(): { enabled: boolean; order: readonly string[] };
  request(): RequestSettings;
  maxSteps(): number;
  limits(): { dailyLimitUsd?: number; conversationLimitUsd?: number; confirmAboveUsd?: number };
  contextTokens(): number | undefined;
  modelContextTokens(model: string): number | undefined;
  compactsWhenCheaper(): boolean;
  compactWhenCheaper(on: boolean): Thenable<void>;
  editMode(): EditMode;
  protectedFiles(): readonly string[];
  autoApprove(): readonly AutoApproveRule[];
  externalTools(): readonly string[];
  loadToolsAbove(): number;
  sendKey(): 'enter' | 'ctrlEnter';
  whileBusy(): 'queue' | 'nextStep';
  onCompletion(): 'never' | 'unseen' | 'always';
  /** The setting has the scope `application`, because a workspace must not let the model do more. */
  chatMode(): ChatMode;
  verifyAfterEdits(): boolean;
  codeActions(): boolean;
  inlineEditStream(): boolean;
  inlineEditReadFiles(): boolean;
  completionModel(): string;
  reviewMaxUsd(): number;
  subagentMaxUsd(): number;
  reviewMinSeverity(): Severity;
  reviewBase(): ReviewBase;
  setReviewBase(base: ReviewBase): Thenable<void>;
  statusBarContent(): 'model' | 'modelAndSpend' | 'hidden';
  retentionDays(): number | undefined;
  ripgrepPath(): string;
  allowedCommands: { isAllowed(remembered: string): boolean; remember(remembered: string): void };
  /** The setting has the scope `application`, because only the user decides which commands run unasked. */
  sandbox: {
    mode(): SandboxMode;
    choose(mode: SandboxMode): Promise<void>;
    readable(): readonly string[];
    writable(): readonly string[];
  };
  /** Returns VS Code's variables of a page with the fonts that the user set for chats, empty where none is set. */
  chatFonts(): Record<string, string>;
  onDidChange: vscode.Event<vscode.ConfigurationChangeEvent>;
}

export interface RequestSettings {
  maxTokens?: number;
  temperature?: number;
  topP?: number;
  seed?: number;
  stop?: readonly string[];
}

export type ReviewBase = 'head' | 'index';

const completionNotices = ['never', 'unseen', 'always'] as const;

export function createSettings(): Settings & vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.ConfigurationChangeEvent>();
  const { readUserValue, readUserOrDefault, forget } = createUserValues();
  const subscription = vscode.workspace.onDidChangeConfiguration((event) => {
    forget();
    if ([section, 'http', 'chat'].some((each) => event.affectsConfiguration(each))) changed.fire(event);
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
    compactsWhenCheaper: () => readUserValue<boolean>('context.compactWhenCheaper') ?? false,
    compactWhenCheaper: (on) =>
      vscode.workspace
        .getConfiguration(section)
        .update('context.compactWhenCheaper', on || undefined, vscode.ConfigurationTarget.Global),
    editMode: () => readUserValue<EditMode>('edits.mode') ?? 'ask',
    protectedFiles: () => readUserValue<string[]>('edits.protectedFiles') ?? [],
    autoApprove: () => readUserValue<AutoApproveRule[]>('tools.autoApprove') ?? [],
    externalTools: () => readUserValue<string[]>('tools.foreign') ?? [],
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
    reviewBase: () => (read<string>('review.base') === 'index' ? 'index' : 'head'),
    setReviewBase: (base) =>
      vscode.workspace.getConfiguration(section).update('review.base', base, vscode.ConfigurationTarget.Global),
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
    chatFonts: () => Object.fromEntries(Object.entries(fontSettings).map(([name, key]) => [name, fontOf(key)])),
    onDidChange: changed.event,
    dispose: () => {
      subscription.dispose();
      changed.dispose();
    },
  };
}

const fontSettings = {
  '--vscode-font-family': 'fontFamily',
  '--vscode-font-size': 'fontSize',
  '--vscode-editor-font-family': 'editor.fontFamily',
  '--vscode-editor-font-size': 'editor.fontSize',
  '--vscode-editor-font-weight': 'editor.fontWeight',
};

function fontOf(key: string): string {
  const { globalValue, workspaceValue = globalValue } = vscode.workspace.getConfiguration('chat').inspect(key) ?? {};
  if (typeof workspaceValue === 'number') return `${workspaceValue}px`;
  return typeof workspaceValue === 'string' && workspaceValue !== 'default' ? workspaceValue : '';
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
