import type { PromptFile } from '../../customizations/named.ts';
import type { Written } from '../../shared/messages.ts';
import { type CommandSubject, readCommand } from './slash-commands.ts';

export interface PrepareDeps {
  prompts(): readonly PromptFile[];
  /** Attaches what a slash command is about, unless something is attached already. */
  attachSubject(subject: CommandSubject): Promise<void>;
  /** The text without API keys, once the user has agreed to send it; undefined when it is not to be sent. */
  withoutKeys(text: string, typed: string): Promise<string | undefined>;
  mask(text: string): string;
  /** Says why a command cannot be done, and puts the text back. */
  refuse(text: string): void;
  run(command: 'compact' | 'new'): Thenable<unknown>;
  addToDraft(text: string): void;
}

/**
 * Reads a slash command and attaches its subject. Undefined when the command was done without sending, or the user
 * would rather not send it; then nothing that must not be lost is missing from the draft.
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
