import { setImmediate } from 'node:timers/promises';
import type * as vscode from 'vscode';
import { featureSections } from '../features/early.ts';
import type { Service } from './account/create-service.ts';
import { createChat } from './chat-panel/create-chat.ts';
import { createViews } from './chat-panel/create-views.ts';
import type { PreloadedWebview } from './chat-panel/preloaded-webview.ts';
import { sideBarHost } from './chat-panel/webview-channel.ts';
import { createComposers } from './composer/create-composer.ts';
import { afterSent } from './host/after-sent.ts';
import type { Register } from './host/disposable-store.ts';
import { createPages } from './host/pages.ts';
import { createReports } from './reports/create-reports.ts';

/** Connects the parts that are visible when the chat opens, and decides nothing. */
export async function createFirstLook(service: Service, register: Register) {
  const chat = await createChat(service, register);
  // Others have their turn.
  await setImmediate();
  const viewModel = () => chat.panel.widgets.active().viewModel;
  const model = () => viewModel().conversation().model() || service.settings.model();
  const pages = register(createPages());
  const reports = createReports(service, { pages, viewModel, model });
  const composers = createComposers(service, register, {
    ports: chat.tools.ports,
    customizations: chat.tools.customizations,
    store: chat.conversations.store,
    storedValues: chat.panel.storedValues,
    subagentPrice: chat.tools.subagentPrice,
  });
  const sections = featureSections(service, chat, register);
  const views = createViews({
    ...{ service, register, chat, reports, pages, sections },
    createComposer: composers.createComposer,
  });
  return {
    service,
    chat,
    model,
    pages,
    reports,
    composers,
    views,
    resolveSideBar(view: vscode.WebviewView, page: PreloadedWebview, shown: () => void) {
      const listening = views.sideBar.view.onDidSendSnapshot(() => {
        listening.dispose();
        afterSent(shown);
      });
      views.sideBar.channel.resolve(sideBarHost(view, page));
      views.attention.badgeOn(view);
    },
  };
}

export type FirstLook = Awaited<ReturnType<typeof createFirstLook>>;
