import type { FinishReason } from '../../shared/messages.ts';
import type { Reply } from '../contract.ts';
import { announcesCalls, type Chunk, finishReason } from './chunk-schema.ts';

/**
 * A streamed reply ends with a finish reason, with an end marker alone, with a count behind the text and nothing
 * after it, or with nothing but an orderly close of the connection.
 */
export type StreamEndKind = 'finish' | 'marker' | 'usage' | 'close';

/** From the weakest sign of an end to the strongest. */
export const streamEndKinds: readonly StreamEndKind[] = ['close', 'usage', 'marker', 'finish'];

export interface StreamEnd {
  add(chunk: Chunk): void;
  done(): void;
  closed(): void;
  isFinished(): boolean;
  isQuiet(): boolean;
  /** `known` is how replies of this model end. `isWhole` means that the reply ends a sentence or a call. */
  evidence(known: StreamEndKind | undefined, isWhole: boolean): Reply['evidence'];
  kind(): StreamEndKind | undefined;
  reason(): FinishReason;
  announcedCalls(): boolean;
}

/**
 * Collects terminal evidence. The first reason wins, but one that forbids running calls wins over `stop`. A reason
 * does not cover calls that go on after it.
 */
export function createStreamEnd(): StreamEnd {
  let reason: FinishReason = 'none';
  let isUnknownReason = false;
  let announced = false;
  let covered = false;
  let quiet = false;
  let isDone = false;
  let isClosed = false;
  /** A server that sends a count with every chunk proves nothing with its last count. */
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
      if (reason === 'none' || reason === 'stop') {
        const meant = finishReason(chunk.finish);
        isUnknownReason = meant === undefined && reason === 'none';
        reason = meant ?? 'stop';
      }
      announced ||= announcesCalls(chunk.finish);
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
      // A gateway may end what broke off behind it.
      const missesReason = known === 'finish' && !isWhole;
      switch (kind()) {
        case 'finish':
          return isUnknownReason && !isWhole ? 'none' : 'finish';
        case 'marker':
          return missesReason ? 'none' : 'inferred';
        case 'usage':
          // A count ends a text; that a call is whole must be known better.
          return isKnown || !(calls || missesReason) ? 'inferred' : 'none';
        case 'close':
          return isKnown ? 'inferred' : 'none';
        case undefined:
          return 'none';
      }
    },
    kind,
    reason: () => reason,
    announcedCalls: () => announced,
  };
}

function writesNothing(chunk: Chunk): boolean {
  return chunk.text === '' && chunk.reasoning === '' && chunk.calls.length === 0;
}
