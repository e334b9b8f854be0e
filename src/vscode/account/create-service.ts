import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { createModelRecord, type ModelRecord } from '../../features/best-of/core/model-record.ts';
import type { CheckDeps } from '../../service/check/check.ts';
import { createClient } from '../../service/client.ts';
import type { ServiceClient } from '../../service/contract.ts';
import { createKeyMask, createRedactor } from '../../service/redact.ts';
import { type CapacityBoard, createCapacityBoard, maxOnBoard } from '../../service/step/capacity-board.ts';
import type { FallbackRules } from '../../service/step/fallback.ts';
import { createLearned, type Learned, maxLearned } from '../../service/step/learned.ts';
import { createTransport, type NetworkTransport } from '../../service/wire/transport.ts';
import { createEstimator, type Estimator, maxCalibrated } from '../../spend/estimate.ts';
import { createLedger, type Ledger } from '../../spend/ledger.ts';
import { createImageStore, type ImageStore } from '../../storage/image-store.ts';
import { openStoredTable } from '../../storage/stored-table.ts';
import { openStoredValues } from '../../storage/stored-values.ts';
import { toolDialect } from '../../tools/all-tools.ts';
import type { Register } from '../host/disposable-store.ts';
import { createLog, type Log } from '../host/log.ts';
import { createSettings, type Settings } from '../host/settings.ts';
import { createLimitChoice, type LimitChoice } from './limit-choice.ts';
import { createModelDirectory, type ModelDirectory } from './model-directory.ts';
import { createOnboarding, type Onboarding } from './onboarding.ts';
import { createReadiness, type Readiness } from './readiness.ts';
import { createKeyStore, type KeyStore } from './secrets.ts';

export interface Service {
  context: vscode.ExtensionContext;
  settings: Settings;
  keys: KeyStore;
  log: Log;
  learned: Learned;
  board: CapacityBoard;
  record: ModelRecord;
  fallback(): FallbackRules;
  access: CheckDeps;
  transport: NetworkTransport;
  models: ModelDirectory;
  client: ServiceClient;
  images: ImageStore;
  estimator: Estimator;
  ledger: Ledger;
  readiness: Readiness;
  limitChoice: LimitChoice;
  onboarding: Onboarding;
}

const recordName = 'svc.modelRecord';

/**
 * The service queues requests and answers late, so the first event may take long; between events the limit is
 * shorter.
 */
const timeouts = { firstEventMs: 180_000, idleMs: 90_000 };

export async function createService(context: vscode.ExtensionContext, register: Register): Promise<Service> {
  const settings = register(createSettings());
  const { addressOf, originOf } = addressFrom(settings);
  const keys = register(createKeyStore(context.secrets, originOf));
  const redact = createRedactor(keys.known);
  const log = register(createLog(redact));
  const ledger = createLedger({
    dir: vscode.Uri.joinPath(context.globalStorageUri, 'ledger').fsPath,
    clock: systemClock,
  });
  const [known, readiness] = await Promise.all([
    openModelTables(context, log),
    createReadiness(settings, keys).then(register),
    ledger.refresh().catch((error: unknown) => log.error('The ledger could not be read', error)),
  ]);
  const transport = createTransport({
    loadDirect: async () => (await import('../../service/wire/direct-fetch.ts')).createDirectFetch(),
    hasProxySetting: () => Boolean(vscode.workspace.getConfiguration('http').get<string>('proxy')),
    env: process.env,
    log: log.info,
  });
  const models = register(createModelDirectory(context.globalState, addressOf));
  const access = {
    baseUrl: () => addressOf() ?? '',
    key: async () => {
      const key = await keys.read();
      return key.state === 'present' ? key.key : undefined;
    },
    transport,
    clock: systemClock,
    redact,
    networkFacts,
  };
  const images = createImageStore(context.globalStorageUri.fsPath);
  const { learned, board, estimator } = known;
  const fallback = () => {
    const { enabled, order } = settings.fallback();
    return { enabled, order: order.length > 0 ? order : board.rank(models.ids()) };
  };
  const client: ServiceClient = createClient({
    ...access,
    learned,
    readImage: images.read,
    modelIds: models.ids,
    onModels: (list) => void models.remember(list),
    fallback,
    promptTokens: (request) => estimator.prompt(request).tokens,
    maskKeys: createKeyMask(keys.known),
    recognises: toolDialect.recognises,
    onAttempt: board.record,
    random: Math.random,
    newId: randomUUID,
    log: log.info,
    timeouts: () => timeouts,
  });
  const onAccepted = () => void transport.warm();
  const { checkKey, listModels } = client;
  const { nameOf } = models;
  const onboarding = createOnboarding({ settings, keys, readiness, checkKey, listModels, nameOf, onAccepted });
  register(
    settings.onDidChange((event) => {
      if (event.affectsConfiguration('http')) transport.networkChanged();
    }),
  );
  return {
    context,
    settings,
    keys,
    log,
    access,
    transport,
    models,
    client,
    images,
    ledger,
    readiness,
    limitChoice: register(createLimitChoice(settings, context.globalState)),
    onboarding,
    fallback,
    record: createModelRecord(
      context.workspaceState.get(recordName),
      (record) => void context.workspaceState.update(recordName, record),
    ),
    ...known,
  };
}

function addressFrom(settings: Settings) {
  const addressOf = () => {
    const address = settings.baseUrl();
    return 'url' in address ? address.url : undefined;
  };
  const originOf = () => {
    const address = addressOf();
    return address === undefined ? undefined : new URL(address).origin;
  };
  return { addressOf, originOf };
}

/** These facts are kept in one file for each model in the extension's own folder, not in the editor's state. */
async function openModelTables(context: vscode.ExtensionContext, log: Log) {
  const values = await openStoredValues({
    dir: vscode.Uri.joinPath(context.globalStorageUri, 'models').fsPath,
    onError: (error) => log.error('What was learned about a model could not be kept', error),
  });
  const open = (name: string, max: number) => openStoredTable({ values, name, max });
  const facts = open('learned', maxLearned);
  const capacity = open('capacity', maxOnBoard);
  const calibrations = open('calibration', maxCalibrated);
  return {
    learned: createLearned(facts.stored, facts.save),
    board: createCapacityBoard(capacity.stored, capacity.save, systemClock.epochMs),
    estimator: createEstimator(calibrations.stored, calibrations.save),
  };
}

function networkFacts(): Record<string, string | number> {
  const proxy = vscode.workspace.getConfiguration('http').get<string>('proxy');
  const remote = vscode.env.remoteName;
  return { ...(proxy ? { proxy: 'http.proxy is set' } : {}), ...(remote ? { remote } : {}) };
}
