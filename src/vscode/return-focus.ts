import type { ChatPanes } from './chat-panes.ts';
import type { CommandHandlers } from './command-ids.ts';

/** What is asked for in a box above the window while the chat is being used. */
const asking = ['svc.setBaseUrl', 'svc.setApiKey', 'svc.selectModel', 'svc.selectMode'] as const;

/**
 * The same commands; those that ask something leave the one who was in the chat there again (ux 2.18). VS Code gives the focus
 * back to the frame that the page stands in, where the next key is heard by nobody.
 */
export function returningFocus(handlers: CommandHandlers, { focused }: Pick<ChatPanes, 'focused'>): CommandHandlers {
  const returning = asking.map((id) => {
    const handler = async (...args: unknown[]) => {
      const pane = focused();
      try {
        return await handlers[id](...args);
      } finally {
        await pane?.show();
      }
    };
    return [id, handler] as const;
  });
  return { ...handlers, ...Object.fromEntries(returning) };
}
