import type * as vscode from 'vscode';
import { createSecretMask } from '../../service/redact.ts';
import type { Estimator } from '../../spend/estimate.ts';
import type { CreateMetered } from '../../spend/metered-client.ts';
import type { Service } from '../account/create-service.ts';
import { pickModel } from '../account/model-picker.ts';
import type { Turns } from '../chat/create-turns.ts';
import type { Own } from '../host/owner.ts';
import { placeOf } from '../workspace/place-uri.ts';
import { type CommitCommands, createCommitCommands } from './commit-command.ts';
import { createInlineEdit, type InlineEditCommands } from './inline-edit.ts';
import { pickInlineFile } from './inline-edit-file.ts';
import { createInstructionHistory } from './instruction-history.ts';

export interface InlineDeps {
  metered: CreateMetered;
  turns: Pick<Turns, 'ports' | 'review'>;
  estimator: Estimator;
  model(): string;
}

/** What asks the model from the editor and the Source Control view, without the chat. */
export function createInline(
  service: Service,
  own: Own,
  { metered, turns, estimator, model }: InlineDeps,
): CommitCommands & InlineEditCommands {
  const { settings, models, context, keys, onboarding } = service;
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
      pickModel: (current) => pickModel(models, service, current),
      pickFile: () => pickInlineFile(turns.ports),
      streams: settings.inlineEditStream,
      pending: turns.review.pending,
      async outline(uri: vscode.Uri) {
        const place = placeOf(workspace, uri);
        return place && language.outline(place);
      },
      history: createInstructionHistory(context.workspaceState, createSecretMask(keys.known)),
    }),
  );
  return { ...createCommitCommands({ ...shared, git }), ...inlineEdit.commands };
}
