import type * as vscode from 'vscode';
import { touchedPaths } from '../../conversation/touched-paths.ts';
import type { Service } from '../account/create-service.ts';
import type { Chat } from '../chat-panel/create-chat.ts';
import type { ReadContext } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { type AskingCommands, createAskingCommands } from './asking-commands.ts';
import { showMenu } from './menu.ts';
import { pickTools } from './pick-tools.ts';
import { showCustomizations } from './show-customizations.ts';

export type EditorCommands = AskingCommands &
  Pick<CommandHandlers, 'svc.showMenu' | 'svc.pickTools' | 'svc.showCustomizations' | 'svc.showInstructions'>;

export function createEditorCommands(
  { settings, ledger }: Service,
  { panel: { widgets }, tools: { ports, external, customizations }, conversations: { historyOf } }: Chat,
  composers: { read: ReadContext; knowsTerminal(terminal: vscode.Terminal): boolean },
): EditorCommands {
  const viewModel = () => widgets.active().viewModel;
  const history = () => historyOf(viewModel().conversation())?.withNext('', []) ?? [];
  const show = () => showCustomizations(customizations, touchedPaths(history()));
  const timesUsed = (name: string) =>
    history().flatMap((message) =>
      message.role === 'assistant' ? message.toolCalls.filter((call) => call.name === name) : [],
    ).length;
  return {
    ...createAskingCommands({
      viewModel,
      showChat: () => widgets.active().show(),
      send: (text) => widgets.active().flow.send(text),
      whenHere: (text, send) => widgets.active().composer.incoming.whenHere(text, send),
      attach: (found) => widgets.active().composer.add(found),
      attachPick: (pick) => widgets.active().composer.attach(pick),
      addToChat: { ...ports, ...composers },
    }),
    'svc.showMenu': () => showMenu({ running: viewModel().conversation().running, today: ledger.today() }),
    'svc.pickTools': () =>
      pickTools({
        ...{ workspace: ports.workspace, external, settings, used: timesUsed },
        conversation: viewModel().conversation(),
      }),
    'svc.showCustomizations': show,
    'svc.showInstructions': show,
  };
}
