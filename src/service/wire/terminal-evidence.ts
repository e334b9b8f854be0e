import type { FinishReason } from '../../shared/messages.ts';
import type { Reply } from '../contract.ts';
import { type Chunk, finishReason } from './chunk-schema.ts';

export interface Ending {
  add(chunk: Chunk): void;
  done(): void;
  isFinished(): boolean;
  isQuiet(): boolean;
  evidence(): Reply['evidence'];
  reason(): FinishReason;
}

/**
 * Terminal evidence. The first reason wins, but one that forbids to run calls wins over `stop`; calls
 * that go on after a reason are not covered by it.
 */
export function createEnding(): Ending {
  let reason: FinishReason = 'none';
  let covered = false;
  let quiet = false;
  let isDone = false;
  return {
    add: (chunk) => {
      if (chunk.calls.length > 0) covered = false;
      if (!writesNothing(chunk)) quiet = false;
      if (chunk.finish === '') return;
      if (reason === 'none' || reason === 'stop') reason = finishReason(chunk.finish);
      covered = true;
      quiet = writesNothing(chunk);
    },
    done: () => {
      isDone = true;
    },
    isFinished: () => covered,
    isQuiet: () => quiet,
    evidence: () => {
      if (covered || (isDone && reason !== 'none')) return 'finish';
      return isDone ? 'inferred' : 'none';
    },
    reason: () => reason,
  };
}

function writesNothing(chunk: Chunk): boolean {
  return chunk.text === '' && chunk.reasoning === '' && chunk.calls.length === 0;
}
