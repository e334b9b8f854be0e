import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import type { Search, Workspace } from '../../files/workspace.ts';
import { createSecretMask } from '../../service/redact.ts';
import { shortReads } from '../../tools/all-tools.ts';
import type { Service } from '../../vscode/account/create-service.ts';
import { pickModel } from '../../vscode/account/model-picker.ts';
import type { Tools } from '../../vscode/chat-panel/create-tools.ts';
import { pickFile } from '../../vscode/composer/add-to-chat.ts';
import { attachmentOf } from '../../vscode/composer/attachments.ts';
import { mayAttach, openText, showWhyNothing } from '../../vscode/composer/read-context.ts';
import { placeOf } from '../../vscode/workspace/place-uri.ts';
import { type FeatureWindow, requestDeps } from '../feature-window.ts';
import { findDefinitions } from './core/find-definitions.ts';
import { createCommitCommands } from './vscode/commit-command.ts';
import { createInlineEdit } from './vscode/inline-edit.ts';
import type { AddedFile, EditReading } from './vscode/inline-edit-state.ts';

/** Requests to the model from the editor and the Source Control view, without the chat. */
export function inline(window: FeatureWindow) {
  const { settings, context, keys } = window.service;
  const { ports, review, readTools } = window.chat.tools;
  const { workspace, language, git } = ports;
  const shared = requestDeps(window);
  const reading = createReading(window.service, { ports, readTools });
  const inlineEdit = window.register(
    createInlineEdit({
      ...shared,
      pickModel: (current) => pickModel(window.service, current),
      pickFile: () => pickInlineFile(ports),
      streams: settings.inlineEditStream,
      pending: review.pending,
      reading,
      showAnswer: (name, answer) => window.pages.showText(name, answer, 'beside'),
      async outline(uri: vscode.Uri) {
        const place = placeOf(workspace, uri);
        return place && language.outline(place);
      },
      history: createInstructionHistory(context.workspaceState, createSecretMask(keys.known)),
    }),
  );
  const readsFiles = readTools.filter(({ kind }) => kind === 'read');
  const commitReading = {
    ...reading,
    // Elsewhere the paths of the diff would be others than those that the tool takes.
    tools(asked: string, repository: vscode.Uri) {
      const [only, ...others] = workspace.roots();
      const isHere = others.length === 0 && only?.uri === repository.toString();
      return isHere && reading.tools(asked).length > 0 ? readsFiles : [];
    },
  };
  const commands = { ...createCommitCommands({ ...shared, git, reading: commitReading }), ...inlineEdit.commands };
  return { commands, editAfter: inlineEdit.editAfter };
}

function createReading(
  { settings, learned, log }: Pick<Service, 'settings' | 'learned' | 'log'>,
  { ports, readTools }: Pick<Tools, 'ports' | 'readTools'>,
): EditReading {
  const { workspace, files, language } = ports;
  const tools = readTools.filter(({ name }) => shortReads.has(name));
  const mayRead = () => settings.inlineEditReadFiles() && workspace.isTrusted() && workspace.roots().length > 0;
  return {
    clock: systemClock,
    log: log.info,
    async definitions(document, ask) {
      const place = placeOf(workspace, document.uri);
      if (place === undefined || !mayRead()) return [];
      const lines = document.getText().split(/\r?\n/);
      return findDefinitions({ workspace, files, language, clock: systemClock }, { place, lines, ...ask });
    },
    tools: (model) => (mayRead() && learned.get(model).tools?.works !== false ? tools : []),
  };
}

const key = 'svc.inlineEdit.history';
const max = 30;

/** The newest instruction comes first. A secret that was typed by mistake is masked before it is kept. */
export function createInstructionHistory(
  memento: Pick<vscode.Memento, 'get' | 'update'>,
  withoutKeys: (text: string) => string,
): { get(): readonly string[]; add(instruction: string): void } {
  const get = (): string[] => {
    const stored: unknown = memento.get(key);
    return Array.isArray(stored) ? stored.filter((one) => typeof one === 'string') : [];
  };
  return {
    get,
    add(instruction) {
      const kept = withoutKeys(instruction);
      void memento.update(key, [kept, ...get().filter((one) => one !== kept)].slice(0, max));
    },
  };
}

export async function pickInlineFile(ports: { workspace: Workspace; search: Search }): Promise<AddedFile | undefined> {
  const uri = await pickFile(ports, vscode.l10n.t('Add a file that the model should see for this edit'));
  if (uri === undefined || !(await mayAttach(uri))) return undefined;
  try {
    await openText(uri);
    const { label, text } = await attachmentOf(uri);
    return { uri, name: label, text };
  } catch (error) {
    return showWhyNothing(error);
  }
}
