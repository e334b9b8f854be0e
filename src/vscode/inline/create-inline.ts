import type * as vscode from 'vscode';
import { createSecretMask } from '../../service/redact.ts';
import { pickModel } from '../account/model-picker.ts';
import type { Onboarding } from '../account/onboarding.ts';
import type { Chat, Own, Parts } from '../chat/create-chat.ts';
import type { EditorCommands } from '../commands/commands.ts';
import { placeOf } from '../workspace/place-uri.ts';
import { createCommitCommands } from './commit-command.ts';
import { createInlineEdit } from './inline-edit.ts';
import { pickInlineFile } from './inline-edit-file.ts';
import { createInstructionHistory } from './instruction-history.ts';

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
