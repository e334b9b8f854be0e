import type { AttachmentKind } from '../../../src/shared/messages.ts';
import type { HostMessage, PanelMessage } from '../../../src/shared/panel/protocol.ts';

/** Files that the page itself reads, until the host shows a chip for each. */
export interface Arrivals {
  /** The host is told to show it, and to let a message wait for it. */
  begin(id: string, name: string, kind: AttachmentKind): void;
  /** There is an image that no chip shows yet: what is sent now takes it along. */
  hasImage(): boolean;
  receive(message: HostMessage): void;
}

export function createArrivals(post: (message: PanelMessage) => void): Arrivals {
  const images = new Set<string>();
  return {
    begin(id, name, kind) {
      if (kind === 'image') images.add(id);
      post({ type: 'arriving', id, name, kind });
    },
    hasImage: () => images.size > 0,
    receive(message) {
      if (message.type !== 'info' && message.type !== 'snapshot') return;
      for (const { id } of message.info.attachments) images.delete(id);
    },
  };
}
