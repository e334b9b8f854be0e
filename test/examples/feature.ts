import type { FeatureWindow } from '../../src/features/feature-window.ts';

/** A feature with one command: the number of open conversations, in the log. */
export function countConversations({ service, chat }: Pick<FeatureWindow, 'service' | 'chat'>) {
  const count = () => service.log.info(`${chat.conversations.open.all().length} conversations are open`);
  return { commands: { 'svc.showLog': count } };
}
