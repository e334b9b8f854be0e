import type { FinishReason } from '../../shared/messages.ts';
import type { Reply } from '../contract.ts';
import { type Chunk, finishReason } from './chunk-schema.ts';

/**
 * How a streamed reply ended: with a finish reason, with an end marker alone, with a count behind the text and nothing after
 * it, or with nothing at all behind a connection that was closed in order.
 */
export type StreamEndKind = 'finish' | 'marker' | 'usage' | 'close';

export interface StreamEnd {
  add(chunk: Chunk): void;
  /** The end marker of a stream, or a whole reply that has arrived. */
  done(): void;
  /** The body was read to an end that was no fault. */
  closed(): void;
  isFinished(): boolean;
  isQuiet(): boolean;
  /** `known`: how replies of this model are known to end. `isWhole`: nothing shows that a piece is missing. */
  evidence(known: StreamEndKind | undefined, isWhole: boolean): Reply['evidence'];
  kind(): StreamEndKind | undefined;
  reason(): FinishReason;
}

/**
 * Terminal evidence. The first reason wins, but one that forbids to run calls wins over `stop`; calls
 * that go on after a reason are not covered by it.
 */
export function createStreamEnd(): StreamEnd {
  let reason: FinishReason = 'none';
  let covered = false;
  let quiet = false;
  let isDone = false;
  let isClosed = false;
  /** Something was written without a count: a server that counts along says nothing with its last count. */
  let wroteBare = false;
  let countedLast = false;
  let calls = false;
  const kind = (): StreamEndKind | undefined => {
    if (covered || (isDone && reason !== 'none')) return 'finish';
    if (isDone) return 'marker';
    if (!isClosed || reason !== 'none') return undefined;
    return countedLast ? 'usage' : 'close';
  };
  return {
    add: (chunk) => {
      if (chunk.calls.length > 0) {
        covered = false;
        calls = true;
      }
      if (!writesNothing(chunk)) {
        quiet = false;
        if (chunk.usage === undefined) {
          wroteBare = true;
          countedLast = false;
        }
      }
      if (chunk.usage !== undefined) countedLast = wroteBare;
      if (chunk.finish === '') return;
      if (reason === 'none' || reason === 'stop') reason = finishReason(chunk.finish);
      covered = true;
      quiet = writesNothing(chunk);
    },
    done: () => {
      isDone = true;
    },
    closed: () => {
      isClosed = true;
    },
    isFinished: () => covered,
    isQuiet: () => quiet,
    evidence: (known, isWhole) => {
      const isKnown = isWhole && (known === 'close' || known === kind());
      switch (kind()) {
        case 'finish':
          return 'finish';
        case 'marker':
          return 'inferred';
        case 'usage':
          // A count ends a text; that a call is whole must be known better.
          return isKnown || !calls ? 'inferred' : 'none';
        case 'close':
          return isKnown ? 'inferred' : 'none';
        case undefined:
          return 'none';
      }
    },
    kind,
    reason: () => reason,
  };
}

function writesNothing(chunk: Chunk): boolean {
  return chunk.text === '' && chunk.reasoning === '' && chunk.calls.length === 0;
}
