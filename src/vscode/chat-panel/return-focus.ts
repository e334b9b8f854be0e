import type { Focus } from '../../chat/focus.ts';
import { type CommandHandlers, type CommandId, commandIds, unlistedCommandIds } from '../host/command-ids.ts';
import type { ChatWidgets } from './chat-widgets.ts';

/** These ask in a box above the window while the chat is being used. */
const asking: ReadonlySet<CommandId> = new Set([
  'svc.setBaseUrl',
  'svc.setApiKey',
  'svc.selectModel',
  'svc.selectMode',
]);

type CommandWidgets = Pick<ChatWidgets, 'active'> & Pick<Focus<unknown>, 'commandBegins' | 'focused'>;

/**
 * Each handler tells the views that it begins. Those that ask something leave the one who was in the chat there again:
 * VS Code gives the focus back to the frame that the page stands in, where the next key is heard by nobody.
 */
export function returningFocus(handlers: CommandHandlers, widgets: CommandWidgets): CommandHandlers {
  const telling = [...commandIds, ...unlistedCommandIds].map((id) => {
    const handler = async (...args: unknown[]) => {
      widgets.commandBegins();
      const widget = asking.has(id) && widgets.focused() ? widgets.active() : undefined;
      try {
        return await handlers[id](...args);
      } finally {
        await widget?.show();
      }
    };
    return [id, handler] as const;
  });
  return { ...handlers, ...Object.fromEntries(telling) };
}
