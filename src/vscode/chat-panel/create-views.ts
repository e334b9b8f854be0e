import { randomUUID } from 'node:crypto';
import * as vscode from 'vscode';
import type { CreateSection } from '../../chat/panel-sections.ts';
import { createPageMemory } from '../../chat/view-memory.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import { createWalkthrough, type Walkthrough } from '../account/walkthrough.ts';
import { restoredSection } from '../edits/restored-section.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import type { Register } from '../host/disposable-store.ts';
import { type Attention, createAttention } from './attention.ts';
import { type ChatTabs, createChatTabs } from './chat-tabs.ts';
import type { ChatWidget } from './chat-widgets.ts';
import { createCodeColoring } from './code-coloring.ts';
import { createModelComparison } from './compare-models.ts';
import { type Compared, createCompared } from './compared.ts';
import type { Chat } from './create-chat.ts';
import { type ChatWidgetDeps, createWidget } from './create-widget.ts';
import { comparisonSection } from './sections/comparison.ts';
import { correctionSection } from './sections/correction.ts';
import { elsewhereSection } from './sections/elsewhere.ts';
import { otherChatsSection } from './sections/other-chats.ts';
import { processesSection } from './sections/processes.ts';

export type ViewsDeps = Pick<ChatWidgetDeps, 'service' | 'chat' | 'reports' | 'pages' | 'createComposer'> & {
  register: Register;
  sections: readonly CreateSection[];
};

export interface Views {
  sideBar: ChatWidget;
  tabs: ChatTabs;
  compared: Compared;
  attention: Attention;
  compareModels: CommandHandlers['svc.compareModels'];
  walkthrough: Pick<Walkthrough, 'done'>;
}

export function createViews({ service, chat, register, sections, ...deps }: ViewsDeps): Views {
  const { context, settings, models, ledger, onboarding, log } = service;
  const { limits } = settings;
  const { tools, money, panel } = chat;
  const { open: conversations, comparisons, store } = chat.conversations;
  const { widgets, createViewModel, tabMemory, storedValues } = panel;
  const toAll = (notify: (widget: ChatWidget) => void) => () => {
    for (const widget of widgets.all()) notify(widget);
  };
  const attention = register(createAttention({ conversations, widgets, settings }));
  const compared = createCompared({ widgets, conversations, comparisons });
  const widgetDeps: ChatWidgetDeps = {
    ...deps,
    service,
    chat,
    colors: colorsFor(
      service,
      register,
      toAll(({ channel }) => channel.post({ type: 'colorsChanged' })),
    ),
    warm: warmUp(
      service,
      tools,
      toAll(({ view }) => view.priceChanged()),
    ),
    sections: [
      elsewhereSection(chat.conversations),
      otherChatsSection(conversations, widgets, attention),
      comparisonSection(models, comparisons, compared),
      processesSection(tools.commands),
      restoredSection(tools.review),
      correctionSection(tools.review, money.estimator),
      ...sections,
    ],
  };
  const sideBar = register(
    createWidget(widgetDeps, panel.viewModel, {
      reveal: async () => void (await vscode.commands.executeCommand('svc.chat.focus')),
      progressIn: { viewId: 'svc.chat' },
      page: createPageMemory(storedValues, 'sideBar'),
    }),
  );
  widgets.add(sideBar);
  const tabs = createChatTabs({
    ...{ widgets, comparisons, createViewModel, tabMemory },
    extensionUri: context.extensionUri,
    nameOf: models.nameOf,
    newKey: randomUUID,
    pageOf: (key) => createPageMemory(storedValues, key),
    createWidget: (tabViewModel, frame) =>
      createWidget(widgetDeps, tabViewModel, { ...frame, progressIn: vscode.ProgressLocation.Window }),
  });
  // Windows without a folder have one storage between them: a tab that is missing here may be open in another.
  if (context.storageUri && !tabMemory.isEmpty()) {
    tabs.reopenLost().catch((error: unknown) => log.error('A tab could not be opened again', error));
  }
  const walkthrough = tickWalkthrough(service, chat.conversations, register);
  const compareModels = createModelComparison({
    ...{ widgets, tabs, conversations, comparisons, store, ledger, limits },
    spentOn: money.spentOn,
    ensureReady: onboarding.ensureReady,
    pickModel: (current) => pickModel(service, current, 'another'),
    newId: randomUUID,
    log,
  });
  followInfo(
    service,
    chat,
    register,
    toAll(({ view }) => view.infoChanged()),
  );
  return {
    sideBar,
    tabs,
    compared,
    compareModels,
    attention,
    walkthrough,
  };
}

function colorsFor({ context, log }: Service, register: Register, changed: () => void): ChatWidgetDeps['colors'] {
  const coloring = register(createCodeColoring(context.extensionUri, log));
  register(coloring.onDidChange(changed));
  return {
    color: (request) =>
      coloring.color(request).catch((error: unknown) => {
        log.error('Code could not be coloured', error);
        return undefined;
      }),
  };
}

/** The first message carries the rules too, so they are read when it begins to be written. */
function warmUp({ transport }: Service, { customizations }: Chat['tools'], priceChanged: () => void): () => void {
  let rulesAsked = false;
  return () => {
    void transport.warm();
    if (rulesAsked) return;
    rulesAsked = true;
    void customizations.refresh().then(priceChanged);
  };
}

function followInfo(
  { settings, models, readiness, limitChoice, learned }: Service,
  chat: Chat,
  register: Register,
  changed: () => void,
): void {
  register(chat.tools.review.onDidChange(changed));
  register(chat.tools.customizations.onDidPickAgent(changed));
  register(chat.conversations.saving.onDidChange(changed));
  register(readiness.onDidChange(changed));
  register(limitChoice.onDidChange(changed));
  register(settings.onDidChange(changed));
  register(models.onDidChange(changed));
  register(learned.onDidChange(changed));
  register(vscode.workspace.onDidGrantWorkspaceTrust(changed));
  register(vscode.workspace.onDidChangeWorkspaceFolders(changed));
}

function tickWalkthrough({ readiness }: Service, { open: conversations }: Chat['conversations'], register: Register) {
  const walkthrough = register(createWalkthrough());
  register(
    conversations.onDidEmit((_conversation, events) => {
      if (events.some((event) => event.type === 'userMessage')) walkthrough.done('svc.walkthroughAsked');
    }),
  );
  const keyStored = () => readiness.hasKey() && walkthrough.done('svc.walkthroughKeyStored');
  keyStored();
  register(readiness.onDidChange(keyStored));
  return walkthrough;
}
