import type { PromptFile } from '../../customizations/named.ts';
import type { Written } from '../../shared/messages.ts';
import { type CommandSubject, readCommand } from './slash-commands.ts';

export interface PrepareDeps {
  prompts(): readonly PromptFile[];
  attachSubject(subject: CommandSubject): Promise<void>;
  /** Resolves with the text without API keys once the user agreed to send it, or undefined when it must not be sent. */
  withoutKeys(text: string, typed: string): Promise<string | undefined>;
  mask(text: string): string;
  refuse(text: string): void;
  run(command: 'compact' | 'new'): Thenable<unknown>;
  addToDraft(text: string): void;
}

/**
 * Reads a slash command and attaches its subject. Resolves with undefined when the command was done without sending,
 * or the user declined; then everything worth keeping is in the draft.
 */
export async function prepareMessage(text: string, deps: PrepareDeps): Promise<Written | undefined> {
  const command = readCommand(text, deps.prompts());
  switch (command.do) {
    case 'send': {
      if (command.subject !== undefined) await deps.attachSubject(command.subject);
      const clean = await deps.withoutKeys(command.text, text);
      if (clean === undefined) return undefined;
      return command.text === text ? { text: clean } : { text: clean, typed: deps.mask(text) };
    }
    case 'refuse':
      deps.refuse(text);
      return undefined;
    default:
      await deps.run(command.do);
      if (command.rest !== '') deps.addToDraft(command.rest);
      return undefined;
  }
}
