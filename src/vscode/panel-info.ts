import * as vscode from 'vscode';
import type { PanelInfo } from '../shared/protocol.ts';
import type { ChatSession } from './chat-session.ts';
import type { ModelDirectory } from './model-directory.ts';
import type { Readiness } from './readiness.ts';
import type { Settings } from './settings.ts';

export interface PanelInfoDeps {
  settings: Settings;
  readiness: Readiness;
  models: ModelDirectory;
  session: ChatSession;
  model(): string;
}

/** What the panel shows besides the conversation, collected when it is asked for. */
export function createPanelInfo(deps: PanelInfoDeps): () => PanelInfo {
  return () => {
    const id = deps.model();
    return {
      hasAddress: deps.readiness.hasAddress(),
      hasKey: deps.readiness.hasKey(),
      hasDashboard: deps.settings.dashboardUrl() !== '',
      model: { id, name: deps.models.nameOf(id) },
      modelNames: Object.fromEntries(namedIds(deps, id).map((each) => [each, deps.models.nameOf(each)])),
      trusted: vscode.workspace.isTrusted,
      hasFolder: (vscode.workspace.workspaceFolders?.length ?? 0) > 0,
      attachments: deps.session.attachments().map(({ id, label }) => ({ id, label })),
      edits: [],
      queue: { items: [], paused: false },
      sendKey: deps.settings.sendKey(),
      locale: vscode.env.language,
    };
  };
}

/** Every id that an answer, a notice or a button may have to name. */
function namedIds({ models, session }: PanelInfoDeps, current: string): string[] {
  const ids = new Set([current, ...models.ids()]);
  for (const item of session.state().items) {
    if (item.kind !== 'answer') continue;
    ids.add(item.requestedModel).add(item.model);
  }
  return [...ids];
}
