import type { Chat, Parts } from './chat-parts.ts';
import { type CommitCommands, createCommitCommands } from './vscode/commit-command.ts';
import type { Onboarding } from './vscode/onboarding.ts';

/** What asks the model from the editor and the Source Control view, without the chat. */
export function createEditorCommands(
  { settings, models }: Parts,
  { metered, turns }: Chat,
  { onboarding, model }: { onboarding: Onboarding; model(): string },
): CommitCommands {
  const shared = {
    metered,
    model,
    request: settings.request,
    nameOf: models.nameOf,
    ensureReady: onboarding.ensureReady,
  };
  return createCommitCommands({ ...shared, git: turns.ports.git });
}
