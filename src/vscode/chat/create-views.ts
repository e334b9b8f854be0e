import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import { createPageMemory } from '../../chat/view-memory.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import { createWalkthrough } from '../account/walkthrough.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import type { Own } from '../host/owner.ts';
import { type Attention, createAttention } from './attention.ts';
import type { ChatPane } from './chat-panes.ts';
import { type ChatTabs, createChatTabs } from './chat-tabs.ts';
import { createCodeColoring } from './code-coloring.ts';
import { createModelComparison } from './compare-models.ts';
import { type Compared, createCompared } from './compared.ts';
import type { Chat } from './create-chat.ts';
import { createPane, type PaneDeps } from './create-pane.ts';

export type ViewsDeps = Pick<PaneDeps, 'service' | 'chat' | 'reports' | 'pages' | 'createComposer'> & { own: Own };

/** The chat as it is seen: in the side bar and in editor tabs. */
export interface Views {
  sideBar: ChatPane;
  tabs: ChatTabs;
  compared: Compared;
  attention: Attention;
  compareModels: CommandHandlers['svc.compareModels'];
  /** Asks for another model. */
  pickModel(current: string): Promise<string | undefined>;
}

export function createViews({ service, chat, own, ...deps }: ViewsDeps): Views {
  const { context, settings, models, ledger, onboarding, log } = service;
  const { panes } = chat;
  const toAll = (tell: (pane: ChatPane) => void) => () => {
    for (const pane of panes.all()) tell(pane);
  };
  const compared = createCompared(chat);
  const paneDeps: PaneDeps = {
    ...deps,
    service,
    chat,
    colors: colorsFor(
      service,
      own,
      toAll(({ wire }) => wire.post({ type: 'colorsChanged' })),
    ),
    warm: warmUp(
      service,
      chat,
      toAll(({ view }) => view.priceChanged()),
    ),
    keepCompared: compared.keep,
  };
  const sideBar = own(
    createPane(paneDeps, chat.seat, {
      reveal: async () => void (await vscode.commands.executeCommand('svc.chat.focus')),
      progressIn: { viewId: 'svc.chat' },
      page: createPageMemory(chat.storedValues, 'sideBar'),
    }),
  );
  panes.add(sideBar);
  const tabs = createChatTabs({
    ...chat,
    extensionUri: context.extensionUri,
    nameOf: models.nameOf,
    newKey: randomUUID,
    pageOf: (key) => createPageMemory(chat.storedValues, key),
    createPane: (tabSeat, frame) =>
      createPane(paneDeps, tabSeat, { ...frame, progressIn: vscode.ProgressLocation.Window }),
  });
  // Windows without a folder have one storage between them: a tab that is missing here may be open in another.
  if (context.storageUri && !chat.tabMemory.isEmpty()) {
    tabs.reopenLost().catch((error: unknown) => log.error('A tab could not be opened again', error));
  }
  const walkthrough = tickWalkthrough(service, chat, own);
  const pick: Views['pickModel'] = async (current) => {
    const chosen = await pickModel(service, current);
    if (chosen !== undefined) walkthrough.done('svc.walkthroughModelPicked');
    return chosen;
  };
  const compareModels = createModelComparison({
    ...chat,
    tabs,
    ledger,
    limits: settings.limits,
    ensureReady: onboarding.ensureReady,
    pickModel: (current) => pickModel(service, current, 'another'),
    newId: randomUUID,
    log,
  });
  followInfo(
    service,
    chat,
    own,
    toAll(({ view }) => view.infoChanged()),
  );
  return {
    sideBar,
    tabs,
    compared,
    compareModels,
    attention: own(createAttention({ ...chat, settings })),
    pickModel: pick,
  };
}

/** Code in the colours of the editor, for all views. */
function colorsFor({ context, log }: Service, own: Own, changed: () => void): PaneDeps['colors'] {
  const coloring = own(createCodeColoring(context.extensionUri, log));
  own(coloring.onDidChange(changed));
  return {
    color: (request) =>
      coloring.color(request).catch((error: unknown) => {
        log.error('Code could not be coloured', error);
        return undefined;
      }),
  };
}

/** The first message carries the rules too: they are read when it begins to be written. */
function warmUp({ transport }: Service, { customizations }: Chat, priceChanged: () => void): () => void {
  let rulesAsked = false;
  return () => {
    void transport.warm();
    if (rulesAsked) return;
    rulesAsked = true;
    void customizations.refresh().then(priceChanged);
  };
}

/** Everything besides the conversation that the views show. */
function followInfo(
  { settings, models, readiness, limitChoice, learned }: Service,
  chat: Chat,
  own: Own,
  changed: () => void,
): void {
  own(chat.review.onDidChange(changed));
  own(chat.customizations.onDidPickAgent(changed));
  own({ dispose: chat.saving.onChange(changed) });
  own({ dispose: chat.commands.processes.onDidChange(changed) });
  own({ dispose: chat.comparisons.onDidChange(changed) });
  own(readiness.onDidChange(changed));
  own(limitChoice.onDidChange(changed));
  own(settings.onDidChange(changed));
  own(models.onDidChange(changed));
  own({ dispose: learned.onDidChange(changed) });
  own(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  own(vscode.workspace.onDidChangeWorkspaceFolders(changed));
}

function tickWalkthrough({ readiness }: Service, { conversations }: Chat, own: Own) {
  const walkthrough = own(createWalkthrough());
  own({
    dispose: conversations.onEvents((_conversation, events) => {
      if (events.some((event) => event.type === 'userMessage')) walkthrough.done('svc.walkthroughAsked');
    }),
  });
  const keyStored = () => readiness.hasKey() && walkthrough.done('svc.walkthroughKeyStored');
  keyStored();
  own(readiness.onDidChange(keyStored));
  return walkthrough;
}
