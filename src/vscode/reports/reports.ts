import * as vscode from 'vscode';
import { onFirstUse } from '../../base/on-first-use.ts';
import type { CheckDeps } from '../../service/check/check.ts';
import type { Versions } from '../../service/check/report.ts';
import type { ChatRequest } from '../../service/contract.ts';
import type { CapacityBoard } from '../../service/step/capacity-board.ts';
import type { Learned } from '../../service/step/learned.ts';
import type { NextPrice } from '../../shared/panel/next-price.ts';
import type { ModelDirectory } from '../account/model-directory.ts';
import type { ChatSession } from '../chat/chat-session.ts';
import type { CommandId } from '../host/command-ids.ts';
import type { Pages } from '../host/pages.ts';

export interface ReportDeps {
  check: CheckDeps;
  learned: Learned;
  /** Of the view that had the focus last. */
  session(): ChatSession;
  pages: Pages;
  extensionVersion: string;
  supportEmail(): string;
  run(command: CommandId, ...args: unknown[]): Thenable<unknown>;
  models: Pick<ModelDirectory, 'models'>;
  board: CapacityBoard;
  /** The order in which models are tried; `isSet`: it is the user's own. */
  tryOrder(): { order: readonly string[]; isSet: boolean };
}

/** The pages that explain: what the service offers, what was found at the address, what support needs. */
export interface ReportPages {
  showCapabilities(): Promise<void>;
  showAccessibilityHelp(): Promise<void>;
  /** Free, sends no content. */
  checkService(): Promise<void>;
  /** Exactly what a request carried, as text to read. */
  showSent(request: ChatRequest | undefined): Promise<void>;
  /** The same of the request that Send would make now, with its price by part. */
  showNext(next: NextRequest): Promise<void>;
  /** About one turn, by default the last one; shown and put on the clipboard. */
  copyReport(turnId?: string): Promise<void>;
  /** What this machine has seen and learned of each model. */
  showModels(): Promise<void>;
  /** Puts a report on the clipboard, shows it, and offers to send it to support. Resolves when it is shown. */
  share(report: string): Promise<void>;
}

export interface Reports extends ReportPages {
  versions(): Versions;
}

export interface NextRequest {
  request: ChatRequest;
  price: NextPrice;
  /** A turn runs: the message would wait for its end. */
  running: boolean;
  /** No draft yet. */
  empty: boolean;
}

/** What makes the pages is loaded with the first of them. */
export function createReports(deps: ReportDeps): Reports {
  const versions = () => versionsWith(deps.extensionVersion);
  const pages = onFirstUse(async () => (await import('./report-pages.ts')).createReportPages({ ...deps, versions }));
  return {
    showCapabilities: async () => (await pages()).showCapabilities(),
    showAccessibilityHelp: async () => (await pages()).showAccessibilityHelp(),
    checkService: async () => (await pages()).checkService(),
    showSent: async (request) => (await pages()).showSent(request),
    showNext: async (next) => (await pages()).showNext(next),
    copyReport: async (turnId) => (await pages()).copyReport(turnId),
    showModels: async () => (await pages()).showModels(),
    share: async (report) => (await pages()).share(report),
    versions,
  };
}

function versionsWith(extensionVersion: string): Versions {
  const remote = vscode.env.remoteName ? `, remote ${vscode.env.remoteName}` : '';
  return { extensionVersion, vscodeVersion: vscode.version, platform: `${process.platform} ${process.arch}${remote}` };
}
