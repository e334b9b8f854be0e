import type { Focus } from '../../chat/focus.ts';
import { type CommandHandlers, type CommandId, commandIds, unlistedCommandIds } from '../host/command-ids.ts';
import type { ChatWidgets } from './chat-widgets.ts';

const asking: ReadonlySet<CommandId> = new Set([
  'svc.setBaseUrl',
  'svc.setApiKey',
  'svc.selectModel',
  'svc.selectMode',
]);

type CommandWidgets = Pick<ChatWidgets, 'active'> & Pick<Focus<unknown>, 'commandBegins' | 'focused'>;

/**
 * Notifies the views when a command begins. After a command that asks something, the focus returns to a chat that had
 * it: VS Code gives it only to the frame around the page, where no key is handled.
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
