import { isoTime } from '../../base/iso-time.ts';
import type { StreamEndKind } from '../wire/stream-end.ts';
import type { Learned } from './learned.ts';

/**
 * Returns how streams of this model end when all is well. The service does not publish it, so it is learned: one
 * answer that seemed complete and ended so is enough, from this model or, while all models end alike, from any.
 */
export function knownStreamEnd(learned: Learned, model: string): StreamEndKind | undefined {
  const own = learned.get(model).streamEnd?.how;
  if (own !== undefined) return own;
  const others = new Set([...learned.all().values()].flatMap(({ streamEnd }) => streamEnd?.how ?? []));
  return others.size === 1 ? [...others][0] : undefined;
}

const evidence: Readonly<Record<StreamEndKind, string>> = {
  finish: 'a reply named the reason of its end',
  marker: 'a reply ended with an end marker',
  usage: 'a reply ended with its token count',
  close: 'a reply ended without a word',
};

const missesToForget = 4;

export function learnStreamEnd(learned: Learned, model: string, how: StreamEndKind | undefined, epochMs: number): void {
  const known = learned.get(model).streamEnd;
  if (how === undefined) return;
  const missed = how === 'close' && known !== undefined && known.how !== 'close' ? (known.missed ?? 0) + 1 : 0;
  if (known !== undefined && missed > 0 && missed < missesToForget) {
    learned.learn(model, { streamEnd: { ...known, missed } });
    return;
  }
  const times = known?.how === how ? 2 : 1;
  if (known?.how === how && known.times === times && known.missed === undefined) return;
  learned.learn(model, { streamEnd: { how, times, at: isoTime(epochMs), evidence: evidence[how] } });
}
