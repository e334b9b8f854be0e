import type { Reply } from '../../src/service/contract.ts';
import { emptyReply } from '../../src/service/wire/empty-reply.ts';

/** A reply that came to its end. */
export function wholeReply(model: string, more: Partial<Reply> = {}): Reply {
  return { ...emptyReply(model), finish: 'stop', evidence: 'finish', ...more };
}
