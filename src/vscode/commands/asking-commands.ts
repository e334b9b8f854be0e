import type { ContextPick } from '../../shared/panel/field-schemas.ts';
import type { Git } from '../../tools/git/git.ts';
import { type AddToChatDeps, chosenToAdd } from '../composer/add-to-chat.ts';
import type { ReadContext } from '../composer/read-context.ts';
import type { CommandHandlers } from '../host/command-ids.ts';
import { ask } from './ask.ts';
import { type ChangeCommandDeps, createChangeCommands } from './change-commands.ts';
import { type CodeCommandDeps, createCodeCommands } from './code-commands.ts';
import { createOutputCommands, type OutputCommandDeps } from './output-commands.ts';

export interface AskingCommandDeps extends CodeCommandDeps, ChangeCommandDeps {
  attach: OutputCommandDeps['attach'];
  /** Attaches with a chip that shows the progress, and the reason when reading fails. */
  attachPick(pick: ContextPick): Promise<void>;
  addToChat: AddToChatDeps & { read: ReadContext; git: Git; knowsTerminal: OutputCommandDeps['knowsTerminal'] };
}

export type AskingCommands = Pick<
  CommandHandlers,
  | 'svc.ask'
  | 'svc.addToChat'
  | 'svc.createInstructions'
  | 'svc.explain'
  | 'svc.fix'
  | 'svc.refactor'
  | 'svc.addTests'
  | 'svc.addDocs'
  | 'svc.review'
  | 'svc.explainChange'
  | 'svc.explainTerminal'
  | 'svc.fixTestFailure'
>;

export function createAskingCommands(deps: AskingCommandDeps): AskingCommands {
  return {
    'svc.ask': (argument) => ask(deps, argument),
    // Its price stands below the message before it is sent.
    'svc.createInstructions': () => ask(deps, { prompt: '/init', newConversation: true, send: false }),
    'svc.addToChat': async (...args) => {
      const chosen = await chosenToAdd(args, deps.addToChat);
      const picks = chosen !== undefined && 'length' in chosen ? chosen : [];
      if (chosen !== undefined && !('length' in chosen)) deps.attach(chosen);
      const attached = picks.map(deps.attachPick);
      await deps.showChat();
      await Promise.all(attached);
    },
    ...createCodeCommands(deps),
    ...createChangeCommands(deps),
    ...createOutputCommands({
      read: deps.addToChat.read,
      knowsTerminal: deps.addToChat.knowsTerminal,
      attach: deps.attach,
      ask: (prompt) => ask(deps, { prompt }),
    }),
  };
}
