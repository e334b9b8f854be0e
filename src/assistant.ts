import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import { createClient } from './service/client.ts';
import type { ServiceClient } from './service/contract.ts';
import { createKeyMask, createRedactor } from './service/redact.ts';
import { createCapacityBoard, mostOnBoard } from './service/step/capacity-board.ts';
import { createLearned, mostLearned } from './service/step/learned.ts';
import { createTransport } from './service/wire/transport.ts';
import { createEstimator, mostCalibrated } from './spend/estimate.ts';
import { createLedger } from './spend/ledger.ts';
import { createImageStore } from './storage/image-store.ts';
import { openKeptTable } from './storage/kept-table.ts';
import { openKeptValues } from './storage/kept-values.ts';
import { createSurfaces } from './surfaces.ts';
import { createModelDirectory } from './vscode/account/model-directory.ts';
import { createReadiness } from './vscode/account/readiness.ts';
import { createKeyStore } from './vscode/account/secrets.ts';
import type { BegunPage } from './vscode/chat/begun-page.ts';
import { createChat, type Own, type Parts } from './vscode/chat/create-chat.ts';
import type { ConversationNode } from './vscode/history/conversations-view.ts';
import type { ConversationTree } from './vscode/history/register-conversations.ts';
import type { CommandHandlers, CommandId } from './vscode/host/command-ids.ts';
import type { TreeSource } from './vscode/host/lazy-tree.ts';
import { createLog, type Log } from './vscode/host/log.ts';
import { createSettings } from './vscode/host/settings.ts';
import type { NativeModels } from './vscode/native-chat/native-models.ts';
import type { NativeTool } from './vscode/native-chat/native-tool.ts';
import type { NativeToolName } from './vscode/native-chat/native-tool-names.ts';
import type { UsageNode } from './vscode/spend/usage-tree.ts';

/** What the shim calls once the assistant is loaded. */
export interface Assistant {
  commands: CommandHandlers;
  /** The same on the side bar's chat, wherever the focus was. */
  runInSideBar(id: CommandId): unknown;
  usage(): Promise<TreeSource<UsageNode>>;
  /** `page`: begun in the view. */
  resolveChatView(view: vscode.WebviewView, page: BegunPage): void;
  /** Fills an editor tab that VS Code kept; `state` is what its page stored. */
  restoreChatTab(panel: vscode.WebviewPanel, state: unknown): Promise<void>;
  conversationTree(): Promise<ConversationTree<ConversationNode>>;
  nativeModels(): Promise<NativeModels>;
  onModelsChanged(listener: () => void): vscode.Disposable;
  nativeTool(): Promise<(name: NativeToolName) => NativeTool>;
  participant(): Promise<vscode.ChatRequestHandler>;
}

/** A service that queues answers late: no short limit to the first event, a shorter one between events. */
const timeouts = { firstEventMs: 180_000, idleMs: 90_000 };

/** Builds every part in order. Knows everything, decides nothing. What was built before a failure is taken down again. */
export async function createAssistant(context: vscode.ExtensionContext): Promise<Assistant> {
  const made: vscode.Disposable[] = [];
  const own: Own = (part) => {
    made.push(part);
    return part;
  };
  try {
    const assistant = await compose(context, own);
    // With what is made later, on first use.
    context.subscriptions.push({ dispose: () => vscode.Disposable.from(...made).dispose() });
    return assistant;
  } catch (error) {
    vscode.Disposable.from(...made).dispose();
    throw error;
  }
}

async function compose(context: vscode.ExtensionContext, own: Own): Promise<Assistant> {
  // What host and pages share makes its texts without VS Code's API.
  if (vscode.l10n.bundle) l10n.config({ contents: vscode.l10n.bundle });
  const settings = own(createSettings());
  const addressOf = () => {
    const address = settings.baseUrl();
    return 'url' in address ? address.url : undefined;
  };
  const originOf = () => {
    const address = addressOf();
    return address === undefined ? undefined : new URL(address).origin;
  };
  const keys = own(createKeyStore(context.secrets, originOf));
  const redact = createRedactor(keys.known);
  const log = own(createLog(redact));
  const openTable = await createModelTables(context, log);
  const facts = await openTable('learned', mostLearned);
  const learned = createLearned(facts.stored, facts.save);
  const transport = createTransport({
    loadDirect: async () => (await import('./service/wire/direct-fetch.ts')).createDirectFetch(),
    hasProxySetting: () => Boolean(vscode.workspace.getConfiguration('http').get<string>('proxy')),
    env: process.env,
    log: log.info,
  });
  const models = own(createModelDirectory(context.globalState, (signal) => client.listModels(signal), addressOf));
  const access = {
    baseUrl: () => addressOf() ?? '',
    key: async () => {
      const key = await keys.read();
      return key.state === 'present' ? key.key : undefined;
    },
    transport,
    clock: systemClock,
    redact,
    networkFacts: () => networkFacts(),
  };
  const images = createImageStore(context.globalStorageUri.fsPath);
  const capacity = await openTable('capacity', mostOnBoard);
  const board = createCapacityBoard(capacity.stored, capacity.save, systemClock.epochMs);
  /** Without an order of the user's own, what this machine has seen decides. */
  const fallback = () => {
    const { enabled, order } = settings.fallback();
    return { enabled, order: order.length > 0 ? order : board.rank(models.ids()) };
  };
  const calibrations = await openTable('calibration', mostCalibrated);
  const estimator = createEstimator(calibrations.stored, calibrations.save);
  const client: ServiceClient = createClient({
    ...access,
    learned,
    readImage: images.read,
    modelIds: models.ids,
    onModels: (list) => void models.remember(list),
    fallback,
    promptTokens: (request) => estimator.prompt(request).tokens,
    maskKeys: createKeyMask(keys.known),
    onAttempt: board.record,
    random: Math.random,
    newId: randomUUID,
    log: log.info,
    timeouts: () => timeouts,
  });
  const ledger = createLedger({
    dir: vscode.Uri.joinPath(context.globalStorageUri, 'ledger').fsPath,
    clock: systemClock,
  });
  await ledger.refresh().catch((error: unknown) => log.error('The ledger could not be read', error));
  const readiness = own(await createReadiness(settings, keys));
  const parts: Parts = {
    context,
    settings,
    keys,
    log,
    learned,
    access,
    transport,
    models,
    client,
    images,
    estimator,
    ledger,
    readiness,
    board,
    fallback,
  };
  own(
    settings.onDidChange((event) => {
      if (event.affectsConfiguration('http')) transport.networkChanged();
    }),
  );
  return createSurfaces(parts, own, await createChat(parts, own));
}

/** What this machine knows of each model: a file for each in the extension's own folder, not the editor's state. */
async function createModelTables(context: vscode.ExtensionContext, log: Log) {
  const kept = await openKeptValues({
    dir: vscode.Uri.joinPath(context.globalStorageUri, 'models').fsPath,
    onError: (error) => log.error('What was learned about a model could not be kept', error),
  });
  return (name: string, most: number) => openKeptTable({ kept, name, most, old: context.globalState });
}

/** Facts for the card of a network failure. */
function networkFacts(): Record<string, string | number> {
  const proxy = vscode.workspace.getConfiguration('http').get<string>('proxy');
  const remote = vscode.env.remoteName;
  return { ...(proxy ? { proxy: 'http.proxy is set' } : {}), ...(remote ? { remote } : {}) };
}
