import type { Event } from '../../src/base/emitter.ts';
import type { PanelInfo } from '../../src/shared/panel/panel-info.ts';

interface SendKey {
  sendKey(): PanelInfo['sendKey'];
  onDidChange: Event;
}

/** Reads a setting anew for each message to the page, and sends one when a setting changes. */
export function postSendKey(settings: SendKey, post: (info: Pick<PanelInfo, 'sendKey'>) => void) {
  const postNow = () => post({ sendKey: settings.sendKey() });
  postNow();
  return settings.onDidChange(postNow);
}
