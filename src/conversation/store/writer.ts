import { createSerial } from '../../base/serial.ts';
import type { DurableEvent } from '../../shared/events.ts';
import type { AppendLog } from '../../storage/append-log.ts';
import type { Lease } from '../../storage/lease.ts';

/** Another window runs a turn of the same conversation. The event is kept and written with the next one. */
export class ConversationInUseError extends Error {
  override readonly name = 'ConversationInUseError';
}

export interface Writer {
  append(event: DurableEvent): Promise<void>;
  flush(): Promise<void>;
  unwritten(): number;
  settled(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Writes the events of one conversation. It has the lease from the start of a turn to its end, so that turns of two
 * windows never mix in one file. `bringBack` is called before events go to an existing conversation, because its file
 * may be in the trash by now. `written` is called before the lease is released.
 */
export function createWriter(
  log: AppendLog,
  lease: Lease,
  bringBack: () => Promise<void>,
  written: () => Promise<void>,
): Writer {
  const held: DurableEvent[] = [];
  let turnOpen = false;
  const enqueue = createSerial();

  async function write(): Promise<void> {
    if (!(await lease.acquire())) throw new ConversationInUseError('This conversation is in use in another window.');
    try {
      if (!turnOpen && held[0]?.type !== 'created') await bringBack();
      const appended = held.splice(0).map((event) => {
        if (event.type === 'turnStarted') turnOpen = true;
        if (event.type === 'turnEnded') turnOpen = false;
        return log.append(event, { sync: event.type === 'turnEnded' });
      });
      await Promise.all(appended.length > 0 ? appended : [log.flush()]);
      await written();
    } finally {
      if (!turnOpen) await rest();
    }
  }

  async function rest(): Promise<void> {
    if (log.unwritten() === 0) await log.close();
    await lease.release();
  }

  return {
    append(event) {
      held.push(event);
      return enqueue(write);
    },
    flush: () => enqueue(write),
    unwritten: () => held.length + log.unwritten(),
    settled: () => enqueue(async () => undefined),
    close: () =>
      enqueue(async () => {
        try {
          if (held.length > 0 || log.unwritten() > 0) await write();
          await log.close();
        } finally {
          await lease.release();
        }
      }),
  };
}
