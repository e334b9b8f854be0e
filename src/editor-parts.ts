import type * as vscode from 'vscode';
import type { Chat, Own, Parts } from './chat-parts.ts';
import { createSecretMask } from './service/redact.ts';
import type { EditorCommands } from './vscode/commands.ts';
import { createCommitCommands } from './vscode/commit-command.ts';
import { createInlineEdit } from './vscode/inline-edit.ts';
import { pickInlineFile } from './vscode/inline-edit-file.ts';
import { createInstructionHistory } from './vscode/instruction-history.ts';
import { pickModel } from './vscode/model-picker.ts';
import type { Onboarding } from './vscode/onboarding.ts';
import { placeOf } from './vscode/place-uri.ts';

/** What asks the model from the editor and the Source Control view, without the chat. */
export async function createEditorCommands(
  parts: Parts,
  own: Own,
  { metered, turns, estimator }: Chat,
  { onboarding, model }: { onboarding: Onboarding; model(): string },
): Promise<EditorCommands> {
  const { settings, models, context, keys } = parts;
  const { workspace, language, git } = turns.ports;
  const shared = {
    metered,
    model,
    request: settings.request,
    nameOf: models.nameOf,
    ensureReady: onboarding.ensureReady,
  };
  const inlineEdit = own(
    createInlineEdit({
      ...shared,
      estimator,
      pickModel: (current) => pickModel(models, parts, current),
      pickFile: () => pickInlineFile(turns.ports),
      streams: settings.inlineEditStream,
      pending: await turns.editing.pending(),
      async outline(uri: vscode.Uri) {
        const place = placeOf(workspace, uri);
        return place && language.outline(place);
      },
      history: createInstructionHistory(context.workspaceState, createSecretMask(keys.known)),
    }),
  );
  return { ...createCommitCommands({ ...shared, git }), ...inlineEdit.commands };
}
