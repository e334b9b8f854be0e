import type { AttachmentKind } from '../../../src/shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';

export interface PageReads {
  /** Tells the host that the page reads a dropped or pasted file; a message that is sent meanwhile waits for it. */
  begin(id: string, name: string, kind: AttachmentKind): void;
  /** Returns true while an image has no chip yet; a message sent now takes it along. */
  hasImage(): boolean;
  receive(message: HostMessage): void;
}

export function createPageReads(post: (message: PanelMessage) => void): PageReads {
  const images = new Set<string>();
  return {
    begin(id, name, kind) {
      if (kind === 'image') images.add(id);
      post({ type: 'incoming', id, name, kind });
    },
    hasImage: () => images.size > 0,
    receive(message) {
      if (message.type !== 'info' && message.type !== 'snapshot') return;
      for (const { id } of message.info.attachments) images.delete(id);
    },
  };
}
