import { randomUUID } from 'node:crypto';
import type * as vscode from 'vscode';
import { onFirstUse } from '../../base/on-first-use.ts';
import { createTurnLimit } from '../../conversation/turns/turn-limit.ts';
import { defaultModel } from '../../service/models.ts';
import type { Chat, Parts } from '../chat/create-chat.ts';
import type { ReadContext } from '../composer/read-context.ts';
import type { CommandId } from '../host/command-ids.ts';
import { createNativeModels } from './native-models.ts';

/** What VS Code's own chat gets of us: models, tools, and `@svc`. */
export function createNative(
  parts: Parts,
  chat: Chat,
  { ensureReady, readContext }: { ensureReady(): Promise<boolean>; readContext: ReadContext },
) {
  const { settings, models } = parts;
  const { turns, estimator, limit, metered } = chat;
  const titleOf = commandTitle(parts.context);
  const runTurn = turns.createRun({
    conversationId: 'native-chat',
    client: ({ turnId }) => metered({ surface: 'native-chat', turnId }),
    newCallId: () => `c${randomUUID().replaceAll('-', '')}`,
    onCheckpoint: () => undefined,
    limit: ({ turnId }, economiseHard) =>
      createTurnLimit({
        client: metered({ surface: 'native-chat', turnId }),
        estimator,
        limit,
        economiseHard,
        toSent: (history) => history,
        keep: () => ({ plan: [], openFiles: [] }),
      }),
    lookingOnly: () => true,
  });
  return {
    nativeModels: createNativeModels({ ...parts, ...chat, ensureReady, titleOf }),
    nativeTool: onFirstUse(async () =>
      (await import('./native-tool.ts')).createNativeTools(turns.lookingTools, randomUUID),
    ),
    participant: onFirstUse(async () => {
      const [{ createParticipant }, { nativeFailureText }] = await Promise.all([
        import('./participant.ts'),
        import('./native-failure.ts'),
      ]);
      return createParticipant({
        read: readContext,
        settings,
        defaultModel: () => settings.model() || defaultModel,
        nameOf: models.nameOf,
        runTurn,
        failureText: (failure) => nativeFailureText(failure, models.nameOf, titleOf),
        carriedRules: async () => {
          await turns.instructions.refresh();
          return new Set(turns.instructions.instructionFiles([]).map(({ uri }) => uri.toString()));
        },
      });
    }),
  };
}

/** As the palette shows it. VS Code has put the words of its language into the manifest. */
function commandTitle({ extension }: vscode.ExtensionContext): (command: CommandId) => string {
  const commands: readonly { command: string; title: string; category: string }[] =
    extension.packageJSON.contributes.commands;
  return (id) => {
    const found = commands.find(({ command }) => command === id);
    return found === undefined ? id : `${found.category}: ${found.title}`;
  };
}
