import * as vscode from 'vscode';
import type { QueuedMessage } from '../../conversation/queue.ts';
import type { ChatSession } from '../../conversation/session/chat-session.ts';
import type { Attachment } from '../../shared/messages.ts';
import type { AttachmentChip, PanelInfo } from '../../shared/panel/panel-info.ts';
import type { ModelDirectory } from '../account/model-directory.ts';
import type { Readiness } from '../account/readiness.ts';
import type { Settings } from '../host/settings.ts';

export interface PanelInfoDeps {
  settings: Settings;
  readiness: Readiness;
  models: ModelDirectory;
  session: ChatSession;
  model(): string;
  /** What an attachment adds to the next message, estimated. */
  weigh(attachment: Attachment): Pick<AttachmentChip, 'tokens' | 'microUsd' | 'assumed'>;
  takesImages(model: string): boolean;
  /** The model whose answer stands beside this one. */
  comparedWith(): string | undefined;
  /** What became of the conversation's edits, and what is undecided. */
  changes(): Pick<PanelInfo, 'edits' | 'editOutcomes' | 'editParts' | 'restored'>;
  processes(): PanelInfo['processes'];
  tryOrder(): readonly string[];
  /** Why the conversation is not saved. */
  unsaved(): PanelInfo['unsaved'];
  /** Another window was asked to give way. */
  takingOver(): boolean;
  inTab: boolean;
}

/** What the panel shows besides the conversation, collected when it is asked for. */
export function createPanelInfo(deps: PanelInfoDeps): () => PanelInfo {
  return () => {
    const id = deps.model();
    const other = deps.comparedWith();
    return {
      hasAddress: deps.readiness.hasAddress(),
      hasKey: deps.readiness.hasKey(),
      keyProblem: deps.readiness.keyProblem(),
      hasDashboard: deps.settings.dashboardUrl() !== '',
      model: { id, name: deps.models.nameOf(id) },
      ...(!deps.takesImages(id) && { imagesRefused: true }),
      modelNames: Object.fromEntries(namedIds(deps, id).map((each) => [each, deps.models.nameOf(each)])),
      trusted: vscode.workspace.isTrusted,
      hasFolder: (vscode.workspace.workspaceFolders?.length ?? 0) > 0,
      virtualFolders: virtualFolders(),
      attachments: deps.session.attachments().map((attachment) => {
        const { id, label, kind, image } = attachment;
        return { id, label, ...(kind && { kind }), ...(image && { image }), ...deps.weigh(attachment) };
      }),
      ...deps.changes(),
      tryOrder: deps.tryOrder(),
      processes: deps.processes(),
      queue: queueOf(deps.session),
      ...(other !== undefined && { comparison: { otherName: deps.models.nameOf(other) } }),
      unsaved: deps.unsaved(),
      ...(deps.session.conversation().readOnly && { elsewhere: deps.takingOver() ? 'asked' : 'open' }),
      mode: deps.settings.chatMode(),
      sendKey: deps.settings.sendKey(),
      ...(deps.inTab && { inTab: true }),
      locale: vscode.env.language,
    };
  };
}

function virtualFolders(): PanelInfo['virtualFolders'] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const virtual = folders.filter(({ uri }) => uri.scheme !== 'file').length;
  if (virtual === 0) return undefined;
  return virtual === folders.length ? 'all' : 'some';
}

function queueOf(session: ChatSession): PanelInfo['queue'] {
  const { paused } = session.conversation().queue();
  const items = session.conversation().queuedMessages();
  return { items: items.map((item) => ({ id: item.id, text: wordsOf(item) })), paused };
}

/** Of an image without a word, its name. */
function wordsOf({ text, typed, attachments }: QueuedMessage): string {
  const words = typed ?? text;
  return words.trim() === '' ? attachments.map(({ label }) => label).join(', ') : words;
}

/** Every id that an answer, a notice or a button may have to name. */
function namedIds({ models, session }: PanelInfoDeps, current: string): string[] {
  const ids = new Set([current, ...models.ids()]);
  for (const item of session.state().items) {
    if (item.kind !== 'answer') continue;
    ids.add(item.requestedModel).add(item.model);
    for (const part of item.parts) {
      if (part.type === 'notice' && part.notice.kind === 'fallback') ids.add(part.notice.from).add(part.notice.to);
    }
    if (item.failure?.namedModel) ids.add(item.failure.namedModel);
  }
  return [...ids];
}
